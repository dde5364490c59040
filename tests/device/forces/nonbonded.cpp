// Tests NonbondedForce on a device against Reference: methods, boxes, sizes, exceptions, parameters, bits.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include "largest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

using Method = NonbondedForce::Method;
using Fluid = System<ForceList<NonbondedForce>>;

struct Sample {
    Fluid system;
    std::vector<Vec3<>> positions;
};

/// Particles of three types at least 0.17 nm apart, some outside the box; every third has exceptions with the next two.
Sample sample(int count, Box const& box, NonbondedForce force) {
    std::mt19937 bits(7);
    auto uniform = [&] { return static_cast<double>(bits()) / 4294967296.0; };
    Sample result;
    result.system.box = box;
    for (int i = 0; i < count; ++i) {
        result.system.add_particle(10);
        force.particles.push_back({i % 2 == 0 ? 0.4 : -0.4, 0.2 + 0.01 * (i % 3), 0.3 + 0.1 * (i % 4)});
        Vec3<> place;
        auto is_taken = [&](Vec3<> const& other) { return norm(box.minimum_image(place - other)) < 0.17; };
        do place = box.a * uniform() + box.b * uniform() + box.c * uniform();
        while (std::any_of(result.positions.begin(), result.positions.end(), is_taken));
        result.positions.push_back(place);
    }
    if (force.is_periodic())
        for (int i = 0; i < count; i += 5) result.positions[static_cast<std::size_t>(i)] += box.a * (i % 3 - 1.0) - box.c;
    for (int i = 0; i + 3 < count; i += 3) {
        force.exceptions.push_back({i + 1, i, 0.1, 0.2, 0.1});
        force.exceptions.push_back({i, i + 2, 0, 1, 0});
    }
    result.system.add(force);
    return result;
}

template <class B, class P> State evaluate(Sample const& sample, B backend, P precision, StateData what = StateData::forces | StateData::energy) {
    Context context{sample.system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions(sample.positions);
    return context.state(what);
}

/// The largest force difference, relative to the root mean square force.
double force_error(std::vector<Vec3<>> const& found, std::vector<Vec3<>> const& expected) {
    double worst = 0, square = 1e-20;
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst = worst_of(worst, norm(found[i] - expected[i]));
        square += dot(expected[i], expected[i]);
    }
    return worst / std::sqrt(square / static_cast<double>(found.size()));
}

/// The median of the forces' relative differences.
double median_error(std::vector<Vec3<>> const& found, std::vector<Vec3<>> const& expected) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < found.size(); ++i) errors.push_back(norm(found[i] - expected[i]) / (norm(expected[i]) + 1e-9));
    std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
    return errors[errors.size() / 2];
}

// Float positions with errors of 1e-7 nm change the closest pairs' forces, the largest ones, by 12 times that over
// their distance.
constexpr double worst_in_mixed = 4e-5;

void check_against_reference(Sample const& sample) {
    auto const expected = evaluate(sample, Reference{}, Double{});
    auto check_energy = [&](State const& found, double tolerance) {
        CHECK(std::abs(found.potential_energy - expected.potential_energy) < tolerance * (100 + std::abs(expected.potential_energy)));
    };
    auto const in_double = evaluate(sample, TestedDevice{}, Double{}), in_mixed = evaluate(sample, TestedDevice{}, Mixed{});
    CHECK(force_error(in_double.forces, expected.forces) < 1e-10);
    check_energy(in_double, 1e-10);
    CHECK(median_error(in_mixed.forces, expected.forces) < 2e-6);
    CHECK(force_error(in_mixed.forces, expected.forces) < worst_in_mixed);
    check_energy(in_mixed, 4e-6);
}

Box const smallest = Box::rectangular(2, 2, 2.1), wide = Box::rectangular(3.1, 3, 3), triclinic{{2.4, 0, 0}, {0.8, 2.2, 0}, {-0.7, 0.9, 2.2}},
          extreme{{2, 0, 0}, {1, 2, 0}, {-1, 1, 2}};

}  // namespace

TEST_CASE("pairs of every range, in boxes of every form and for any number of particles", "[device]") {
    for (auto const& [count, method] : std::vector<std::pair<int, Method>>{{1, Method::cutoff_periodic},
                                                                           {31, Method::no_cutoff},
                                                                           {32, Method::cutoff_periodic},
                                                                           {33, Method::cutoff_non_periodic},
                                                                           {150, Method::no_cutoff}}) {
        INFO(count << " particles, method " << static_cast<int>(method));
        check_against_reference(sample(count, count < 50 ? smallest : wide, {.method = method}));
    }
    for (auto const& box : {smallest, triclinic, extreme}) {
        INFO("box " << box.volume());
        check_against_reference(sample(150, box, {.method = Method::cutoff_periodic, .use_switching_function = true, .switching_distance = 0.8}));
    }
}
TEST_CASE("a thousand particles in a box with room for lists", "[device]") {
    check_against_reference(sample(1000, Box::rectangular(4, 4, 4), {.method = Method::cutoff_periodic, .cutoff_distance = 0.7}));
    check_against_reference(sample(1000, {{4, 0, 0}, {1.5, 4, 0}, {-1.2, 1.9, 4}}, {.method = Method::cutoff_periodic, .cutoff_distance = 0.7}));
}
TEST_CASE("Ewald sums, on meshes too, with what they hold of excluded pairs", "[device]") {
    for (auto const method : {Method::ewald, Method::pme, Method::ljpme}) {
        INFO("method " << static_cast<int>(method));
        auto const one = sample(150, wide, {.method = method});
        auto const expected = evaluate(one, Reference{}, Double{}), in_double = evaluate(one, TestedDevice{}, Double{}),
                   in_mixed = evaluate(one, TestedDevice{}, Mixed{});
        CHECK(force_error(in_double.forces, expected.forces) < 1e-8);
        CHECK(in_double.potential_energy == Approx(expected.potential_energy).epsilon(1e-8));
        CHECK(median_error(in_mixed.forces, expected.forces) < 5e-6);
        CHECK(force_error(in_mixed.forces, expected.forces) < worst_in_mixed);
        CHECK(in_mixed.potential_energy == Approx(expected.potential_energy).epsilon(5e-6));
    }
}
TEST_CASE("the same bits from run to run, and whether or not energies are asked for", "[device]") {
    auto const one = sample(500, wide, {.method = Method::cutoff_periodic});
    auto const first = evaluate(one, TestedDevice{}, Mixed{}), second = evaluate(one, TestedDevice{}, Mixed{}),
               without_energy = evaluate(one, TestedDevice{}, Mixed{}, StateData::forces);
    CHECK(first.forces == second.forces);
    CHECK(first.potential_energy == second.potential_energy);
    CHECK(first.forces == without_energy.forces);
}
TEST_CASE("lists follow particles and box, also where they had no room before", "[device]") {
    auto one = sample(400, Box::rectangular(4, 4, 4), {.method = Method::cutoff_periodic, .cutoff_distance = 0.8});
    for (auto& place : one.positions) place += one.system.box.wrapping_shift(place);
    Context reference{one.system, VerletIntegrator{.step_size = 1 * fs}, Reference{}, Double{}};
    Context device{one.system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Double{}};
    auto compare = [&] {
        for (int times = 0; times < 2; ++times) {
            reference.set_positions(one.positions);
            device.set_positions(one.positions);
            CHECK(force_error(device.state(StateData::forces).forces, reference.state(StateData::forces).forces) < 1e-10);
        }
    };
    compare();
    for (auto& place : one.positions) place.x += 0.03 * std::sin(50 * place.y), place.z += 0.02;
    compare();
    for (auto& place : one.positions) place = place * 0.6;  // all in a corner: five times as many neighbors
    compare();
    Box const smaller = Box::rectangular(3, 2.5, 2.6);
    reference.set_box(smaller);
    device.set_box(smaller);
    compare();
}
TEST_CASE("offsets, other numbers, and groups", "[device]") {
    auto one = sample(60, smallest, {.global_parameters = {{"scale", 0.3}},
                                     .particle_offsets = {{"scale", 4, 0.2, 0.01, 0.1}},
                                     .exception_offsets = {{"scale", 0, 0.1, 0.02, 0.3}},
                                     .method = Method::cutoff_periodic,
                                     .force_group = 3});
    Context reference{one.system, VerletIntegrator{.step_size = 1 * fs}, Reference{}, Double{}};
    Context device{one.system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Double{}};
    auto compare = [&] {
        auto const expected = reference.state(StateData::forces | StateData::energy), found = device.state(StateData::forces | StateData::energy);
        CHECK(force_error(found.forces, expected.forces) < 1e-10);
        CHECK(found.potential_energy == Approx(expected.potential_energy).epsilon(1e-10));
    };
    reference.set_positions(one.positions);
    device.set_positions(one.positions);
    compare();
    reference.set_parameter("scale", 1.7);
    device.set_parameter("scale", 1.7);
    compare();

    // New values before the first evaluation.
    Context unused{one.system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Double{}};
    unused.set_positions(one.positions);
    unused.set_parameter("scale", 1.7);
    CHECK(force_error(unused.state(StateData::forces).forces, reference.state(StateData::forces).forces) < 1e-10);
}
