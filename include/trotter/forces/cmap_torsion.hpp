// Energy correction maps of two dihedral angles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/parts/terms/cmap_formula.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// E = map(phi, psi): bicubic interpolation in a periodic table (A. D. Mackerell, M. Feig, C. L. Brooks III,
/// J. Comput. Chem. 25, 1400 (2004)).
struct CMAPTorsionForce {
    static constexpr std::string_view name = "CMAPTorsionForce";  ///< type name, in messages and files

    /// `energy[i + size*j]` [kJ/mol] is the energy at phi = 2 pi i/size, psi = 2 pi j/size.
    struct Map {
        int size = 0;  ///< grid points along each angle, 2 or more
        std::vector<double> energy{};  ///< size² values [kJ/mol], phi fastest
    };
    /// Two dihedral angles and their energy map.
    struct Torsion {
        int map = 0;  ///< index into `maps`
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0;  ///< of phi
        int particle5 = 0, particle6 = 0, particle7 = 0, particle8 = 0;  ///< of psi
    };
    std::vector<Map> maps{};  ///< shared by the torsions
    std::vector<Torsion> torsions{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &CMAPTorsionForce::torsions;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Torsions", term_name = "Torsion";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles =
        std::array{&Torsion::particle1, &Torsion::particle2, &Torsion::particle3, &Torsion::particle4,
                   &Torsion::particle5, &Torsion::particle6, &Torsion::particle7, &Torsion::particle8};
    /// Both [radian].
    static constexpr auto variables = std::array{Dihedral{"phi", {0, 1, 2, 3}}, Dihedral{"psi", {4, 5, 6, 7}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"map", "map", &Torsion::map, Valid::not_negative}};

    /// Makes the formula of the terms from the maps.
    CmapFormula formula() const { return CmapFormula(maps); }

    /// Throws InputError for a map with a wrong number of energies, and a term whose map does not exist.
    void check() const;
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CMAPTorsionForce& force, int particle_count);
void write(XmlWriter& xml, CMAPTorsionForce const& force);  ///< as an OpenMM Force element

inline void CMAPTorsionForce::check() const {
    for (std::size_t n = 0; n < maps.size(); ++n) {
        auto const& [size, energy] = maps[n];
        std::string const where = "map " + std::to_string(n);
        if (size < 2) throw InputError(where + " has size " + std::to_string(size) + ", expected 2 or more");
        if (energy.size() != static_cast<std::size_t>(size) * static_cast<std::size_t>(size))
            throw InputError(where + " has " + std::to_string(energy.size())
                             + " energies, expected the square of its size " + std::to_string(size));
        for (double const value : energy)
            if (!std::isfinite(value)) throw InputError(where + " has an energy that is not a finite number");
    }
    for (std::size_t n = 0; n < torsions.size(); ++n)
        if (torsions[n].map < 0 || static_cast<std::size_t>(torsions[n].map) >= maps.size())
            throw InputError("Torsion " + std::to_string(n) + ": there is no map " + std::to_string(torsions[n].map)
                             + "; the force has " + std::to_string(maps.size()) + ", counted from 0");
}

}  // namespace trotter
