// Energy grids of two dihedral angles that share three particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// E = grid(phi, psi), with phi the dihedral angle of particles 1 to 4 and psi that of 2 to 5: bicubic interpolation of
/// energies with their derivatives. Both angles change sign where particle 3 is a chiral center of negative hand. The
/// energy is 0 where three consecutive particles are collinear.
struct AmoebaTorsionTorsionForce {
    static constexpr std::string_view name = "AmoebaTorsionTorsionForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// Energy at a point of a grid [kJ/mol], and its derivatives [kJ/mol/degree, kJ/mol/degree²].
    struct Knot {
        double energy = 0, by_first = 0, by_second = 0, mixed = 0;  ///< the last by both angles
    };
    /// Angles along both axes [degree], ascending over 360 degrees, both ends included; any spacing.
    struct Grid {
        std::vector<double> first{}, second{};  ///< phi and psi
        std::vector<Knot> knots{};  ///< psi fastest

        /// Computes the derivatives by cubic splines through `energies` (psi fastest): periodic if the energies at both
        /// ends are equal along both axes, otherwise natural. Throws InputError for invalid angles.
        static Grid fitted(std::vector<double> first, std::vector<double> second, std::vector<double> const& energies);
    };
    /// Five bonded particles.
    struct Term {
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0, particle5 = 0;  ///< along the chain
        int chiral = -1;  ///< another particle bonded to particle 3, which gives its hand; negative: no sign change
        int grid = 0;     ///< index into `grids`
    };
    std::vector<Grid> grids{};  ///< shared by the terms
    std::vector<Term> terms{};  ///< in any order
    bool periodic = false;  ///< take the nearest periodic image of each difference
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Particles of a term.
    static constexpr auto particles =
        std::array{&Term::particle1, &Term::particle2, &Term::particle3, &Term::particle4, &Term::particle5};
    /// The angles, of indices into `particles`.
    static constexpr Dihedral phi{"phi", {0, 1, 2, 3}}, psi{"psi", {1, 2, 3, 4}};
};

/// Reads the Force element of an OpenMM System, version 1 to 3. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AmoebaTorsionTorsionForce& force, int particle_count);
void write(XmlWriter& xml, AmoebaTorsionTorsionForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for invalid angles or numbers of a grid.
void check(AmoebaTorsionTorsionForce::Grid const& grid);
/// Throws InputError for the first invalid grid or term of the force in a System of `particle_count` particles.
void check(AmoebaTorsionTorsionForce const& force, int particle_count);

}  // namespace trotter
