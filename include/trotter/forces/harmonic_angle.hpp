// Harmonic angles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Springs on the angle of three particles: E = k/2 (theta - angle)².
struct HarmonicAngleForce {
    static constexpr std::string_view name = "HarmonicAngleForce";  ///< type name, in messages and files

    /// An angle and its parameters.
    struct Angle {
        int particle1 = 0, particle2 = 0, particle3 = 0;  ///< the second is the vertex
        double angle = 0;                                 ///< rest angle [radian]
        double k = 0;                                     ///< stiffness [kJ/mol/radian²]
    };
    std::vector<Angle> angles{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &HarmonicAngleForce::angles;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Angles", term_name = "Angle";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Angle::particle1, &Angle::particle2, &Angle::particle3};
    /// `theta` is the angle at the second particle [radian].
    static constexpr auto variables = std::array{trotter::Angle{"theta", {0, 1, 2}}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"angle", "a", &Angle::angle, Valid::angle}, Field{"k", "k", &Angle::k}};
    static constexpr Expression<"k/2*(theta - angle)^2"> energy{};  ///< [kJ/mol]
};

}  // namespace trotter
