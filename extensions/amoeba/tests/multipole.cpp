// AmoebaMultipoleForce: values computed by hand and of OpenMM 8.6, gradients, conservation, and threads.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <trotter/units.hpp>

#include "multipole_molecules.hpp"

namespace amoeba_multipole_test {
namespace {

std::vector<Axis> const all_axes{Axis::z_then_x,   Axis::bisector, Axis::z_bisect,
                                 Axis::three_fold, Axis::z_only,   Axis::none};
// Those for which OpenMM's forces are the gradient, with an axial z_only.
std::vector<Axis> const openmm_axes{Axis::z_then_x, Axis::bisector, Axis::z_bisect,
                                    Axis::z_only,   Axis::none,     Axis::z_then_x};
std::vector<Polarization> const polarizations{Polarization::mutual, Polarization::direct, Polarization::extrapolated};

// Largest error of the forces along one direction of each particle, by fourth-order differences.
double gradient_error(Simulated& simulated, Vectors const& positions) {
    simulated.energy(positions);
    Vectors const forces = simulated.forces;
    Numbers numbers(3);
    double worst = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const direction = numbers.vector();
        auto energy = [&](double shift) {
            auto moved = positions;
            moved[i] += direction * shift;
            return simulated.energy(moved);
        };
        double const h = 1e-4;
        double const slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
        worst = std::max(worst, std::abs(dot(forces[i], direction) + slope));
    }
    return worst;
}
double largest(Vectors const& vectors) {
    double result = 0;
    for (auto const& v : vectors) result = std::max(result, norm(v));
    return result;
}
AmoebaMultipoleForce sites(std::vector<Multipole> const& multipoles, Polarization polarization = Polarization::direct) {
    return {.multipoles = multipoles, .polarization = polarization};
}
double energy_at(AmoebaMultipoleForce const& force, double r) {
    Simulated simulated(force);
    return simulated.energy({{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3 + r}});
}

}  // namespace

TEST_CASE("multipoles of two sites, by hand", "[amoeba][multipole]") {
    double const k = constants::coulomb, r = 0.4, q = 0.3, mu = 0.02, t = 0.001;
    Multipole const charge{.charge = q}, dipole{.dipole = {0, 0, mu}},
        quadrupole{.quadrupole = {-t, 0, 0, 0, -t, 0, 0, 0, 2 * t}};
    CHECK(energy_at(sites({charge, charge}), r) == Approx(k * q * q / r).epsilon(1e-14));
    CHECK(energy_at(sites({charge, dipole}), r) == Approx(-k * q * mu / (r * r)).epsilon(1e-14));
    CHECK(energy_at(sites({dipole, dipole}), r) == Approx(-2 * k * mu * mu / (r * r * r)).epsilon(1e-14));
    CHECK(energy_at(sites({charge, quadrupole}), r) == Approx(6 * k * q * t / (r * r * r)).epsilon(1e-14));
    CHECK(energy_at(sites({quadrupole, quadrupole}), r) == Approx(36 * 6 * k * t * t / std::pow(r, 5)).epsilon(1e-13));
}

TEST_CASE("induced dipoles of two sites, by hand", "[amoeba][multipole]") {
    double const k = constants::coulomb, r = 0.4, q = 0.3, alpha = 0.001;
    Multipole const charge{.charge = q}, atom{.polarizability = alpha};
    CHECK(energy_at(sites({charge, atom}), r) == Approx(-k * alpha * q * q / (2 * std::pow(r, 4))).epsilon(1e-14));
    Multipole smeared_charge = charge, smeared_atom = atom;
    smeared_charge.thole = 0.5, smeared_atom.thole = 0.39;  // the smaller one counts
    smeared_charge.damping = 0.5, smeared_atom.damping = 0.6;
    double const damped = 1 - std::exp(-0.39 * std::pow(r / 0.3, 3));
    CHECK(energy_at(sites({smeared_charge, smeared_atom}), r)
          == Approx(-k * alpha * q * q / (2 * std::pow(r, 4)) * damped * damped).epsilon(1e-14));
    // Two polarizable charges: μ = α (q/r² + 2 μ/r³) of each.
    Multipole both = charge;
    both.polarizability = alpha;
    auto force = sites({both, both}, Polarization::mutual);
    force.mutual_target_epsilon = 1e-13;
    double const mu = alpha * q / (r * r) / (1 - 2 * alpha / std::pow(r, 3) * -1);
    CHECK(energy_at(force, r) == Approx(k * (q * q / r - mu * q / (r * r))).epsilon(1e-13));
    force.polarization = Polarization::extrapolated;
    force.extrapolation_coefficients = {0, 0, 1};  // sum of three orders
    double const x = -2 * alpha / std::pow(r, 3), series = alpha * q / (r * r) * (1 + x + x * x);
    CHECK(energy_at(force, r) == Approx(k * (q * q / r - series * q / (r * r))).epsilon(1e-13));
}

TEST_CASE("multipole energies and forces of OpenMM 8.6", "[amoeba][multipole]") {
    struct Expected {
        double nothing, mesh, solvent;
        Vec3<> force;
    };
    std::vector<Expected> const expected{
        {-21.640866016978, -21.699736604026, -80.22327235973, {-0.4843027109, 4.1196027978, 2.3505895593}},
        {-22.142717316766, -22.208525425347, -81.8084473718, {-0.37702014252, 5.0797379209, 2.8043778998}},
        {-21.617166046623, -21.67532794541, -80.279893943128, {-0.46877920876, 4.02872049, 2.3280922995}}};
    auto const positions = places(4);
    for (std::size_t n = 0; n < 3; ++n) {
        // OpenMM's dipoles had an rms error of 1e-9 D. Its PME has a factor 0.6 in single precision.
        auto force = molecules(4, openmm_axes, polarizations[n]);
        Simulated alone(force);
        CHECK(alone.energy(positions) == Approx(expected[n].nothing).epsilon(1e-9));
        CHECK(norm(alone.forces[3] - expected[n].force) < 1e-7);
        force.solvent = solvent_of(force);
        CHECK(Simulated(force).energy(positions) == Approx(expected[n].solvent).epsilon(1e-9));
        force.solvent.reset();
        force.method = Method::pme;
        CHECK(Simulated(force).energy(positions) == Approx(expected[n].mesh).epsilon(1e-8));
    }
    auto force = molecules(4, openmm_axes, Polarization::direct);
    force.solvent = solvent_of(force);
    force.solvent->tanh_rescaling = true;
    force.solvent->descreen_offset = 0.03;
    for (auto& particle : force.solvent->particles) particle.neck_factor = 0.5, particle.descreen_radius *= 1.1;
    Simulated simulated(force);
    CHECK(simulated.energy(positions) == Approx(-65.657585572333).epsilon(1e-13));
    CHECK(norm(simulated.forces[3] - Vec3<>{-11.097302574, -103.41716434, 44.671409501}) < 1e-7);
}

TEST_CASE("multipole forces are the gradient for each frame and polarization", "[amoeba][multipole]") {
    auto const positions = places(3);
    for (auto const axis : all_axes)
        for (auto const polarization : polarizations)
            for (auto const method : {Method::no_cutoff, Method::pme}) {
                INFO("axis " << static_cast<int>(axis) << ", polarization " << static_cast<int>(polarization)
                             << ", method " << static_cast<int>(method));
                Simulated simulated(molecules(3, {axis}, polarization, method));
                CHECK(gradient_error(simulated, positions) < 3e-6);  // of about 100: rounding, h⁴
            }
}

TEST_CASE("multipole forces are the gradient with implicit solvent", "[amoeba][multipole]") {
    auto const positions = places(3);
    for (auto const polarization : polarizations)
        for (bool const has_corrections : {false, true}) {
            auto force = molecules(3, all_axes, polarization);
            force.solvent = solvent_of(force);
            force.solvent->tanh_rescaling = has_corrections;
            if (has_corrections)
                for (auto& particle : force.solvent->particles) particle.neck_factor = 0.7, particle.scale_factor = 0.9;
            Simulated simulated(force);
            CHECK(gradient_error(simulated, positions) < 3e-6);
        }
}

TEST_CASE("multipole forces conserve momentum and angular momentum", "[amoeba][multipole]") {
    auto const positions = places(8);
    std::vector<Axis> const axes{Axis::z_then_x, Axis::bisector, Axis::z_bisect, Axis::three_fold};
    for (bool const has_solvent : {false, true}) {
        auto force = molecules(8, axes);
        if (has_solvent) force.solvent = solvent_of(force);
        Simulated simulated(force);
        double const energy = simulated.energy(positions);
        Vec3<> sum{}, torque{};
        for (std::size_t i = 0; i < positions.size(); ++i) {
            sum += simulated.forces[i];
            torque += cross(positions[i], simulated.forces[i]);
        }
        CHECK(norm(sum) < 1e-9);
        CHECK(norm(torque) < 1e-7);  // a residual of 1e-11 D
        auto turned = positions;
        for (auto& x : turned) x = {x.y, x.z, x.x};
        CHECK(simulated.energy(turned) == Approx(energy).epsilon(1e-12));
    }
}

TEST_CASE("chiral sites are mirrored with their molecule", "[amoeba][multipole]") {
    auto force = molecules(2, {Axis::z_then_x}, Polarization::direct);
    for (std::size_t i = 0; i < force.multipoles.size(); ++i)
        force.multipoles[i].y_particle = static_cast<int>(i - i % 5 + (i + 3) % 5);
    Simulated simulated(force);
    auto positions = places(2);
    double const energy = simulated.energy(positions);
    for (auto& x : positions) x.x = -x.x;
    CHECK(simulated.energy(positions) == Approx(energy).epsilon(1e-12));
}

TEST_CASE("frames of linear molecules", "[amoeba][multipole]") {
    // A quadrupole along a line of three sites, and a charge beside it.
    double const k = constants::coulomb, t = 0.001, q = 0.3, r = 0.5;
    AmoebaMultipoleForce force{.multipoles = std::vector<Multipole>(4), .polarization = Polarization::direct};
    force.multipoles[0] = {
        .quadrupole = {-t, 0, 0, 0, -t, 0, 0, 0, 2 * t}, .axis = Axis::z_then_x, .z_particle = 1, .x_particle = 2};
    force.multipoles[3].charge = q;
    Simulated simulated(force);
    Vectors const positions{{0, 0, 0}, {0.1, 0, 0}, {-0.1, 0, 0}, {0, r, 0}};
    CHECK(simulated.energy(positions) == Approx(-3 * k * q * t / (r * r * r)).epsilon(1e-14));
    Vectors const turned{{0, 0, 0}, {0.06, 0.05, 0.04}, {-0.12, -0.1, -0.08}, {0.5, -0.6, 0}};
    double const distance = std::sqrt(0.61);
    CHECK(simulated.energy(turned) == Approx(-3 * k * q * t / std::pow(distance, 3)).epsilon(1e-14));
    CHECK(std::all_of(simulated.forces.begin(), simulated.forces.end(), [](auto const& f) { return is_finite(f); }));
}

TEST_CASE("multipole results do not depend on the number of threads", "[amoeba][multipole]") {
    auto const positions = places(27, 3);
    for (auto const method : {Method::no_cutoff, Method::pme}) {
        auto force = molecules(27, all_axes, Polarization::mutual, method);
        if (method == Method::no_cutoff) force.solvent = solvent_of(force);
        Simulated one(force, skewed, 1), three(force, skewed, 3);
        CHECK(one.energy(positions) == three.energy(positions));
        CHECK(one.forces == three.forces);
        CHECK(largest(one.forces) > 1);
    }
}

TEST_CASE("multipoles at positions that are not finite", "[amoeba][multipole]") {
    for (auto const method : {Method::no_cutoff, Method::pme})
        for (double const bad :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
            auto positions = places(3);
            positions[4].y = bad;
            Simulated simulated(molecules(3, all_axes, Polarization::mutual, method));
            double const energy = simulated.energy(positions);
            if (bad != 1e300) CHECK(!std::isfinite(energy));
        }
}

}  // namespace amoeba_multipole_test
