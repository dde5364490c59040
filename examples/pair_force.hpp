// A pair force in one header: parameters and formula. Works on every backend and in files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/trotter.hpp>

/// Soft-core Lennard-Jones, which vanishes as lambda goes to 0:
/// T. C. Beutler et al., Chem. Phys. Lett. 222, 529 (1994).
struct FadingForce {
    static constexpr std::string_view name = "FadingForce";

    struct Particle {
        double sigma = 1;    ///< size [nm]
        double epsilon = 0;  ///< depth [kJ/mol]
    };
    std::vector<Particle> particles{};
    trotter::PairSettings pairs{};  ///< cutoff, switching function, exclusions
    std::vector<trotter::GlobalParameter> global_parameters{{"lambda", 1}};
    std::vector<std::string> energy_parameter_derivatives{"lambda"};
    int force_group = 0;

    static constexpr auto sites = &FadingForce::particles;
    static constexpr auto fields =
        std::tuple{trotter::Field{"sigma", "sigma", &Particle::sigma, trotter::Valid::positive},
                   trotter::Field{"epsilon", "epsilon", &Particle::epsilon, trotter::Valid::not_negative}};
    static constexpr trotter::Expression<
        "4*lambda*sqrt(epsilon1*epsilon2)*(1/u^2 - 1/u);"
        "u = (1-lambda)^2/2 + (r/s)^6; s = (sigma1+sigma2)/2">
        energy{};
};
