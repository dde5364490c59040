// Single particles in a field: a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>

namespace trotter {

/// Particles whose energy is a formula of their coordinates x, y and z [nm], which are not taken into the periodic box,
/// of each particle's numbers, and of parameters of the Context. A Context throws InputError for a name in the formula
/// that nothing stands for.
struct CustomExternalForce {
    static constexpr std::string_view name = "CustomExternalForce";

    struct Particle {
        int particle = 0;
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy;                  ///< [kJ/mol]
    std::vector<std::string> parameter_names;  ///< of each particle
    std::vector<GlobalParameter> global_parameters;
    std::vector<std::string> energy_parameter_derivatives;  ///< parameters by which derivatives are computed
    std::vector<Particle> affected;
    int force_group = 0;
    std::string label{name};

    static constexpr auto terms = &CustomExternalForce::affected;
    static constexpr std::string_view terms_name = "Particles", term_name = "Particle";
    static constexpr auto particles = std::array{&Particle::particle};
    static constexpr auto variables =
        std::array{Coordinate{"x", {0}, 0}, Coordinate{"y", {0}, 1}, Coordinate{"z", {0}, 2}};
};

}  // namespace trotter
