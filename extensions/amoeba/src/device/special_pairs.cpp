// Lists pairs of multipole sites with scale factors.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/device/special_pairs.hpp>

#include "multipoles/scales.hpp"
#include "multipoles/sites.hpp"

namespace trotter::amoeba {

SpecialPairs::SpecialPairs(std::vector<AmoebaMultipoleForce::Multipole> const& multipoles) : partners(multipoles.size()) {
    ScaleTable const table(multipoles);
    for (std::size_t i = 0; i < multipoles.size(); ++i)
        for (auto const& [other, factors] : table.of(i)) {
            partners[i].push_back(other);
            if (other < static_cast<int>(i)) continue;
            pairs.push_back({static_cast<std::int32_t>(i), other});
            scales.insert(scales.end(), {factors.permanent, factors.d, factors.p, 0});
        }
}

}  // namespace trotter::amoeba
