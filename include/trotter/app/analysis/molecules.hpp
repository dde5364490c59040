// Molecules of a topology, made whole again where the sides of the periodic box cut them.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Atoms that are connected by bonds.
class Molecules {
public:
    /// From the bonds of a topology.
    explicit Molecules(Topology const& topology);

    /// Number of molecules; single atoms are molecules, too.
    int count() const { return count_; }
    /// For each atom the index of its molecule, which are numbered by their first atoms.
    std::vector<int> const& of_atoms() const { return of_atoms_; }

    /// Moves every atom by whole box vectors to the image nearest to the atom that it is bonded to. The first atom of
    /// each molecule stays in its place.
    void make_whole(std::span<Vec3<>> positions, Box const& box) const;

private:
    struct Link {
        int atom, nearer;  // the second one is on the way to the first atom of the molecule
    };
    std::vector<Link> links_;  // every atom but the first ones, behind the atom that it is placed by
    std::vector<int> of_atoms_;
    int count_ = 0;
};

/// The same lattice with vectors that are as short as the reduced form has them; files may have longer ones. Throws
/// InputError if the first vector is not along x, the second one not in the xy plane, or one of a.x, b.y and c.z is no
/// positive finite number.
Box reduced(Box box);

}  // namespace trotter::app
