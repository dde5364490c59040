// Many pair forces in one System, each with its own cutoff, exclusions and force group.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>
#include <vector>

#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/nonbonded.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace many_forces_test {

using Method = PairSettings::Method;

namespace {

constexpr std::size_t count = 16;

CustomNonbondedForce custom(std::string const& formula, PairSettings const& pairs, int group) {
    CustomNonbondedForce force{
        .energy = RuntimeExpression(formula), .parameter_names = {"s"}, .pairs = pairs, .force_group = group};
    for (std::size_t i = 0; i < count; ++i) force.particles.push_back({0.2 + 0.01 * static_cast<double>(i % 5)});
    return force;
}
NonbondedForce ions() {
    NonbondedForce force{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    for (std::size_t i = 0; i < count; ++i) force.particles.push_back({i % 2 ? 0.5 : -0.5, 0.2, 0.4});
    force.exceptions = {{0, 1, 0, 0.2, 0}, {2, 3, 0.1, 0.2, 0.3}, {4, 9, 0, 0.2, 0}};
    return force;
}

}  // namespace

TEST_CASE("forces of pairs agree on neither cutoff, exclusions, method nor group", "[forces][devices][slow]") {
    auto const platform = each_platform();
    PairSettings const near{.method = Method::cutoff_periodic, .cutoff_distance = 0.55, .exclusions = {{5, 6}}},
        far{.method = Method::cutoff_periodic, .cutoff_distance = 1, .exclusions = {{5, 7}, {0, 15}}},
        everywhere{.method = Method::no_cutoff, .exclusions = {{1, 2}, {3, 8}, {8, 1}}};
    std::vector<CustomNonbondedForce> const customs{custom("(s1+s2)*exp(-4*r)", near, 7),
                                                    custom("(s1*s2/r^2)^3", far, 31),
                                                    custom("s1*s2/(r + 0.1)", everywhere, 40)};
    StandardSystem system;
    system.box = small_box;
    for (std::size_t i = 0; i < count; ++i) system.add_particle(1);
    system.add(ions());
    for (auto const& force : customs) system.add(force);
    auto const positions = scattered(count, small_box, 0.27, 5);
    auto context = context_of(platform, system, positions);
    // Single precision of positions and of mesh charges, as in the tests of the single forces.
    double const close = platform.is_double ? 1e-8 : 5e-5;
    double sum = 0;
    auto const check_alone = [&](auto const& force, int group) {
        INFO("group " << group);
        auto const expected = evaluate(reference_platform, force, positions, small_box);
        auto const found = evaluation(context, ForceGroups::only({group}));
        CHECK(rms(expected.forces) > 0.01);
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces));
        sum += expected.energy;
    };
    check_alone(ions(), 0);
    for (auto const& force : customs) check_alone(force, force.force_group);
    CHECK(evaluation(context).energy == Approx(sum).epsilon(close));
}

TEST_CASE("lists that are empty shift no other force's numbers", "[forces][devices]") {
    auto const platform = each_platform();
    using Mesh = NonbondedForce::Method;
    auto const method = GENERATE(Mesh::ewald, Mesh::pme, Mesh::ljpme, Mesh::cutoff_periodic);
    auto const ions_of = [&](double charge, int group) {
        auto force = ions();
        force.method = method;
        force.force_group = group;
        for (auto& particle : force.particles) particle.charge *= charge;
        return force;
    };
    auto plain = ions_of(0.7, 1), excepted = ions_of(1.3, 2), plain_too = ions_of(-0.4, 3);
    plain.exceptions.clear();
    plain_too.exceptions.clear();
    HarmonicBondForce const bonds{.bonds = {{0, 1, 0.2, 300}}, .force_group = 4};
    StandardSystem system;
    system.box = small_box;
    for (std::size_t i = 0; i < count; ++i) system.add_particle(1);
    system.add(HarmonicAngleForce{});
    system.add(plain);
    system.add(HarmonicBondForce{});
    system.add(excepted);
    system.add(plain_too);
    system.add(bonds);
    auto const positions = scattered(count, small_box, 0.27, 5);
    auto context = context_of(platform, system, positions);
    double const close = platform.is_double ? 1e-8 : 5e-5;
    auto const check_alone = [&](auto const& force) {
        INFO("method " << static_cast<int>(method) << ", group " << force.force_group);
        auto const expected = evaluate(reference_platform, force, positions, small_box);
        auto const found = evaluation(context, ForceGroups::only({force.force_group}));
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces));
    };
    check_alone(plain);
    check_alone(excepted);
    check_alone(plain_too);
    check_alone(bonds);
}

}  // namespace many_forces_test
