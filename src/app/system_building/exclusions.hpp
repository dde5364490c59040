// Pairs of particles by the number of bonds between them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <trotter/forces/nonbonded.hpp>

namespace trotter::app {

/// Partners of each of `count` particles by these bonds.
std::vector<std::set<int>> partners_by_bonds(std::vector<std::array<int, 2>> const& bonds, std::size_t count);
/// Those of each particle at a distance of 1 to `bonds` bonds; itself is not among them.
std::vector<std::set<int>> particles_within(std::vector<std::set<int>> const& partners, int bonds);

/// Pairs of each kind, each once with the smaller index first, by the shortest way between them.
struct BondedPairs {
    std::vector<std::pair<int, int>> one_two, one_three, one_four;  ///< ascending
};
BondedPairs bonded_pairs(std::vector<std::array<int, 2>> const& bonds, std::size_t count);

/// Exceptions of a NonbondedForce, one for each pair.
class Exceptions {
public:
    explicit Exceptions(NonbondedForce& force) : force_(force) {}

    /// Adds an exception, or replaces that of its pair. Returns whether there was one.
    bool set(NonbondedForce::Exception const& exception);
    bool contains(int particle1, int particle2) const;

    /// Excludes pairs of one or two bonds, and scales the interactions of pairs of three.
    void set_by_bonds(BondedPairs const& pairs, double coulomb_scale, double lennard_jones_scale);

private:
    NonbondedForce& force_;
    std::map<std::pair<int, int>, std::size_t> indices_;
};

}  // namespace trotter::app
