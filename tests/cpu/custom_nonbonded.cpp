// CustomNonbondedForce on Cpu: every instruction set against Reference, and bitwise reproducibility.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/forces/custom_nonbonded.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;
using PairMethod = PairSettings::Method;

namespace {

/// Tables of every kind, and particle types as a parameter.
CustomNonbondedForce force_of(Sample const& s, std::string const& formula) {
    CustomNonbondedForce force{
        .parameter_names = {"q", "s", "kind"},
        .tabulated_functions =
            {{.name = "one", .sizes = {3}, .values = {0.5, 1, 1.5}},
             {.name = "two", .sizes = {3, 3}, .values = {1, 2, 3, 2, 4, 5, 3, 5, 6}},
             {.name = "three", .sizes = {5, 2, 2}, .values = {1, 2, 3, 4, 5, 2, 3, 4, 5, 6,
                                                              3, 4, 5, 6, 7, 4, 5, 6, 7, 8}},
             {.name = "spline", .sizes = {4}, .ranges = {{0, 3}}, .values = {1, 2, 1, 0}},
             {.name = "wave", .sizes = {5}, .ranges = {{0, 1}}, .periodic = true, .values = {1, 2, 1, 0, 1}},
             {.name = "area",
              .sizes = {3, 4},
              .ranges = {{0, 2}, {-1, 1}},
              .values = {1, 2, 1, 0, 3, 1, 2, 2, 5, 1, 0, 2}},
             {.name = "space",
              .sizes = {3, 2, 3},
              .ranges = {{0, 1}, {-1, 2}, {0, 5}},
              .values = {1, 2, 1, 0, 3, 1, 2, 2, 5, 1, 0, 2, 3, 1, 4, 1, 5, 2}}},
        .global_parameters = {{"lambda", 0.8}}};
    for (auto const& particle : s.force.particles)
        force.particles.push_back(
            {particle.charge, particle.sigma, static_cast<double>(force.particles.size() * 7 % 5) - 1});
    force.energy = CustomNonbondedForce::formula(formula, force.tabulated_functions);
    for (auto const& exception : s.force.exceptions)
        force.pairs.exclusions.push_back({exception.particle1, exception.particle2});
    return force;
}

std::string const formulas[] = {
    "2.5",
    "q1*q2 + 0.3*(s1 + s2)",
    "4*lambda*sqrt(s1*s2)*((d/r)^12 - (d/r)^6); d = 0.25*(s1 + s2)",
    "two(kind1, kind2)*exp(-3*r)*one(kind1 + kind2 - 0.4) + three(kind1 + kind2, kind1*kind2, r^2)/(1 + r^2)",
    "spline(2*r)*(1 + q1*q2) + wave(3*r)",
    "area(r, q1*q2)*space(r^2, s1 + s2, 4*r) + area(q1*q2 + 1, r)",
    "min(q1*q2, 0.1)/r + max(r, 0.4)*abs(r - 0.5) + select(step(r - 0.6), log(r), tanh(r)) - erfc(3*r)*cos(r)",
    "(u + v + u*v + u^2*v + u*v^2 + 1/(1 + u^2 + v^2) + sqrt(1 + u^2*w^2) + u/(2 + v^2) + w^3/(u^2 + 1))*(u + w);"
    " u = r + s1 + s2; v = r*q1*q2; w = r - s1*s2"};

}  // namespace

TEST_CASE("CustomNonbondedForce agrees with Reference", "[cpu]") {
    for (auto const& formula : formulas)
        for (auto const method : {PairMethod::no_cutoff, PairMethod::cutoff_non_periodic, PairMethod::cutoff_periodic})
            for (bool const is_switched : {false, true}) {
                if (is_switched && method == PairMethod::no_cutoff) continue;
                INFO(formula << ", method " << static_cast<int>(method) << (is_switched ? ", switched" : ""));
                auto const s = sample(skewed, NonbondedForce::Method::no_cutoff, 4);
                auto force = force_of(s, formula);
                force.pairs.method = method;
                force.pairs.cutoff_distance = 0.9;
                force.pairs.use_switching_function = is_switched;
                force.pairs.switching_distance = 0.7;
                auto const expected = evaluate<Reference, Double>(s, force);
                // A constant energy has no forces unless it is switched off.
                bool const has_forces = norm(expected.forces[0]) > 0;
                with_each_instruction_set([&] {
                    auto const full = evaluate<Cpu, Double>(s, force),
                               mixed = evaluate<Cpu, Mixed>(s, force);
                    CHECK(full.energy == Approx(expected.energy).epsilon(1e-11));
                    CHECK(mixed.energy == Approx(expected.energy).epsilon(1e-5));
                    if (!has_forces) {
                        CHECK(norm(full.forces[0]) == 0);
                        return;
                    }
                    CHECK(errors(full.forces, expected.forces).largest < 1e-11);
                    CHECK(errors(mixed.forces, expected.forces).median < 1e-5);
                    CHECK(errors(mixed.forces, expected.forces).largest < 1e-4);
                });
            }
}

TEST_CASE("formulas of pairs have forces of the same bits for any threads, with energies or without", "[cpu]") {
    auto const s = sample(cube, NonbondedForce::Method::no_cutoff);
    for (auto const& formula : formulas) {
        INFO(formula);
        auto force = force_of(s, formula);
        force.pairs.method = PairMethod::cutoff_periodic;
        force.pairs.cutoff_distance = 0.9;
        Runner<Cpu, Mixed, CustomNonbondedForce> one(s, force, {1});
        auto const expected = one();
        CHECK(one(false).forces == expected.forces);
        for (int const threads : {2, 5}) {
            auto const result = evaluate<Cpu, Mixed>(s, force, Cpu{threads});
            CHECK(result.forces == expected.forces);
            CHECK(result.energy == expected.energy);
        }
    }
}
