// Energy correction maps of two dihedral angles.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/field.hpp>
#include <trotter/forces/cmap_formula.hpp>
#include <trotter/forces/variables.hpp>

namespace trotter {

/// E = map(phi, psi): bicubic interpolation in a periodic table (A. D. Mackerell, M. Feig, C. L. Brooks III,
/// J. Comput. Chem. 25, 1400 (2004)).
struct CMAPTorsionForce {
    static constexpr std::string_view name = "CMAPTorsionForce";

    /// `energy[i + size*j]` [kJ/mol] stands at phi = 2 pi i/size, psi = 2 pi j/size.
    struct Map {
        int size = 0;
        std::vector<double> energy;
    };
    struct Torsion {
        int map = 0;
        int particle1 = 0, particle2 = 0, particle3 = 0, particle4 = 0;  ///< of phi
        int particle5 = 0, particle6 = 0, particle7 = 0, particle8 = 0;  ///< of psi
    };
    std::vector<Map> maps;
    std::vector<Torsion> torsions;
    int force_group = 0;
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};

    static constexpr auto terms = &CMAPTorsionForce::torsions;
    static constexpr std::string_view terms_name = "Torsions", term_name = "Torsion";
    static constexpr auto particles =
        std::tuple{&Torsion::particle1, &Torsion::particle2, &Torsion::particle3, &Torsion::particle4,
                   &Torsion::particle5, &Torsion::particle6, &Torsion::particle7, &Torsion::particle8};
    static constexpr auto variables = std::tuple{Dihedral{"phi", {0, 1, 2, 3}}, Dihedral{"psi", {4, 5, 6, 7}}};
    static constexpr auto fields = std::tuple{Field{"map", "map", &Torsion::map, Valid::not_negative}};

    /// The formula of the terms is made from the maps.
    CmapFormula formula() const;
};

}  // namespace trotter
