// Angles by a formula of the run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/runtime_statement.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>

namespace trotter {

/// Triples of particles whose energy is a formula of the angle theta at the middle one [radian, 0 to pi], of each
/// angle's numbers, and of parameters of the Context. A Context throws InputError for a name in the formula that
/// nothing stands for.
struct CustomAngleForce {
    static constexpr std::string_view name = "CustomAngleForce";

    struct Angle {
        int particle1 = 0, particle2 = 0, particle3 = 0;
        std::vector<double> parameters{};  ///< in the order of `parameter_names`
    };
    RuntimeExpression energy{};                  ///< [kJ/mol]
    std::vector<std::string> parameter_names{};  ///< of each angle
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<Angle> angles{};
    int force_group = 0;
    bool periodic = false;  ///< take the nearest periodic image of each difference
    std::string label{name};

    static constexpr auto terms = &CustomAngleForce::angles;
    static constexpr std::string_view terms_name = "Angles", term_name = "Angle";
    static constexpr auto particles = std::array{&Angle::particle1, &Angle::particle2, &Angle::particle3};
    static constexpr auto variables = std::array{trotter::Angle{"theta", {0, 1, 2}}};
};

void read(XmlNode const& node, CustomAngleForce& force, int particle_count);
void write(XmlWriter& xml, CustomAngleForce const& force);

}  // namespace trotter
