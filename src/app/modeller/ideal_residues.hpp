// Geometry of standard residues without strain, and the torsions that are free in them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <trotter/vec3.hpp>
#include <vector>

namespace trotter::app {

/// Rotation about the bond of the middle two of four atoms.
struct IdealTorsion {
    std::array<int, 4> atoms;   ///< indices into the residue
    std::vector<int> beyond;    ///< atoms that turn with the fourth
    std::vector<double> usual;  ///< values that are tried [radians], the most frequent first
};

/// Heavy atoms of a residue, and those of its neighbors in the chain that it is bonded to (`-C`, `+N`).
struct IdealResidue {
    std::vector<std::string> names;               ///< of the atoms
    std::vector<Vec3<>> positions;                ///< [nm]
    std::vector<std::vector<int>> bonded;         ///< to each atom
    std::vector<std::vector<int>> bonds_between;  ///< least number of bonds between two atoms
    std::vector<IdealTorsion> torsions;           ///< each in both directions

    int find(std::string_view name) const;  ///< index of an atom, or -1
};

/// The residue of this name: an amino acid (with OXT), a nucleotide, ACE or NME; null for others. Bond lengths and
/// angles are those of ff14SB, OL15 and OL3. Values of torsions are those near which side chains (Lovell, Word,
/// Richardson, Richardson, Proteins 40, 389 (2000)) and nucleic acids (Schneider, Moravek, Berman, Nucleic Acids Res.
/// 32, 1666 (2004)) are found.
IdealResidue const* ideal_residue(std::string_view name);

/// Torsion of four places [radians].
double torsion_angle(Vec3<> const& a, Vec3<> const& b, Vec3<> const& c, Vec3<> const& d);

/// Six times the volume of the tetrahedron of a center and three atoms around it; its sign tells the chirality.
double chiral_volume(Vec3<> const& center, Vec3<> const& a, Vec3<> const& b, Vec3<> const& c);

}  // namespace trotter::app
