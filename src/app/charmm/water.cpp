// SPDX-License-Identifier: MIT
#include "water.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace trotter::app::charmm {

bool is_water(Topology const& topology, int atom) {
    constexpr std::array<std::string_view, 9> names{"WAT",  "HOH", "TIP3", "TIP4", "TIP5",
                                                    "SPCE", "SPC", "SWM4", "SWM6"};
    auto const residue = static_cast<std::size_t>(topology.atoms[static_cast<std::size_t>(atom)].residue);
    return std::find(names.begin(), names.end(), topology.residues[residue].name) != names.end();
}

}  // namespace trotter::app::charmm
