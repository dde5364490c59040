// Records operations as kernel source.
// SPDX-License-Identifier: MIT
#include <string>

#include <trotter/device/text/traced.hpp>
#include <trotter/expression/source.hpp>

namespace trotter::device {

std::string const& Statements::name(std::string const& right_hand_side, std::string const& dimensions) {
    auto const [place, is_new] =
        names_.try_emplace(right_hand_side, style_.prefix + std::to_string(forgotten_ + names_.size()));
    if (is_new) text_ += "const " + style_.real + dimensions + ' ' + place->second + " = " + right_hand_side + ";\n";
    return place->second;
}
std::string const& Statements::write(expression::Op op, std::string const& x, std::string const& y) {
    using expression::Op;
    if (op == Op::max || op == Op::min) return name((op == Op::max ? "fmax(" : "fmin(") + x + ", " + y + ')');
    return name(expression::right_hand_side(op, x, y, {}, style_));
}

}  // namespace trotter::device
