// DrudeForce: springs, axes, screened pairs, updates, validation.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <trotter/trotter.hpp>

#include <trotter/drude/forces.hpp>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "forces/finite_differences.hpp"
#include "largest_difference.hpp"
#include "user_forces/own_contexts.hpp"

using namespace trotter;

namespace {

/// Oscillators with all combinations of axes, and three screened pairs.
DrudeForce const oscillators{.particles = {{1, 0, -1, -1, -1, -1.5, 1e-3, 5, 5},
                                           {4, 3, 2, -1, -1, 1.2, 8e-4, 0.7, 5},
                                           {7, 6, -1, 2, 5, -1.1, 1.3e-3, 5, 1.4},
                                           {10, 9, 8, 5, 2, -1.7, 9e-4, 0.8, 1.1}},
                             .screened_pairs = {{0, 1, 1.3}, {3, 0, 2.6}, {2, 1, 0.9}}};
Vectors const positions{{0, 0, 0},          {0.01, -0.005, 0.008}, {0.11, 0.02, -0.03},
                        {0.05, 0.13, 0.02}, {0.058, 0.122, 0.027}, {-0.08, 0.1, 0.05},
                        {0.15, 0.15, 0.12}, {0.144, 0.158, 0.117}, {0.02, -0.1, 0.13},
                        {0.9, 0.05, 0.1},   {0.897, 0.056, 0.093}};
Box const box{{1, 0, 0}, {0.2, 0.9, 0}, {-0.3, 0.4, 0.8}};

// Energies and forces of OpenMM 8.6.1, Reference platform.
double const openmm_energy = 75.38257798566383, openmm_periodic_energy = 66.42733306023331;
Vectors const openmm_forces{
    {2875.2978966604896, -1434.9737401397238, 2292.7094957953313},
    {-2868.841020004083, 1478.644477951909, -2293.4557884408314},
    {-42.67245864350277, -3.9113274540301965, -68.03596782285501},
    {1886.2067341349607, -2526.1977121292157, 764.3141654323853},
    {-1857.1158156866945, 2470.3735358802096, -679.4865240453707},
    {-0.06345397080898328, 21.25708022101559, -21.407783401686935},
    {-579.1700721205758, 1497.3550002095299, -970.6467673906903},
    {586.3700265685677, -1502.681526405427, 976.1610947832245},
    {0.38278689449313263, -1.8339769807506225, 2.0585306680454503},
    {-1484.057041741279, 2388.255519576601, -2830.1149010311365},
    {1483.662417908432, -2386.287330730118, 2827.9044454535842},
};
Vectors const openmm_periodic_forces{
    {2590.428772349007, -937.7416613251066, 1777.8698217827596},
    {-2690.274509494152, 1057.0177204084257, -1730.2150930212083},
    {-42.67245864350277, -3.9113274540301965, -68.03596782285501},
    {1886.2067341349607, -2526.1977121292157, 764.3141654323853},
    {-1857.1158156866945, 2470.3735358802096, -679.4865240453707},
    {-0.06345397080898328, 21.25708022101559, -21.407783401686935},
    {-579.1700721205758, 1497.3550002095299, -970.6467673906903},
    {586.3700265685677, -1502.681526405427, 976.1610947832245},
    {0.38278689449313263, -1.8339769807506225, 2.0585306680454503},
    {-1128.9572035824476, 2219.1375667848506, -1819.8692456623676},
    {1234.8651935511534, -2292.7746992095017, 1769.257768677764},
};

DrudeForce periodic() {
    auto force = oscillators;
    force.periodic = true;
    return force;
}
/// One oscillator of charge 2 and polarizability 0.001 nm³.
DrudeForce one(int particle2 = -1, int particle3 = -1, int particle4 = -1) {
    return {.particles = {{1, 0, particle2, particle3, particle4, 2, 1e-3, 0.8, 1.5}}};
}
double const stiffness = constants::coulomb * 4 / 1e-3;

template <class Change> DrudeForce changed(Change const& change) {
    auto force = oscillators;
    change(force);
    return force;
}
/// The message with which a Context refuses the force.
std::string refusal(DrudeForce const& force) {
    try {
        context_of<TestedBackend<Reference, Double>>(own_system_of(force, positions.size()));
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Energies and forces of Drude oscillators are those of OpenMM", "[drude]", TestedBackends) {
    double const close = TestType::term_rounding;
    auto const plain = evaluate<TestType>(oscillators, positions),
               wrapped = evaluate<TestType>(periodic(), positions, box);
    CHECK(plain.energy == Approx(openmm_energy).epsilon(close));
    CHECK(wrapped.energy == Approx(openmm_periodic_energy).epsilon(close));
    CHECK(largest_difference(plain.forces, openmm_forces) < 3 * close * rms(openmm_forces));
    CHECK(largest_difference(wrapped.forces, openmm_periodic_forces) < 3 * close * rms(openmm_forces));
}

TEMPLATE_LIST_TEST_CASE("The stiffness along each axis gives its polarizability", "[drude]", TestedBackends) {
    double const close = TestType::term_rounding, d = 0.01;
    auto const energy = [](DrudeForce const& force, Vec3<> const& displacement) {
        return evaluate<TestType>(force, {{}, displacement, {-1, 0, 0}, {0.3, 1, 0}, {0.3, 0, 0}}).energy;
    };
    auto const of = [&](double anisotropy) { return Approx(stiffness / anisotropy * d * d / 2).epsilon(close); };
    CHECK(energy(one(), {d, 0, 0}) == of(1));
    CHECK(energy(one(), {0, 0, d}) == of(1));
    CHECK(energy(one(2), {d, 0, 0}) == of(0.8));
    CHECK(energy(one(2), {0, d, 0}) == of(1.2));
    CHECK(energy(one(-1, 3, 4), {0, d, 0}) == of(1.5));
    CHECK(energy(one(-1, 3, 4), {d, 0, 0}) == of(0.5));
    CHECK(energy(one(2, 3, 4), {d, 0, 0}) == of(0.8));
    CHECK(energy(one(2, 3, 4), {0, d, 0}) == of(1.5));
    CHECK(energy(one(2, 3, 4), {0, 0, d}) == of(0.7));
    CHECK(energy(one(-1, 3, -1), {d, 0, 0}) == of(1));
}

TEMPLATE_LIST_TEST_CASE("A Drude particle on its parent has no force from the spring", "[drude]", TestedBackends) {
    for (auto const& force : {one(), one(2, 3, 4)}) {
        auto const found = evaluate<TestType>(force, {{}, {}, {-1, 0, 0}, {0.3, 1, 0}, {0.3, 0, 0}});
        CHECK(std::abs(found.energy) < 1e-30);
        CHECK(largest_difference(found.forces, Vectors(5)) < 1e-15);
    }
}

TEST_CASE("Forces on Drude oscillators are the gradient", "[drude]") {
    for (auto const& force : {oscillators, periodic()}) {
        auto context =
            context_of<TestedBackend<Reference, Double>>(own_system_of(force, positions.size(), box), positions);
        auto const forces = evaluation(context).forces;
        // fourth order in steps of 1e-4 nm, with rounding errors of energies of 100 kJ/mol
        CHECK(largest_difference(forces, numerical_forces(context, positions)) < 1e-6 * rms(forces));
    }
}

TEMPLATE_LIST_TEST_CASE("Updated oscillators act as new ones", "[drude]", TestedBackends) {
    auto context = context_of<TestType>(own_system_of(oscillators, positions.size()), positions);
    auto const other = changed([](DrudeForce& force) {
        force.particles[1].charge = -0.7;
        force.particles[3].polarizability = 5e-4;
        force.particles[2].anisotropy34 = 1.2;
        force.screened_pairs[0].thole = 2;
    });
    context.update(0, other);
    auto const expected = evaluate<TestType>(other, positions);
    CHECK(evaluation(context).energy == expected.energy);
    CHECK(evaluation(context).forces == expected.forces);
    CHECK_THROWS_WITH(context.update(0, changed([](DrudeForce& force) { force.particles[0].parent = 2; })),
                      Catch::Contains("acts on other particles than before"));
    CHECK_THROWS_WITH(context.update(0, changed([](DrudeForce& force) { force.screened_pairs.pop_back(); })),
                      Catch::Contains("the number of terms has changed from 3 to 2"));
}

TEST_CASE("A Drude particle is in the molecule of its parent", "[drude]") {
    auto const context = context_of<TestedBackend<Reference, Double>>(own_system_of(oscillators, positions.size()));
    CHECK(context.molecules() == std::vector<std::vector<int>>{{0, 1}, {2}, {3, 4}, {5}, {6, 7}, {8}, {9, 10}});
}

TEST_CASE("Replicated oscillators have the energy of each copy", "[drude]") {
    auto const count = static_cast<int>(positions.size());
    auto three = positions;
    for (int copy = 1; copy < 3; ++copy) three.insert(three.end(), positions.begin(), positions.end());
    auto const found = evaluate<TestedBackend<Reference, Double>>(replicate(oscillators, count, 3), three);
    CHECK(found.energy == Approx(3 * openmm_energy).epsilon(1e-12));
    CHECK(found.forces.back() == evaluate<TestedBackend<Reference, Double>>(oscillators, positions).forces.back());
}

TEST_CASE("Invalid Drude oscillators are refused", "[drude]") {
    auto const with = [](auto const& change) { return refusal(changed(change)); };
    CHECK(refusal(oscillators).empty());
    CHECK_THAT(with([](DrudeForce& f) { f.particles[2].drude = 11; }),
               Catch::Contains("there is no particle 11; the System has 11 particles, counted from 0"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[2].parent = -1; }), Catch::Contains("there is no particle -1"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].particle2 = 11; }), Catch::Contains("there is no particle 11"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].particle3 = -2; }),
               Catch::Contains("Particle 1: a particle of an axis is -2, expected an index from 0, or -1 for no axis"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].drude = 0; }),
               Catch::Contains(
                   "Particle 1: particle 0 is also used by Particle 0, expected a particle of one oscillator only"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].parent = 4; }),
               Catch::Contains("Particle 1: Drude particle 4 is its own parent, expected another particle"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].particle2 = 3; }),
               Catch::Contains("Particle 1: the first axis is from particle 3 to itself"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[2].particle3 = 5; }),
               Catch::Contains("Particle 2: the second axis is from particle 5 to itself"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[0].polarizability = 0; }),
               Catch::Contains("Particle 0: polarizability is 0.000000, expected a positive number"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[0].charge = NAN; }), Catch::Contains("Particle 0: charge is nan"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[1].anisotropy12 = 0; }),
               Catch::Contains("Particle 1: anisotropy12 is 0.000000, expected a positive number"));
    CHECK_THAT(with([](DrudeForce& f) { f.particles[2].anisotropy34 = -1; }),
               Catch::Contains("Particle 2: anisotropy34 is -1"));
    CHECK_THAT(
        with([](DrudeForce& f) { f.particles[3].anisotropy12 = 2; }),
        Catch::Contains("across both axes, 3 - anisotropy12 - anisotropy34, is -0.100000, expected a positive number"));
    CHECK_THAT(with([](DrudeForce& f) { f.screened_pairs[1].particle2 = 4; }),
               Catch::Contains("ScreenedPair 1: there is no Drude particle 4; the force has 4, counted from 0"));
    CHECK_THAT(with([](DrudeForce& f) { f.screened_pairs[1].particle2 = 3; }),
               Catch::Contains("ScreenedPair 1 is of Drude particle 3 with itself, expected two"));
    CHECK_THAT(with([](DrudeForce& f) {
                   f.screened_pairs[1] = {1, 0, 1};
               }),
               Catch::Contains("ScreenedPair 1 of Drude particles 1 and 0 repeats an earlier one"));
    CHECK_THAT(with([](DrudeForce& f) { f.screened_pairs[2].thole = INFINITY; }),
               Catch::Contains("ScreenedPair 2: thole is inf"));
}
