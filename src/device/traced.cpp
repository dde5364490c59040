// A number that writes itself down: the statements so far.
// SPDX-License-Identifier: MIT
#include <string>

#include <trotter/device/traced.hpp>

namespace trotter::device {

std::string const& Statements::name(std::string const& right_hand_side, std::string const& dimensions) {
    auto const [place, is_new] =
        names_.try_emplace(right_hand_side, style_.prefix + std::to_string(forgotten_ + names_.size()));
    if (is_new) text_ += "const " + style_.real + dimensions + ' ' + place->second + " = " + right_hand_side + ";\n";
    return place->second;
}

}  // namespace trotter::device
