// Finds molecules, as barostats move them and trajectories wrap them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <tuple>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/system.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Groups of connected particles, found by union of pairs.
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

/// A force whose terms tie particles into molecules says so with `bonds_molecules`; or it calls, in `for_each_connection`,
/// a function for each pair of particles that it connects.
template <class F>
concept BondsMolecules = requires { requires F::bonds_molecules; };

/// Calls `connect(i, j)` for the first particle of each term with each of the others.
template <BondsMolecules F, class Connect> void connect_terms(F const& force, Connect const& connect) {
    for (auto const& term : force.*F::terms)
        std::apply([&](auto first, auto... others) { (connect(term.*first, term.*others), ...); }, F::particles);
}

/// Calls `connect(i, j)` for pairs of particles, not all of which need to exist, that forces tie together.
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

/// Molecules are what constraints, bonds and virtual sites with their parents connect. Angles, torsions and
/// exceptions connect nothing.
template <class List> [[gnu::cold]] std::vector<std::vector<int>> find_molecules(System<List> const& system) {
    Connections connections(system.particle_count());
    for (auto const& [i, j, distance] : system.particles.constraints) connections.connect(i, j);
    for (auto const& [particle, site] : system.particles.virtual_sites)
        for (int parent : parents(site)) connections.connect(particle, parent);
    // A particle that does not exist is left to the force's kernel, which refuses it by name.
    auto exists = [&](int i) { return i >= 0 && i < system.particle_count(); };
    for_each_connection(system, [&](int i, int j) {
        if (exists(i) && exists(j)) connections.connect(i, j);
    });
    return connections.groups();
}

/// The positions [nm] with whole molecules moved by box vectors, so that the plain mean of each one's particles lies in the
/// box.
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
