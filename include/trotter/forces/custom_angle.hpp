// Angles with an energy formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/parts/terms/variables.hpp>

namespace trotter {

/// Triples of particles whose energy is a formula of the angle theta at the middle one [radian, 0 to pi], of per-angle
/// parameters, and of Context parameters. A Context throws InputError for an unknown name in the formula.
struct CustomAngleForce {
    static constexpr std::string_view name = "CustomAngleForce";  ///< type name, in messages and files

    /// An angle and its parameters.
    struct Angle {
        int particle1 = 0, particle2 = 0, particle3 = 0;  ///< particle indices, from 0; the second is the vertex
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each angle
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Angle> angles{};  ///< in any order; messages and updates use their indices
    int force_group = 0;  ///< 0 or more
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};  ///< name of this force in files and results

    static constexpr auto terms = &CustomAngleForce::angles;  ///< the list of terms, found by the generic kernels
    static constexpr std::string_view terms_name = "Angles", term_name = "Angle";  ///< list and item in XML
    /// Particle indices of a term.
    static constexpr auto particles = std::array{&Angle::particle1, &Angle::particle2, &Angle::particle3};
    /// `theta` is the angle at the second particle [radian].
    static constexpr auto variables = std::array{trotter::Angle{"theta", {0, 1, 2}}};
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomAngleForce& force, int particle_count);
void write(XmlWriter& xml, CustomAngleForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
