// Pairs whose forces need more precision than usual: close pairs, and pairs far from all other particles.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <random>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/atm.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/nonbonded.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace close_pairs_test {

using Catch::Matchers::Contains;
using Method = NonbondedForce::Method;

namespace {

constexpr std::size_t pairs = 80;

/// Pairs of opposite charges, some with a Lennard-Jones core.
NonbondedForce ions(Method method) {
    NonbondedForce force{.method = method, .cutoff_distance = 1.2, .pme = {.alpha = 2.5, .nx = 40, .ny = 40, .nz = 40}};
    for (std::size_t i = 0; i < 2 * pairs; ++i) force.particles.push_back({i % 2 ? 0.4 : -0.4, 0.3, i % 8 < 2 ? 0.5 : 0});
    return force;
}
/// In a cube of `extent` nm, each 0.5 pm to 0.3 nm away from its partner, or 0.3 nm with a core. Every second
/// pair is far away from pairs with adjacent indices.
Vectors positions(double extent) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> at(0, 1);
    Vectors result;
    for (std::size_t k = 0; k < pairs; ++k) {
        Vec3<> const place = Vec3<>{at(random), at(random), at(random)} * extent,
                     to = Vec3<>{at(random) - 0.5, at(random) - 0.5, at(random) - 0.5};
        double const distance = k % 4 == 0 ? 0.3 : 0.0005 * std::pow(600.0, at(random));
        result.push_back(place);
        result.push_back(place + to * (distance / norm(to)));
    }
    return result;
}
template <Force F>
void compare(TestPlatform const& platform, F const& force, Vectors const& positions, Box const& box = {}) {
    auto const expected = evaluate(reference_platform, force, positions, box),
               found = evaluate(platform, force, positions, box);
    CHECK(found.energy == Approx(expected.energy).epsilon(2e-5));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        INFO(i);
        CHECK(norm(found.forces[i] - expected.forces[i]) < 2e-5 * (norm(expected.forces[i]) + 100));
    }
}

}  // namespace

TEST_CASE("close pairs have the forces that their distance asks for on devices", "[forces][devices]") {
    auto const platform = each_platform();
    if (!platform.is_on_device) return;
    for (double const extent : {5.0, 300.0, 20'000.0}) {
        INFO(extent);
        compare(platform, ions(Method::no_cutoff), positions(extent));
    }
}

TEST_CASE("a state whose particles nearly meet counts fully in an alchemical transfer on devices", "[forces][devices]") {
    auto const platform = each_platform();
    if (!platform.is_on_device) return;
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::pme}) {
        ATMForce force{.energy = RuntimeExpression("u0 + 0.25*(u1-u0)"), .particles = std::vector<Displacement>(2 * pairs)};
        force.forces->add(ions(method));
        for (std::size_t i = 0; i < 2 * pairs; i += 5) force.particles[i] = FixedDisplacement{{40, 0, 0}, {}};
        compare(platform, force, positions(6), Box::rectangular(6, 6, 6));
    }
}

TEST_CASE("forces beyond what a device can add up are refused, and never wrap", "[forces][devices]") {
    auto const platform = each_platform();
    auto const with = [&](std::vector<double> const& forces) {
        StandardSystem system;
        system.add_particle(1);
        system.add_particle(1);
        for (double const force : forces)
            system.add(CustomExternalForce{.energy = RuntimeExpression("-x*(" + std::to_string(force) + ")"), .affected = {{1, {}}}});
        return context_of(platform, system, {{0, 0, 0}, {0, 0, 0}});
    };
    auto within = with({5e8, 4e8});
    CHECK(evaluation(within).forces[1].x == Approx(9e8).epsilon(platform.term_rounding));
    for (std::vector<double> const& forces :
         {std::vector{3e9}, std::vector{9e8, 9e8}, std::vector{9e8, 9e8, 9e8, 9e8, 9e8}, std::vector<double>(30, 1.5e8)}) {
        auto context = with(forces);
        if (!platform.is_on_device) {
            CHECK(evaluation(context).forces[1].x == Approx(static_cast<double>(forces.size()) * forces[0]));
            continue;
        }
        CHECK_THROWS_WITH(context.state(Forces),
                          Contains("the force on particle 1 is not a finite number within the 10^9 kJ/mol/nm"));
        CHECK_THROWS_WITH(context.step(1), Contains("the force on particle 1 is not a finite number within the 10^9"));
    }
}

}  // namespace close_pairs_test
