// Finds molecules, for barostats and for wrapping trajectories.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <tuple>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/system.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Groups of connected particles, by union-find.
class Connections {
public:
    /// No particles are connected at first.
    explicit Connections(int particles) {
        for (int i = 0; i < particles; ++i) parent_.push_back(i);
    }

    /// Joins the groups of two particles.
    void connect(int i, int j) { parent_[static_cast<std::size_t>(root(i))] = root(j); }

    /// The particles of each group, ascending; groups in the order of their first particle.
    std::vector<std::vector<int>> groups();

private:
    int root(int i) {
        auto at = [this](int k) -> int& { return parent_[static_cast<std::size_t>(k)]; };
        while (at(i) != i) i = at(i) = at(at(i));
        return i;
    }
    std::vector<int> parent_;
};

/// A force whose terms bond particles into molecules, declared by `bonds_molecules`. Other forces may call a function
/// for each bonded pair in `for_each_connection`.
template <class F>
concept BondsMolecules = requires { requires F::bonds_molecules; };

/// Calls `connect(i, j)` for the first particle of each term with each of the others.
template <BondsMolecules F, class Connect> void connect_terms(F const& force, Connect const& connect) {
    for (auto const& term : force.*F::terms)
        std::apply([&](auto first, auto... others) { (connect(term.*first, term.*others), ...); }, F::particles);
}

/// Calls `connect(i, j)` for each pair of particles that a force connects; indices may be out of range.
template <class List, class Connect> void for_each_connection(System<List> const& system, Connect const& connect) {
    system.for_each_force([&]<class F>(int, F const& force) {
        if constexpr (requires { force.for_each_connection(connect); })
            force.for_each_connection(connect);
        else if constexpr (BondsMolecules<F>)
            connect_terms(force, connect);
        else if constexpr (StatesParts<F>)
            for_each_part(force, [&]<class Part>(Part const& part) {
                if constexpr (BondsMolecules<Part>) connect_terms(part, connect);
            });
    });
}

/// Finds the particles connected by constraints, bonds, or virtual sites and their parents. Angles, torsions and
/// exceptions connect nothing.
template <class List> [[gnu::cold]] std::vector<std::vector<int>> find_molecules(System<List> const& system) {
    Connections connections(system.particle_count());
    for (auto const& [i, j, distance] : system.particles.constraints) connections.connect(i, j);
    for (auto const& [particle, site] : system.particles.virtual_sites)
        for (int parent : parents(site)) connections.connect(particle, parent);
    // Indices out of range are skipped: the force's kernel throws for them.
    auto exists = [&](int i) { return i >= 0 && i < system.particle_count(); };
    for_each_connection(system, [&](int i, int j) {
        if (exists(i) && exists(j)) connections.connect(i, j);
    });
    return connections.groups();
}

/// Positions [nm] with whole molecules shifted by box vectors, so that each geometric center is in the box.
inline std::vector<Vec3<>> wrap_molecules(std::vector<Vec3<>> positions, Box const& box,
                                          std::vector<std::vector<int>> const& molecules) {
    for (auto const& molecule : molecules) {
        Vec3<> center{};
        for (int const particle : molecule) center += positions[static_cast<std::size_t>(particle)];
        auto const shift = box.wrapping_shift(center / static_cast<double>(molecule.size()));
        for (int const particle : molecule) positions[static_cast<std::size_t>(particle)] += shift;
    }
    return positions;
}

}  // namespace trotter
