// A Coulomb force of a second kind of charge, with a reciprocal-space sum, in one header. Works on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/trotter.hpp>

/// Charges in addition to those of a NonbondedForce, with their own splitting parameter: erfc(3.5 r)/r in direct space,
/// the rest on the mesh.
struct SecondCoulombForce {
    static constexpr std::string_view name = "SecondCoulombForce";

    struct Site {
        double charge = 0;  ///< [e]
    };
    std::vector<Site> sites{};
    trotter::PairSettings pairs{.method = trotter::PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.9};
    trotter::MeshSettings mesh{.alpha = 3.5, .nx = 32, .ny = 32, .nz = 32};
    int force_group = 0;

    static constexpr auto parts = std::tuple{
        trotter::Pairs{&SecondCoulombForce::sites, &SecondCoulombForce::pairs,
                       std::array{trotter::Field{"q", &Site::charge}},
                       trotter::Expression<"138.935456*q1*q2*erfc(3.5*r)/r">{}},
        trotter::Mesh{&SecondCoulombForce::sites, &Site::charge, &SecondCoulombForce::pairs,
                      &SecondCoulombForce::mesh}};
};
