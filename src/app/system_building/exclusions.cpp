// SPDX-License-Identifier: MIT
#include "exclusions.hpp"

#include <algorithm>
#include <cmath>

namespace trotter::app {

std::vector<std::set<int>> partners_by_bonds(std::vector<std::array<int, 2>> const& bonds, std::size_t count) {
    std::vector<std::set<int>> result(count);
    for (auto const& [particle1, particle2] : bonds) {
        if (particle1 == particle2) continue;
        result[static_cast<std::size_t>(particle1)].insert(particle2);
        result[static_cast<std::size_t>(particle2)].insert(particle1);
    }
    return result;
}

std::vector<std::set<int>> particles_within(std::vector<std::set<int>> const& partners, int bonds) {
    std::vector<std::set<int>> result(partners.size());
    for (std::size_t i = 0; i < partners.size() && bonds > 0; ++i) {
        int const self = static_cast<int>(i);
        auto shell = partners[i];
        result[i] = shell;
        for (int step = 1; step < bonds && !shell.empty(); ++step) {
            std::set<int> next;
            for (int const particle : shell)
                for (int const partner : partners[static_cast<std::size_t>(particle)])
                    if (partner != self && result[i].insert(partner).second) next.insert(partner);
            shell = std::move(next);
        }
    }
    return result;
}

BondedPairs bonded_pairs(std::vector<std::array<int, 2>> const& bonds, std::size_t count) {
    auto const one = partners_by_bonds(bonds, count), two = particles_within(one, 2), three = particles_within(one, 3);
    BondedPairs pairs;
    for (std::size_t i = 0; i < count; ++i)
        for (int const other : three[i]) {
            int const self = static_cast<int>(i);
            if (other < self) continue;
            auto& list = one[i].contains(other)   ? pairs.one_two
                         : two[i].contains(other) ? pairs.one_three
                                                  : pairs.one_four;
            list.emplace_back(self, other);
        }
    return pairs;
}

bool Exceptions::set(NonbondedForce::Exception const& exception) {
    auto const [found, is_new] =
        indices_.try_emplace(std::minmax({exception.particle1, exception.particle2}), force_.exceptions.size());
    if (is_new)
        force_.exceptions.push_back(exception);
    else
        force_.exceptions[found->second] = exception;
    return !is_new;
}

bool Exceptions::contains(int particle1, int particle2) const {
    return indices_.contains(std::minmax({particle1, particle2}));
}

void Exceptions::set_by_bonds(BondedPairs const& pairs, double coulomb_scale, double lennard_jones_scale) {
    for (auto const* list : {&pairs.one_two, &pairs.one_three})
        for (auto const& [particle1, particle2] : *list) set({particle1, particle2, 0, 1, 0});
    for (auto const& [particle1, particle2] : pairs.one_four) {
        auto const& a = force_.particles[static_cast<std::size_t>(particle1)];
        auto const& b = force_.particles[static_cast<std::size_t>(particle2)];
        set({particle1, particle2, coulomb_scale * a.charge * b.charge, 0.5 * (a.sigma + b.sigma),
             lennard_jones_scale * std::sqrt(a.epsilon * b.epsilon)});
    }
}

}  // namespace trotter::app
