// CustomGBForce on Cpu: every instruction set against Reference, bitwise reproducibility, moving particles,
// checkpoints.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>

#include <trotter/base/archive.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;
using Kind = CustomGBForce::Kind;
using PairMethod = PairSettings::Method;

namespace {

/// Computed values by formulas with a table, a branch and functions of every kind, and one that depends on another.
CustomGBForce force_of(Sample const& s, PairMethod method) {
    CustomGBForce force{
        .parameter_names = {"q", "s"},
        .tabulated_functions = {{.name = "t", .sizes = {4}, .ranges = {{0, 3}}, .values = {1, 2, 1, 0}}},
        .global_parameters = {{"lambda", 0.8}}};
    for (auto const& particle : s.force.particles) force.particles.push_back({particle.charge, particle.sigma});
    auto const formula = [&](char const* text) { return CustomGBForce::formula(text, force.tabulated_functions); };
    force.computed_values = {
        {"u", formula("s2*t(r)*exp(-2*r)*(1 + 0.3*q1) + select(step(r - 0.5), 0.01*log(r + s1), 0)"),
         Kind::particle_pair},
        {"v", formula("tanh(u) + 0.1*u*x"), Kind::single_particle},
        {"w", formula("0.1*v1*u2*max(0.2, s1)*erfc(r)*lambda"), Kind::particle_pair_no_exclusions}};
    force.energy_terms = {{formula("v^2 + w*lambda"), Kind::single_particle},
                          {formula("q1*q2*(w1 + w2 + 1)/sqrt(r^2 + v1*v2*exp(-r^2))"), Kind::particle_pair}};
    force.pairs = {.method = method, .cutoff_distance = 0.9};
    for (auto const& exception : s.force.exceptions)
        force.pairs.exclusions.push_back({exception.particle1, exception.particle2});
    return force;
}

}  // namespace

TEST_CASE("CustomGBForce agrees with Reference", "[cpu]") {
    for (Box const& box : {cube, skewed})
        for (auto const method : {PairMethod::no_cutoff, PairMethod::cutoff_non_periodic, PairMethod::cutoff_periodic}) {
            INFO("method " << static_cast<int>(method) << (box.is_rectangular() ? "" : ", triclinic"));
            auto s = sample(box, NonbondedForce::Method::no_cutoff, 4);
            auto const force = force_of(s, method);
            for (std::size_t i = 0; i < s.positions.size() && method == PairMethod::cutoff_periodic; i += 7)
                s.positions[i] += box.a * 2.0 - box.c;
            auto const expected = evaluate<Reference, Double>(s, force);
            with_each_instruction_set([&] {
                auto const full = evaluate<Cpu, Double>(s, force), mixed = evaluate<Cpu, Mixed>(s, force);
                CHECK(errors(full.forces, expected.forces).largest < 1e-11);
                CHECK(full.energy == Approx(expected.energy).epsilon(1e-11));
                CHECK(errors(mixed.forces, expected.forces).median < 5e-6);
                CHECK(errors(mixed.forces, expected.forces).largest < 1e-4);
                CHECK(mixed.energy == Approx(expected.energy).epsilon(1e-5));
            });
        }
}

TEST_CASE("values of particles have the same bits for any number of threads", "[cpu]") {
    auto const s = sample(cube, NonbondedForce::Method::no_cutoff);
    auto const force = force_of(s, PairMethod::cutoff_periodic);
    Runner<Cpu, Mixed, CustomGBForce> one(s, force, {1});
    auto const expected = one();
    CHECK(one(false).forces == expected.forces);
    for (int const threads : {2, 3, 7}) {
        auto const result = evaluate<Cpu, Mixed>(s, force, Cpu{threads});
        CHECK(result.forces == expected.forces);
        CHECK(result.energy == expected.energy);
    }
}

TEST_CASE("values of particles follow their motion, and resume with the same bits", "[cpu]") {
    auto s = sample(cube, NonbondedForce::Method::no_cutoff);
    auto const force = force_of(s, PairMethod::cutoff_periodic);
    Runner<Cpu, Double, CustomGBForce> runner(s, force);
    for (int step = 0; step < 8; ++step) {
        for (std::size_t i = 0; i < s.positions.size(); ++i)
            s.positions[i] +=
                Vec3<>{std::sin(0.7 * static_cast<double>(i)), std::cos(1.3 * static_cast<double>(i)), 0.2} * 0.03;
        runner.engine.host.positions = s.positions;
        auto const result = runner();
        auto const expected = evaluate<Reference, Double>(s, force);
        CHECK(errors(result.forces, expected.forces).largest < 1e-11);
        Archive saved;
        runner.kernel.save(saved);
        Runner<Cpu, Double, CustomGBForce> resumed(s, force);
        Archive in(saved.bytes());
        resumed.kernel.load(in);
        CHECK(resumed().forces == result.forces);
    }
}
