// HippoNonbondedForce: interactions of two particles, and radial functions.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/hippo/damping.hpp>
#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/common/fallback/host_kernel.hpp>
#include <trotter/units.hpp>

using namespace trotter;

namespace amoeba_hippo_pairs_test {
namespace {

using Method = HippoNonbondedForce::Method;
using Particle = HippoNonbondedForce::Particle;

// An atom with a charge, without other interactions.
Particle ion(double charge) { return {.charge = charge, .core_charge = charge, .alpha = 40}; }
HippoNonbondedForce pair_of(Particle const& one, Particle const& other) { return {.particles = {one, other}}; }
double energy_at(HippoNonbondedForce const& force, double r) {
    HostState host(Particles{.masses = {1, 1}}, Box{}, 1, 1);
    HostKernel<HippoNonbondedForce> kernel(force, host, {});
    std::vector<Vec3<>> const positions{{0, 0, 0}, {r, 0, 0}};
    std::vector<Vec3<>> forces(2);
    return kernel.compute({host, positions, forces, {}});
}

}  // namespace

TEST_CASE("HIPPO's radial functions are derivatives of each other", "[hippo]") {
    // One decay, close ones, and different ones.
    double const a = 40, b = GENERATE(40.0, 40.0001, 41.7, 45.0, 0.0), r = GENERATE(0.05, 0.2), h = 1e-5;
    CAPTURE(b, r);
    auto const check_functions = [&](auto const& functions) {
        auto const at = functions(r), low = functions(r - h), high = functions(r + h);
        for (std::size_t n = 0; n < 5; ++n)
            CHECK(at.b[n + 1] == Approx((low.b[n] - high.b[n]) / (2 * h * r)).epsilon(1e-5).margin(1e-30));
    };
    check_functions([&](double x) { return amoeba::mutual_penetration(a, b, x); });
    check_functions([&](double x) { return amoeba::penetrations(a, b, x).first; });
    check_functions([&](double x) { return amoeba::penetrations(a, b, x).second; });
    check_functions([&](double x) { return amoeba::squared_overlap(a, b, x); });
}

TEST_CASE("HIPPO's formulas for close and for different decays agree", "[hippo]") {
    double const a = 40, b = 42.5, r = GENERATE(0.03, 0.1, 0.3);
    amoeba::detail::CloseDecays<double> const close(a, b);
    CHECK(close.is_close);
    CHECK_FALSE(amoeba::detail::CloseDecays<double>(a, 43).is_close);
    using Functions = amoeba::DecayingFunctions<double>;
    auto const series = amoeba::detail::mutual_penetration_of_close(close, a, b, r),
               closed = amoeba::detail::mutual_penetration_of_different(Functions(a, r), a, Functions(b, r), b);
    // The closed formula loses three digits or more.
    for (std::size_t n = 0; n < 6; ++n) CHECK(series.b[n] == Approx(closed.b[n]).epsilon(1e-9));
}

TEST_CASE("HIPPO's electrons at one place attract a nucleus by the potential of their density", "[hippo]") {
    // In the limit r → 0: 1/r - (1/r + a/2) exp(-a r) → a/2.
    double const a = 40, r = 1e-5;
    CHECK(1 / r - amoeba::penetrations(a, a, r).first.b[0] == Approx(a / 2).epsilon(1e-3));
    // Of two electrons: 5a/16, as in the helium atom.
    CHECK(1 / r - amoeba::penetrations(a, a, r).both.b[0] == Approx(5 * a / 16).epsilon(1e-3));
}

TEST_CASE("HIPPO's interactions of two particles have known limits", "[hippo]") {
    SECTION("distant ions obey Coulomb's law") {
        CHECK(energy_at(pair_of(ion(1), ion(-2)), 3) == Approx(-2 * constants::coulomb / 3).epsilon(1e-14));
    }
    SECTION("a charge polarizes a distant atom") {
        Particle const atom{.alpha = 40, .polarizability = 0.001};
        auto force = pair_of(ion(1), atom);
        force.extrapolation_coefficients = {0, 0, 1};
        CHECK(energy_at(force, 2) == Approx(-constants::coulomb * 0.001 / (2 * 16)).epsilon(1e-12));
    }
    SECTION("dispersion") {
        Particle const atom{.alpha = 40, .c6 = 0.01};
        CHECK(energy_at(pair_of(atom, atom), 2) == Approx(-1e-4 / 64).epsilon(1e-12));
    }
    SECTION("charge transfer goes both ways") {
        Particle const one{.epsilon = 5, .damping = 30}, other{.epsilon = 3, .damping = 20};
        CHECK(energy_at(pair_of(one, other), 0.2) == Approx(-5 * std::exp(-4) - 3 * std::exp(-6)).epsilon(1e-13));
    }
    SECTION("repulsion of equal orbitals: K² Q² S²/r") {
        Particle const atom{.pauli_k = 2, .pauli_q = 3, .pauli_alpha = 40};
        double const x = 20 * 0.25, overlap = (1 + x + x * x / 3) * std::exp(-x);
        CHECK(energy_at(pair_of(atom, atom), 0.25) == Approx(4 * 9 * 64 * overlap * overlap / 0.25).epsilon(1e-12));
    }
}

TEST_CASE("HIPPO's energy is continuous where decays become close", "[hippo]") {
    auto const at = [](double alpha) {
        Particle const one{
            .charge = -1, .core_charge = 3, .alpha = 40, .c6 = 0.01, .pauli_k = 2, .pauli_q = 3, .pauli_alpha = 40};
        Particle other = one;
        other.alpha = other.pauli_alpha = alpha;
        return energy_at(pair_of(one, other), 0.15);
    };
    // Series and closed formulas meet at a ratio of about 1.065; a third difference of a smooth function is small.
    for (double const alpha : {40.0, 42.61}) {
        double const h = 0.02;
        double const third = at(alpha + 2 * h) - 2 * at(alpha + h) + 2 * at(alpha - h) - at(alpha - 2 * h);
        CHECK(std::abs(third) < 1e-7 * std::abs(at(alpha)));
    }
}

TEST_CASE("HIPPO's exceptions scale each kind of interaction", "[hippo]") {
    Particle const atom{.charge = 1,
                        .core_charge = 3,
                        .alpha = 40,
                        .epsilon = 5,
                        .damping = 30,
                        .c6 = 0.01,
                        .pauli_k = 2,
                        .pauli_q = 3,
                        .pauli_alpha = 40,
                        .polarizability = 0.001};
    auto force = pair_of(atom, atom);
    double const all = energy_at(force, 0.2);
    double sum = 0;
    // Induced dipoles depend on each other only in the field of permanent moments.
    for (auto const scale :
         {&HippoNonbondedForce::Exception::multipole_multipole_scale,
          &HippoNonbondedForce::Exception::dipole_multipole_scale, &HippoNonbondedForce::Exception::dispersion_scale,
          &HippoNonbondedForce::Exception::repulsion_scale, &HippoNonbondedForce::Exception::charge_transfer_scale}) {
        HippoNonbondedForce::Exception exception{0, 1, 0, 0, 1, 0, 0, 0};
        exception.*scale = 1;
        force.exceptions = {exception};
        double const part = energy_at(force, 0.2);
        CHECK(part != 0);
        sum += part;
    }
    CHECK(sum == Approx(all).epsilon(1e-12));
    force.exceptions = {{1, 0, 0, 0, 0, 0, 0, 0}};
    CHECK(energy_at(force, 0.2) == 0);
}

TEST_CASE("HIPPO's meshes replace direct space", "[hippo]") {
    // A finer splitting moves interactions to the mesh; no pair is near the cutoff of 1 nm.
    auto force = pair_of(ion(1), ion(-1));
    force.particles[0].c6 = force.particles[1].c6 = 0.05;
    force.method = Method::pme;
    force.cutoff_distance = 0.9;
    auto const energy = [&](double alpha) {
        force.pme = force.dispersion_pme = {alpha, 60, 60, 60};
        return energy_at(force, 0.4);
    };
    CHECK(energy(4) == Approx(energy(5)).epsilon(1e-4));
}

}  // namespace amoeba_hippo_pairs_test
