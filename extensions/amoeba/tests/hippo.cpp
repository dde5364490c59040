// HippoNonbondedForce: values of OpenMM 8.6, gradients, threads, and updates.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>

#include "hippo_molecules.hpp"
#include "simulation.hpp"

using namespace trotter;

namespace amoeba_hippo_test {
namespace {

using Catch::Matchers::Contains;
using Vectors = std::vector<Vec3<>>;
using namespace hippo_test;

struct Simulated : KernelSimulation<HippoNonbondedForce> {
    explicit Simulated(HippoNonbondedForce const& force, Box const& box = skewed, int threads = 1)
        : KernelSimulation(force, force.particles.size(), box, threads) {}
};

Particle particle_of(int kind) {
    return {.core_charge = 1.0 + 2 * kind,
            .alpha = 34.0 + 5 * kind,
            .epsilon = 2.0 + kind,
            .damping = 30.0 + 3 * kind,
            .c6 = 0.003 + 0.004 * kind,
            .pauli_k = 1.0 + 0.5 * kind,
            .pauli_q = 1.0 + kind,
            .pauli_alpha = 33.0 + 6 * kind,
            .polarizability = 0.0003 + 0.0002 * kind};
}
HippoNonbondedForce molecules(int count, std::vector<AxisType> const& types, Method method = Method::no_cutoff) {
    return molecules_of(count, types, method, particle_of);
}
double root_mean_square(Vectors const& forces) {
    double sum = 0;
    for (auto const& force : forces) sum += dot(force, force);
    return std::sqrt(sum / static_cast<double>(3 * forces.size()));
}
// The largest difference of a force from the negative slope of the energy along a direction, over the forces' size.
double error_of_gradient(HippoNonbondedForce const& force, Vectors const& positions) {
    Simulated simulated(force);
    simulated.energy(positions);
    auto const forces = simulated.forces;
    std::mt19937 generator(3);
    double worst = 0;
    for (int sample = 0; sample < 3; ++sample) {
        Vectors low = positions, high = positions;
        double expected = 0;
        constexpr double step = 1e-5;  // rounding and the third derivative both contribute about 1e-8
        double const length = std::sqrt(static_cast<double>(positions.size()));
        for (std::size_t i = 0; i < positions.size(); ++i) {
            auto uniform = [&] { return (static_cast<double>(generator()) / 0x1p32 - 0.5) / length; };
            Vec3<> const direction{uniform(), uniform(), uniform()};
            low[i] -= direction * step, high[i] += direction * step;
            expected += dot(forces[i], direction);
        }
        double const slope = (simulated.energy(low) - simulated.energy(high)) / (2 * step);
        worst = std::max(worst, std::abs(slope - expected));
    }
    return worst / root_mean_square(forces);
}
std::vector<AxisType> const common_types{AxisType::z_then_x, AxisType::bisector};

}  // namespace

TEST_CASE("HIPPO's molecules have OpenMM's energies and forces", "[hippo]") {
    auto const positions = places(9);
    SECTION("without cutoff") {
        Simulated simulated(molecules(9, common_types));
        CHECK(simulated.energy(positions) == Approx(4241.109690285402).epsilon(1e-11));
        CHECK(simulated.forces[7].y == Approx(-3891.583086749114).epsilon(1e-10));
        auto const dipoles = simulated.kernel.answer();
        CHECK(dipoles.induced[7].y == Approx(0.007494909520030381).epsilon(1e-10));
        CHECK(dipoles.permanent[7].y == Approx(-0.0033666751019684536).epsilon(1e-12));
    }
    SECTION("with meshes, where the switching function does not act: OpenMM's forces lack part of its slope") {
        auto force = molecules(9, common_types, Method::pme);
        force.switching_distance = 1;
        Simulated simulated(force);
        CHECK(simulated.energy(positions) == Approx(4239.495337428279).epsilon(1e-11));
        CHECK(simulated.forces[7].y == Approx(-3891.2508129464977).epsilon(1e-10));
        CHECK(simulated.kernel.answer().induced[7].y == Approx(0.0074328928684389665).epsilon(1e-10));
        CHECK(simulated.kernel.meshes().pme.ny == 25);
        CHECK(simulated.kernel.meshes().ljpme.alpha == 3.3);
    }
    SECTION("with meshes chosen from the tolerance, a net charge, and the switching function") {
        auto force = molecules(9, {AxisType::z_bisect, AxisType::three_fold}, Method::pme);
        force.pme = force.dispersion_pme = {};
        force.particles[4].charge += 1;
        force.extrapolation_coefficients = {0.1, 0.2, 0.3, 0.4};
        Simulated simulated(force);
        CHECK(simulated.energy(positions) == Approx(4156.181133222739).epsilon(1e-11));
        CHECK(simulated.kernel.meshes().pme.nx == 34);
    }
}

TEST_CASE("HIPPO's forces are the gradient of its energy", "[hippo]") {
    auto const type = GENERATE(AxisType::z_then_x, AxisType::bisector, AxisType::z_bisect, AxisType::three_fold,
                               AxisType::z_only, AxisType::none);
    auto const method = GENERATE(Method::no_cutoff, Method::pme);
    CAPTURE(type, method);
    auto const positions = places(5);
    CHECK(error_of_gradient(molecules(5, {type}, method), positions) < 1e-6);
}

TEST_CASE("HIPPO's forces are the gradient for any number of orders and for close decays", "[hippo]") {
    auto force = molecules(5, common_types, Method::pme);
    auto const count = GENERATE(0, 1, 2, 5);
    force.extrapolation_coefficients.resize(static_cast<std::size_t>(count), 0.3);
    for (std::size_t i = 0; i < force.particles.size(); i += 2)
        force.particles[i].alpha = 34.1, force.particles[i].pauli_alpha = 39.000001;
    CHECK(error_of_gradient(force, places(5)) < 1e-6);
}

TEST_CASE("HIPPO's results do not depend on threads", "[hippo]") {
    auto const force = molecules(12, common_types, GENERATE(Method::no_cutoff, Method::pme));
    auto const positions = places(12);
    Simulated one(force), three(force, skewed, 3);
    CHECK(one.energy(positions) == three.energy(positions));
    CHECK(one.forces == three.forces);
    auto moved = positions;
    moved[3].x += 1e-3;
    one.energy(moved);
    CHECK(one.energy(positions) == three.energy(positions));  // nor on older neighbor lists
}

TEST_CASE("HIPPO survives coinciding, infinite and missing positions", "[hippo]") {
    auto const force = molecules(6, {AxisType::z_then_x, AxisType::z_only}, GENERATE(Method::no_cutoff, Method::pme));
    Simulated simulated(force);
    for (double const value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300, -1e18}) {
        auto positions = places(6);
        positions[3].y = value;
        CHECK_NOTHROW(simulated.energy(positions));
    }
    auto positions = places(6);
    positions[3] = positions[4] = positions[20];
    CHECK_NOTHROW(simulated.energy(positions));
}

TEST_CASE("HIPPO's parameters can be updated", "[hippo]") {
    auto force = molecules(4, common_types, Method::pme);
    auto const positions = places(4);
    Simulated simulated(force);
    simulated.energy(positions);
    force.particles[3].charge = 0.5;
    force.exceptions[2].repulsion_scale = 0.9;
    simulated.kernel.update(force, simulated.host);
    Simulated fresh(force);
    CHECK(simulated.energy(positions) == fresh.energy(positions));
    auto changed = force;
    changed.cutoff_distance = 0.7;
    CHECK_THROWS_WITH(simulated.kernel.update(changed, simulated.host), Contains("has changed"));
    changed = force;
    changed.extrapolation_coefficients = {1};
    CHECK_THROWS_WITH(simulated.kernel.update(changed, simulated.host), Contains("coefficients have changed"));
    changed = force;
    changed.exceptions.pop_back();
    CHECK_THROWS_WITH(simulated.kernel.update(changed, simulated.host), Contains("exceptions, expected"));
    changed = force;
    changed.particles[0].alpha = -1;
    CHECK_THROWS_WITH(simulated.kernel.update(changed, simulated.host), Contains("particle 0: alpha is -1"));
    CHECK(simulated.energy(positions) == fresh.energy(positions));
}

TEST_CASE("HIPPO's virial is refused", "[hippo]") {
    Simulated simulated(molecules(2, common_types, Method::pme));
    simulated.host.box_virial = Tensor{};
    CHECK_THROWS_WITH(simulated.energy(places(2)), Contains("virial"));
}

}  // namespace amoeba_hippo_test
