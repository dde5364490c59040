// Bonds that a topology has, for quick lookup.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include <trotter/app/topology.hpp>

namespace trotter::app {

/// Adds bonds to a topology, each pair of atoms once.
class BondSet {
public:
    explicit BondSet(Topology& topology) : topology_(topology) {
        for (std::size_t bond = 0; bond < topology.bonds.size(); ++bond)
            index_.emplace(key(topology.bonds[bond].atom1, topology.bonds[bond].atom2), bond);
    }

    /// Adds the bond unless it is there or joins an atom with itself. One that is there without an order gets this one.
    void add(int atom1, int atom2, BondType type = BondType::unknown, std::optional<int> order = {}) {
        if (atom1 == atom2) return;
        auto const [found, is_new] = index_.emplace(key(atom1, atom2), topology_.bonds.size());
        if (is_new) return topology_.add_bond(atom1, atom2, type, order);
        auto& bond = topology_.bonds[found->second];
        if (bond.type == BondType::unknown) bond.type = type;
        if (!bond.order) bond.order = order;
    }

private:
    static std::uint64_t key(int atom1, int atom2) {
        auto const [low, high] = std::minmax(atom1, atom2);
        return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
    }

    Topology& topology_;
    std::unordered_map<std::uint64_t, std::size_t> index_;  // into the topology's bonds
};

}  // namespace trotter::app
