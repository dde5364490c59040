// Parts of a DrudeForce: springs, springs along axes, and screened pairs of dipoles, as sums over terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/drude/variables.hpp>
#include <trotter/expression/statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter::drude {

/// Isotropic springs between Drude particles and their parents: E = k/2 r².
struct Springs {
    static constexpr std::string_view name = "DrudeForce";  ///< type name, in messages and files

    /// The spring of one Drude particle.
    struct Spring {
        int drude = 0, parent = 0;  ///< particle indices, from 0
        double k = 0;               ///< stiffness [kJ/mol/nm²]
    };
    std::vector<Spring> springs{};  ///< one for each Drude particle
    int force_group = 0;            ///< 0 or more

    static constexpr auto terms = &Springs::springs;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view term_name = "Particle", part_name = "spring";  ///< in messages
    static constexpr auto particles = std::array{&Spring::drude, &Spring::parent};   ///< particle indices of a term
    /// `square` is the squared distance [nm²].
    static constexpr auto variables = std::array{SquaredDistance{"square", {0, 1}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"k", &Spring::k}};
    static constexpr Expression<"k/2*square"> energy{};  ///< [kJ/mol]
};

/// Additional stiffness along an axis: E = k/2 s², with s the displacement of the Drude particle along the axis.
struct AxisSprings {
    static constexpr std::string_view name = "DrudeForce";  ///< type name, in messages and files

    /// The spring of a Drude particle along one of its axes, from `from` to `to`.
    struct Spring {
        int drude = 0, parent = 0, to = 0, from = 0;  ///< particle indices, from 0
        double k = 0;                                 ///< stiffness [kJ/mol/nm²]
    };
    std::vector<Spring> springs{};  ///< one for each axis of a Drude particle
    int force_group = 0;            ///< 0 or more

    static constexpr auto terms = &AxisSprings::springs;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view term_name = "axis", part_name = "axis";  ///< in messages
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Spring::drude, &Spring::parent, &Spring::to, &Spring::from};
    /// `s` is the displacement along the axis [nm].
    static constexpr auto variables = std::array{Projection{"s", {0, 1, 2, 3}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"k", &Spring::k}};
    static constexpr Expression<"k/2*s^2"> energy{};  ///< [kJ/mol]
};

/// Coulomb interactions of two dipoles, each of a Drude particle and the opposite charge on its parent, smeared as by
/// B. T. Thole, Chem. Phys. 59, 341 (1981): the energy of two charges is multiplied by 1 - (1 + u/2) exp(-u), u = scale
/// r.
struct ScreenedPairs {
    static constexpr std::string_view name = "DrudeForce";  ///< type name, in messages and files

    /// Two dipoles.
    struct Pair {
        int drude1 = 0, parent1 = 0, drude2 = 0, parent2 = 0;  ///< particle indices, from 0
        double coulomb = 0;                                    ///< q1 q2/(4 pi eps0) of the Drude particles [kJ nm/mol]
        double scale = 0;                                      ///< [1/nm]
    };
    std::vector<Pair> pairs{};  ///< in the order of the force
    int force_group = 0;        ///< 0 or more
    bool periodic = false;      ///< take the nearest periodic image of each difference

    static constexpr auto terms = &ScreenedPairs::pairs;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view term_name = "ScreenedPair", part_name = "screened pair";  ///< in messages
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Pair::drude1, &Pair::parent1, &Pair::drude2, &Pair::parent2};
    /// Distances [nm] between a Drude particle or parent (d, p) of the first dipole and one of the second.
    static constexpr auto variables =
        std::array{Distance{"dd", {0, 2}}, Distance{"dp", {0, 3}}, Distance{"pd", {1, 2}}, Distance{"pp", {1, 3}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"coulomb", &Pair::coulomb}, Field{"scale", &Pair::scale}};
    /// [kJ/mol]
    static constexpr Expression<
        "coulomb*((1 - (1 + scale*dd/2)*exp(-scale*dd))/dd"
        " - (1 - (1 + scale*dp/2)*exp(-scale*dp))/dp"
        " - (1 - (1 + scale*pd/2)*exp(-scale*pd))/pd"
        " + (1 - (1 + scale*pp/2)*exp(-scale*pp))/pp)">
        energy{};
};

}  // namespace trotter::drude
