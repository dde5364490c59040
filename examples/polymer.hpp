// A bead-spring polymer in one header: bonds, pairs and a global parameter. Works on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/trotter.hpp>

/// Springs of finite extension (FENE) between neighbors of a chain, and beads that repel each other (WCA):
/// K. Kremer and G. S. Grest, J. Chem. Phys. 92, 5057 (1990).
struct BeadSpringForce {
    static constexpr std::string_view name = "BeadSpringForce";

    struct Bond {
        int particle1 = 0, particle2 = 0;
        double k = 30;         ///< stiffness [kJ/mol/nm²]
        double longest = 1.5;  ///< [nm]
    };
    struct Bead {
        double epsilon = 1;  ///< [kJ/mol]
    };
    std::vector<Bond> bonds{};
    std::vector<Bead> beads{};
    trotter::PairSettings pairs{.method = trotter::PairSettings::Method::cutoff_periodic,
                                .cutoff_distance = 1.122462048309373};  // 2^(1/6): where beads of 1 nm touch
    std::vector<trotter::GlobalParameter> global_parameters{{"repulsion", 1}};
    std::vector<std::string> energy_parameter_derivatives{"repulsion"};
    int force_group = 0;
    bool periodic = true;  ///< bonds take the nearest image

    static constexpr auto parts = std::tuple{
        trotter::Terms{&BeadSpringForce::bonds, std::array{&Bond::particle1, &Bond::particle2},
                       std::array{trotter::Distance{"r", {0, 1}}},
                       std::array{trotter::Field{"k", "k", &Bond::k, trotter::Valid::positive},
                                  trotter::Field{"longest", "longest", &Bond::longest, trotter::Valid::positive}},
                       trotter::Expression<"-k/2*longest^2*log(1 - (r/longest)^2)">{}, true},
        trotter::Pairs{&BeadSpringForce::beads, &BeadSpringForce::pairs,
                       std::array{trotter::Field{"epsilon", "epsilon", &Bead::epsilon, trotter::Valid::not_negative}},
                       trotter::Expression<"repulsion*sqrt(epsilon1*epsilon2)*(4*(1/r^12 - 1/r^6) + 1)">{}}};
};
