// Scale factors from lists of neighbours.
// SPDX-License-Identifier: MIT
#include "scales.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace trotter::amoeba {
namespace {

using Multipole = AmoebaMultipoleForce::Multipole;

// Permanent multipoles do not interact over 1 and 2 bonds, and partly over 3 and 4. μ_p is induced by particles at 3
// bonds or more, half as much over 3 bonds within a polarization group; μ_d by those of other groups.
constexpr std::array<double, 4> permanent_factors{0, 0, 0.4, 0.8}, p_factors{0, 0, 1, 1}, d_factors{0, 1, 1, 1};

std::map<int, Scales> scales_of(Multipole const& multipole, int particle) {
    std::map<int, Scales> result;
    auto const& lists = multipole.covalent;
    auto const& group = lists[AmoebaMultipoleForce::polarization_11];
    for (std::size_t n = 0; n < 4; ++n)
        for (int const other : lists[n])
            if (other > particle) {
                bool const is_halved = n == AmoebaMultipoleForce::covalent_14
                                       && std::find(group.begin(), group.end(), other) != group.end();
                result[other].permanent = permanent_factors[n];
                result[other].p = is_halved ? 0.5 * p_factors[n] : p_factors[n];
            }
    for (std::size_t n = 0; n < 4; ++n)
        for (int const other : lists[4 + n])
            if (other > particle) result[other].d = d_factors[n];
    return result;
}

}  // namespace

ScaleTable::ScaleTable(std::vector<Multipole> const& multipoles) : entries_(multipoles.size()) {
    for (std::size_t i = 0; i < multipoles.size(); ++i)
        for (auto const& [j, scales] : scales_of(multipoles[i], static_cast<int>(i))) {
            if (scales.permanent == 1 && scales.p == 1 && scales.d == 1) continue;
            entries_[i].push_back({j, scales});
            entries_[static_cast<std::size_t>(j)].push_back({static_cast<int>(i), scales});
        }
    for (auto& list : entries_)
        std::sort(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.particle < b.particle; });
}

int ScaleTable::find(std::size_t i, std::size_t j) const {
    auto const& list = entries_[i];
    auto const found = std::lower_bound(list.begin(), list.end(), static_cast<int>(j),
                                        [](auto const& entry, int particle) { return entry.particle < particle; });
    return found != list.end() && found->particle == static_cast<int>(j) ? static_cast<int>(found - list.begin()) : -1;
}

}  // namespace trotter::amoeba
