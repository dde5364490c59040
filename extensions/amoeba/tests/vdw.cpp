// AmoebaVdwForce: values of OpenMM 8.6, gradients, virials, updates.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/amoeba/vdw/neighbor_list.hpp>
#include <trotter/amoeba/vdw/pair_energy.hpp>
#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/reference.hpp>

#include "simulation.hpp"
#include "vdw_formula.hpp"
#include "vdw_molecules.hpp"

using namespace trotter;

namespace amoeba_vdw_test {
namespace {

using Catch::Matchers::Contains;
using Vectors = std::vector<Vec3<>>;

Box const skewed{{2.2, 0, 0}, {0.7, 2.2, 0}, {-0.8, 0.9, 2.2}};

struct Simulated : KernelSimulation<AmoebaVdwForce> {
    explicit Simulated(AmoebaVdwForce const& force, Box const& box = cube, int threads = 1)
        : KernelSimulation(force, force.particles.size(), box, threads) {}
};

double energy_at(AmoebaVdwForce const& force, double r, double lambda = 1) {
    Simulated simulated(force);
    simulated.host.parameters.set(AmoebaVdwForce::lambda, lambda);
    return simulated.energy({{0, 0, 0}, {r, 0, 0}});
}

Vectors places(int count, Box const& box) {
    std::mt19937 generator(3);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32; };
    Vectors positions;
    for (int n = 0; n < count; ++n) {
        double const a = (n % 4 + 0.2 * uniform()) / 4, b = (n / 4 % 4 + 0.2 * uniform()) / 4, c = n / 16 / 4.0;
        Vec3<> const heavy = box.a * (a + n % 3) + box.b * b + box.c * c;
        positions.insert(positions.end(),
                         {heavy, heavy + Vec3<>{0.05, 0.08, 0.02 * uniform()}, heavy - Vec3<>{0.08, 0, 0.05}});
    }
    return positions;
}

// A fourth-order difference quotient.
double slope_of(std::function<double(double)> const& f, double h) {
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}
double gradient_error(Simulated& simulated, Vectors const& positions) {
    simulated.energy(positions);
    auto const forces = simulated.forces;
    double largest = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto energy = [&](double shift) {
                auto moved = positions;
                moved[i][axis] += shift;
                return simulated.energy(moved);
            };
            double const error = std::abs(forces[i][axis] + slope_of(energy, 1e-4));
            largest = error <= largest ? largest : error;
        }
    return largest;
}

}  // namespace

TEST_CASE("combining rules of AMOEBA's van der Waals force", "[amoeba]") {
    struct Row {
        SigmaRule sigma;
        EpsilonRule epsilon;
        double buffered, lennard_jones;
    };
    // Computed with OpenMM 8.6.
    std::vector<Row> const rows{
        {SigmaRule::arithmetic, EpsilonRule::arithmetic, 31.40299106857067, 296.3603265878658},
        {SigmaRule::arithmetic, EpsilonRule::geometric, 28.372850605316625, 267.763897179718},
        {SigmaRule::arithmetic, EpsilonRule::harmonic, 25.635094749853618, 241.92679721458438},
        {SigmaRule::arithmetic, EpsilonRule::waldman_hagler, 24.600342523194836, 232.16150106300114},
        {SigmaRule::arithmetic, EpsilonRule::hhg, 26.934581895591553, 254.19048362798043},
        {SigmaRule::geometric, EpsilonRule::hhg, 25.957362869105268, 241.40989306863293},
        {SigmaRule::cubic_mean, EpsilonRule::hhg, 31.051857809850397, 311.00240367372044}};
    for (auto const& [sigma, epsilon, buffered, lennard_jones] : rows) {
        CHECK(energy_at(pair_of(sigma, epsilon), 0.35) == Approx(buffered).epsilon(1e-13));
        CHECK(energy_at(pair_of(sigma, epsilon, Potential::lennard_jones), 0.35)
              == Approx(lennard_jones).epsilon(1e-13));
    }
    auto force = pair_of();
    force.particles[0].epsilon = 0;
    for (auto const rule :
         {EpsilonRule::geometric, EpsilonRule::harmonic, EpsilonRule::waldman_hagler, EpsilonRule::hhg}) {
        force.epsilon_rule = rule;
        CHECK(energy_at(force, 0.35) == 0);
    }
}

TEST_CASE("softened and scaled pairs of AMOEBA's van der Waals force", "[amoeba]") {
    double const full = energy_at(pair_of(), 0.35), softened = 2.2189047080907627;  // OpenMM 8.6
    auto force = pair_of();
    force.softcore_power = 3;
    force.softcore_alpha = 0.4;
    auto energy = [&](Alchemy alchemy, bool first, bool second) {
        force.alchemy = alchemy;
        force.particles[0].is_alchemical = first;
        force.particles[1].is_alchemical = second;
        return Approx(energy_at(force, 0.35, 0.6)).epsilon(1e-13);
    };
    CHECK(full == energy(Alchemy::none, true, false));
    CHECK(full == energy(Alchemy::decouple, false, false));
    CHECK(full == energy(Alchemy::decouple, true, true));
    CHECK(softened == energy(Alchemy::decouple, false, true));
    CHECK(softened == energy(Alchemy::annihilate, true, false));
    CHECK(softened == energy(Alchemy::annihilate, true, true));
    CHECK(energy_at(force, 0.35, 0) == 0);
    force = pair_of();
    force.particles[0].scale = 0.5;
    force.particles[1].scale = 0.4;
    CHECK(energy_at(force, 0.35) == Approx(0.2 * full).epsilon(1e-13));
}

TEST_CASE("types of AMOEBA's van der Waals force and their dispersion correction", "[amoeba]") {
    auto force = pair_of();
    force.method = Method::cutoff_periodic;
    force.cutoff_distance = 0.7;
    // The pair is beyond the cutoff; volume 27 nm³. OpenMM's own rounding is 1e-9.
    CHECK(energy_at(force, 1.4) == Approx(-0.016461025240752693).epsilon(2e-9));
    force.potential = Potential::lennard_jones;
    CHECK(energy_at(force, 1.4) == Approx(-0.040330216042687266).epsilon(2e-9));
    force.potential = Potential::buffered_14_7;
    force.use_types = true;
    force.types = {{0.3, 0.5}, {0.25, 0.2}};
    force.particles[0].type = 0;
    force.particles[1].type = 1;
    CHECK(energy_at(force, 1.4) == Approx(-0.016461025240752693).epsilon(2e-9));
    force.type_pairs = {{0, 1, 0.4, 0.6}};
    CHECK(energy_at(force, 1.4) == Approx(-0.011226738599122864).epsilon(2e-9));
    force.type_pairs.push_back({1, 0, 0.3, 0.3});
    CHECK(energy_at(force, 1.4) == Approx(-0.00984418748539877).epsilon(2e-9));
    force.use_dispersion_correction = false;
    CHECK(energy_at(force, 1.4) == 0);
}

TEST_CASE("the dispersion correction makes up for the cutoff", "[amoeba]") {
    auto force = pair_of();
    force.method = Method::cutoff_periodic;
    force.cutoff_distance = 0.7;
    double const taper_begin = 0.63, step = 1e-4;  // integrals to 20 nm, as in OpenMM
    double integral = 0;
    amoeba::Taper<double> const taper(0.7);
    double const sigma[] = {0.6, 2 * (0.027 + 0.015625) / (0.09 + 0.0625), 0.5}, weight[] = {1, 2, 1};
    double const epsilon[] = {0.5, 0.4 / std::pow(std::sqrt(0.5) + std::sqrt(0.2), 2), 0.2};
    for (double r = taper_begin + step / 2; r < 20; r += step)
        for (int n = 0; n < 3; ++n) {
            auto const whole = amoeba::buffered_14_7(r, 1 / sigma[n], epsilon[n], 0.0);
            integral += weight[n] * 2 * 3.141592653589793 * r * r * step
                        * (whole.energy - (r < 0.7 ? taper(whole, r).energy : 0));
        }
    CHECK(energy_at(force, 1.4) == Approx(integral / 27).epsilon(1e-4));
}

TEST_CASE("pairs of AMOEBA's van der Waals force are chosen by particles, with energies by sites", "[amoeba]") {
    AmoebaVdwForce force{.particles = {{.parent = 0, .sigma = 0.3, .epsilon = 0.5, .exclusions = {1}},
                                       {.parent = 1, .sigma = 0.1, .epsilon = 0, .exclusions = {2}},
                                       {.parent = 1, .sigma = 0.3, .epsilon = 0.5, .reduction = -0.5}},
                         .method = Method::cutoff_periodic, .cutoff_distance = 0.9, .use_dispersion_correction = false};
    auto energy = [&](double particle, double parent) {
        return Simulated(force).energy({{0, 0, 0}, {parent, 0, 0}, {particle, 0, 0}});
    };
    // OpenMM 8.6: sites at 0.8 and 0.98; then a particle beyond the cutoff
    CHECK(energy(0.89, 0.83) == Approx(-0.1387944179449577).epsilon(1e-12));
    CHECK(energy(0.89, 0.95) == Approx(0.7474007334650214).epsilon(1e-12));
    CHECK(energy(0.91, 0.85) == 0);
}

TEST_CASE("gradients of AMOEBA's van der Waals force", "[amoeba]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic})
        for (auto const potential : {Potential::buffered_14_7, Potential::lennard_jones}) {
            auto force = molecules(20, method);
            force.potential = potential;
            Simulated simulated(force, skewed);
            simulated.host.parameters.set(AmoebaVdwForce::lambda, 0.7);
            auto const positions = places(20, skewed);
            // Pairs that enter or leave the cutoff while particles are moved would change the energy by a step: none
            // does.
            CHECK(gradient_error(simulated, positions) < 1e-6);
        }
}

TEST_CASE("virial of AMOEBA's van der Waals force", "[amoeba]") {
    auto const force = molecules(20, Method::cutoff_periodic);
    Simulated simulated(force, skewed);
    auto const positions = places(20, skewed);
    simulated.host.box_virial = Tensor{};
    simulated.energy(positions);
    Tensor virial = *simulated.host.box_virial;
    simulated.host.box_virial.reset();
    for (std::size_t i = 0; i < positions.size(); ++i) virial += outer(simulated.forces[i], positions[i]);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = row; column < 3; ++column) {
            auto strained = [&](Vec3<> v, double strain) {
                double const other = v[column];
                v[row] += strain * other;
                return v;
            };
            auto energy = [&](double strain) {
                auto moved = positions;
                for (auto& x : moved) x = strained(x, strain);
                simulated.host.box = {strained(skewed.a, strain), strained(skewed.b, strain),
                                      strained(skewed.c, strain)};
                return simulated.energy(moved);
            };
            CHECK(virial[row][column] == Approx(-slope_of(energy, 1e-5)).epsilon(1e-6).margin(1e-6));
        }
}

TEST_CASE("AMOEBA's van der Waals force does not depend on threads or on earlier positions", "[amoeba]") {
    auto const force = molecules(60, Method::cutoff_periodic);
    auto const positions = places(60, skewed);
    Simulated one(force, skewed), four(force, skewed, 4);
    double const energy = one.energy(positions);
    auto moved = positions;
    for (auto& x : moved) x.y += 0.01;
    four.energy(moved);  // its neighbor lists are still valid for the next positions
    CHECK(four.energy(positions) == energy);
    CHECK(four.forces == one.forces);
}

TEST_CASE("the dispersion correction of many types is the same", "[amoeba]") {
    for (auto const potential : {Potential::buffered_14_7, Potential::lennard_jones}) {
        auto few = pair_of(), many = few;
        for (auto* force : {&few, &many}) {
            *force = {.method = Method::cutoff_periodic, .cutoff_distance = 0.7};
            force->potential = potential;
            force->use_types = true;
            for (int n = 0; n < 100; ++n) {
                force->particles.push_back({.parent = n, .type = n});
                force->types.push_back({0.02 + 0.003 * n, 0.1 + 0.01 * (n % 9)});
            }
        }
        many.types.resize(300, {0.01, 1});  // their integrals are interpolated
        Vectors positions;
        for (int n = 0; n < 100; ++n) positions.push_back({n % 4 * 0.75, n / 4 % 4 * 0.75, n / 16 * 0.4});
        CHECK(Simulated(many).energy(positions) == Approx(Simulated(few).energy(positions)).epsilon(1e-12));
    }
}

TEST_CASE("neighbors in small and dense boxes", "[amoeba]") {
    auto const positions = places(60, skewed);
    std::vector<std::vector<int>> excluded;
    for (int i = 0; i < 180; ++i) excluded.push_back({i});
    Threads threads;
    amoeba::NeighborList listed(0.9, excluded), not_listed(0.9, excluded, 1000), without_cutoff({}, excluded);
    for (auto* list : {&listed, &not_listed, &without_cutoff}) list->update(positions, skewed, threads);
    std::size_t found = 0, missed = 0;
    auto neighbors_of = [&](amoeba::NeighborList const& list, std::size_t i) {
        std::vector<std::size_t> result;
        list.for_each(i, [&](std::size_t j) { result.push_back(j); });
        return result;
    };
    for (std::size_t i = 0; i < positions.size(); ++i) {
        auto const near = neighbors_of(listed, i);
        for (std::size_t j = 0; j < positions.size(); ++j) {
            bool const is_near = j != i && norm(skewed.minimum_image(positions[i] - positions[j])) <= 0.9;
            if (is_near && !std::binary_search(near.begin(), near.end(), j)) ++missed;
        }
        found += near.size();
        CHECK(neighbors_of(not_listed, i).size() == 179);
        CHECK(neighbors_of(without_cutoff, i).size() == 179);
    }
    CHECK(missed == 0);
    CHECK(found < 180 * 100);
}

TEST_CASE("coinciding, distant and undefined positions in AMOEBA's van der Waals force", "[amoeba]") {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(energy_at(pair_of(), 0) == Approx(429248569.8493258).epsilon(1e-12));  // OpenMM 8.6
    CHECK(std::abs(energy_at(pair_of(), 1e200)) < 1e-100);
    CHECK(std::isnan(energy_at(pair_of(), nan)));
    auto force = molecules(20, Method::cutoff_periodic);
    auto positions = places(20, skewed);
    positions[7] = {nan, 1e300, 0};
    Simulated(force, skewed).energy(positions);
    force.cutoff_distance = 1e-6;  // many more cells than particles
    Simulated(force, skewed).energy(positions);
}

TEST_CASE("the formula of AMOEBA's van der Waals force for pair loops", "[amoeba]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic})
        for (auto const potential : {Potential::buffered_14_7, Potential::lennard_jones})
            for (auto const alchemy : {Alchemy::none, Alchemy::decouple, Alchemy::annihilate}) {
                auto force = molecules(20, method);
                force.potential = potential;
                force.alchemy = alchemy;
                force.use_dispersion_correction = false;
                for (auto& particle : force.particles) particle.reduction = 1;  // sites at particles
                Simulated simulated(force, skewed);
                System<ForceList<CustomNonbondedForce>> system;
                system.box = skewed;
                system.particles.masses = simulated.host.particles.masses;
                system.add(amoeba::pairs_of_sites(force, amoeba::PairParameters(force)));
                Context context{system, VerletIntegrator{.step_size = 0.001}, Reference{}, Double{}};
                auto const positions = places(20, skewed);
                context.set_positions(positions);
                simulated.host.parameters.set(AmoebaVdwForce::lambda, 0.7);
                if (alchemy != Alchemy::none) context.set_parameter(AmoebaVdwForce::lambda, 0.7);
                CHECK(simulated.energy(positions) == Approx(context.evaluate({})).epsilon(1e-12));
                auto const forces = context.state(Forces).forces;
                for (std::size_t i = 0; i < positions.size(); ++i)
                    CHECK(norm(forces[i] - simulated.forces[i]) <= 1e-10 * (1 + norm(forces[i])));
            }
}

TEST_CASE("updated parameters of AMOEBA's van der Waals force", "[amoeba]") {
    Simulated simulated(pair_of());
    auto changed = pair_of(SigmaRule::arithmetic);
    changed.particles[1].sigma = 0.2;
    simulated.kernel.update(changed, simulated.host);
    CHECK(simulated.energy({{0, 0, 0}, {0.35, 0, 0}}) == energy_at(changed, 0.35));
}

}  // namespace amoeba_vdw_test
