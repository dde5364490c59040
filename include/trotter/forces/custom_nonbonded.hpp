// A sum over pairs by a formula that is given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/pair_settings.hpp>

namespace trotter {

/// Pairs that interact by any formula. A Context throws InputError for names and numbers that make no sense.
struct CustomNonbondedForce {
    static constexpr std::string_view name = "CustomNonbondedForce";

    /// [kJ/mol], of the distance `r` [nm], of the particles' parameters with 1 or 2 behind the name, and of global
    /// parameters. It must not change when the two particles are exchanged.
    RuntimeExpression energy;
    std::vector<std::string> parameter_names;    ///< of each particle
    std::vector<std::vector<double>> particles;  ///< values of the parameters
    std::vector<GlobalParameter> global_parameters;
    std::vector<std::string> energy_parameter_derivatives;  ///< global parameters by which derivatives are wanted
    PairSettings pairs;
    int force_group = 0;
    std::string label{name};

    static constexpr auto sites = &CustomNonbondedForce::particles;

    void check() const {
        for (std::size_t n = 0; n < parameter_names.size(); ++n)
            for (std::size_t k = 0; k < n; ++k)
                if (parameter_names[k] == parameter_names[n])
                    throw InputError("parameters " + std::to_string(k) + " and " + std::to_string(n)
                                     + " of particles have the same name '" + parameter_names[n] + "'");
    }
};

}  // namespace trotter
