// Tests user-supplied pair interactions, and pair lists.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include "largest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

/// An interaction with parameters k1 and k2 for all pairs but the excluded ones.
struct PairSprings {
    static constexpr std::string_view name = "PairSprings";
    std::vector<double> strengths{};
    double cutoff = 0;
    std::string text{};
    bool is_periodic = false;
    std::vector<std::vector<int>> exclusions{{1}, {0}};
    int force_group = 0;
    std::string label{name};
};

}  // namespace

namespace trotter {

template <Precision P> struct Kernel<PairSprings, TestedDevice, P> {
    device::NumberArray<TestedDevice::Queue> strengths;
    int slot;

    Kernel(PairSprings const& force, Engine<TestedDevice, P>& engine, Registration who)
        : strengths(engine.device.queue, engine.device.padded, engine.device.types.real_is_double), slot(engine.device.sums.add()) {
        strengths.upload(engine.device.queue, force.strengths);
        device::PairInteraction interaction{.force = who.index, .group = force.force_group};
        interaction.range = {force.cutoff, force.is_periodic, force.exclusions};
        interaction.text = force.text;
        interaction.parameters.push_back({"kparam", "real", [this] { return strengths.argument(); }});
        interaction.energy_accumulator = slot;
        engine.device.pairs.add(interaction);
    }
    double compute(Engine<TestedDevice, P>&, Request const&) { return 0; }
    double late_energy(Engine<TestedDevice, P>& engine, Request const&) { return engine.device.total(slot); }
};

}  // namespace trotter

namespace {

constexpr char const* springs_in_text = R"(
#ifdef USE_CUTOFF
if (!isExcluded && r2 < CUTOFF_SQUARED) {
#else
if (!isExcluded) {
#endif
    tempEnergy += kparam1*kparam2*r2;
    dEdR += 2*kparam1*kparam2*r;
}
)";
// The same from particle indices and positions, which the loop provides only if they are used.
constexpr char const* springs_of_indices = R"(
if (atom1 + atom2 != 1 && r2 < 100) {
    const real4 d = posq1 - posq2;
    tempEnergy += kparam1*kparam2*(d.x*d.x + d.y*d.y + d.z*d.z);
    dEdR += 2*kparam1*kparam2*r;
}
)";

void check_springs(double cutoff, char const* text) {
    System<ForceList<PairSprings>> system;
    PairSprings force{.cutoff = cutoff, .text = text};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 70; ++i) {
        system.add_particle(1);
        force.strengths.push_back(1 + 0.1 * (i % 7));
        positions.push_back({std::sin(i * 1.3), std::cos(i * 2.1), 0.02 * i});
    }
    system.add(force);
    double energy = 0;
    std::vector<Vec3<>> forces(70);
    for (std::size_t i = 0; i < 70; ++i)
        for (std::size_t j = i + 1; j < 70; ++j) {
            Vec3<> const d = positions[i] - positions[j];
            if ((i == 0 && j == 1) || (cutoff > 0 && dot(d, d) >= cutoff * cutoff)) continue;
            double const k = force.strengths[i] * force.strengths[j];
            energy += k * dot(d, d);
            forces[i] -= d * (2 * k);
            forces[j] += d * (2 * k);
        }
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Double{}};
    context.set_positions(positions);
    auto const state = context.state(StateData::forces | StateData::energy);
    CHECK(state.potential_energy == Approx(energy).epsilon(1e-12));
    for (std::size_t i = 0; i < 70; ++i) CHECK(norm(state.forces[i] - forces[i]) < 1e-7);
}

}  // namespace

TEST_CASE("an interaction of pairs in text runs unchanged with and without a cutoff", "[device]") {
    check_springs(0, springs_in_text);
    check_springs(0.9, springs_in_text);
}
TEST_CASE("text may name particles and their positions", "[device]") { check_springs(0, springs_of_indices); }
TEST_CASE("names are found as words", "[device][host]") {
    CHECK(device::names("x = atom1;", "atom1"));
    CHECK(!device::names("x = atom12 + my_atom1;", "atom1"));
}

namespace {

constexpr double smooth_cutoff = 0.9;
constexpr char const* smooth = R"(
if (!isExcluded) {
    const real left = CUTOFF_SQUARED - r2;
    tempEnergy += kparam1*kparam2*left*left;
    dEdR -= 4*kparam1*kparam2*left*r;
}
)";

/// Particles with exclusions between neighbors and between distant indices.
System<ForceList<PairSprings>> many(int count, bool is_periodic, Box const& box) {
    System<ForceList<PairSprings>> system;
    system.box = box;
    PairSprings force{.cutoff = smooth_cutoff, .text = smooth, .is_periodic = is_periodic, .exclusions = {}};
    force.exclusions.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        system.add_particle(20);
        force.strengths.push_back(1 + 0.1 * (i % 7));
        if (int const next = i % 3 == 2 ? count - 1 - i : i + 1; i % 3 != 0 && next > i && next < count) {
            force.exclusions[static_cast<std::size_t>(i)].push_back(next);
            force.exclusions[static_cast<std::size_t>(next)].push_back(i);
        }
    }
    for (auto& partners : force.exclusions) {
        std::sort(partners.begin(), partners.end());
        partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    }
    system.add(force);
    return system;
}

struct Sums {
    double energy = 0;
    std::vector<Vec3<>> forces;
};

/// Reference sum over pairs whose z differ by less than the cutoff, periodic or not.
Sums swept(PairSprings const& force, Box const& box, std::vector<Vec3<>> const& positions) {
    std::size_t const count = positions.size();
    Sums sums{.forces = std::vector<Vec3<>>(count)};
    std::vector<double> heights;
    for (auto const& p : positions) heights.push_back(force.is_periodic ? p.z - box.c.z * std::floor(p.z / box.c.z) : p.z);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return heights[i] < heights[j]; });
    for (std::size_t n = 0; n < count; ++n)
        for (std::size_t m = n + 1; m < (force.is_periodic ? n + count : count); ++m) {
            std::size_t const i = order[n], j = order[m % count];
            double const rise = heights[j] - heights[i] + (m >= count ? box.c.z : 0);
            if (rise >= smooth_cutoff) break;
            Vec3<> const apart = positions[i] - positions[j], d = force.is_periodic ? box.minimum_image(apart) : apart;
            double const left = smooth_cutoff * smooth_cutoff - dot(d, d);
            if (left <= 0 || std::binary_search(force.exclusions[i].begin(), force.exclusions[i].end(), static_cast<int>(j))) continue;
            double const k = force.strengths[i] * force.strengths[j];
            sums.energy += k * left * left;
            sums.forces[i] += d * (4 * k * left);
            sums.forces[j] -= d * (4 * k * left);
        }
    return sums;
}

/// A device that evaluates one configuration after the other.
template <Precision P> struct Meeting {
    System<ForceList<PairSprings>> system;
    Context<System<ForceList<PairSprings>>, TestedDevice, P, ListFor<VerletIntegrator>::Type> context;
    double tolerance;
    std::mt19937 bits{5};
    std::int64_t step = 0;

    Meeting(int count, bool is_periodic, double tolerance_)
        : system(many(count, is_periodic, Box::rectangular(20, 20, 20))), context{system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, P{}},
          tolerance(tolerance_) {}

    double uniform() { return static_cast<double>(bits()) / 4294967296.0; }
    std::vector<Vec3<>> spread(Box const& box) {
        std::vector<Vec3<>> positions;
        for (int i = 0; i < system.particles.count(); ++i) {
            double const x = uniform(), y = uniform(), z = uniform();
            positions.push_back(box.a * x + box.b * y + box.c * z);
        }
        return positions;
    }
    /// Sorts particles first.
    void check_sorted(char const* what, Box const& box, std::vector<Vec3<>> const& positions) {
        context.set_step_count(step += 500);
        check(what, box, positions);
    }
    void check(char const* what, Box const& box, std::vector<Vec3<>> const& positions) {
        INFO(what);
        context.set_box(box);
        context.set_positions(positions);
        check_present(box);
    }
    void check_present(Box const& box) {
        auto const found = context.state(StateData::positions | StateData::forces | StateData::energy);
        auto const expected = swept(system.forces<PairSprings>().front(), box, found.positions);
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < found.forces.size(); ++i) {
            largest = std::max(largest, norm(expected.forces[i]));
            worst = worst_of(worst, norm(found.forces[i] - expected.forces[i]));
        }
        CHECK(largest > 1);
        CHECK(worst < tolerance * largest);
        CHECK(found.potential_energy == Approx(expected.energy).epsilon(tolerance));
    }
};

// The force on one particle is a sum of up to a thousand terms of either sign, and one missing pair is 1e-2 of it.
constexpr double in_double = 1e-10, in_mixed = 2e-5;
Box const triclinic_cell{{1, 0, 0}, {0.4, 0.9, 0}, {-0.3, 0.4, 0.9}};
Box scaled(Box const& box, double scale) { return {box.a * scale, box.b * scale, box.c * scale}; }

template <Precision P> void check_few(double tolerance) {
    Meeting<P> meeting(700, true, tolerance);
    auto check = [&](char const* what, Box const& box, Box const& region) { meeting.check(what, box, meeting.spread(region)); };
    Box const smallest = Box::rectangular(1.81, 1.85, 1.9), wide = Box::rectangular(7, 6, 8), slab = Box::rectangular(1.9, 2, 50);
    check("wide", wide, wide);
    check("smallest", smallest, smallest);
    check("slab", slab, slab);
    check("corner, and outside of the box", wide, Box::rectangular(-0.9, 1.1, 1));
    check("smallest triclinic", scaled(triclinic_cell, 2.1), scaled(triclinic_cell, 2.1));
    check("triclinic", scaled(triclinic_cell, 6), scaled(triclinic_cell, 6));
}

}  // namespace

TEST_CASE("lists find all pairs in boxes of every form", "[device]") {
    check_few<Double>(in_double);
    check_few<Mixed>(in_mixed);
}
TEST_CASE("lists find all pairs where a tree has several levels", "[device]") {
    Meeting<Mixed> meeting(66000, true, in_mixed);
    Box const cube = Box::rectangular(40, 40, 40), slab = Box::rectangular(6, 7, 300), corner = Box::rectangular(20, 20, 20);
    meeting.check_sorted("cube", cube, meeting.spread(cube));
    meeting.check_sorted("slab", slab, meeting.spread(slab));
    meeting.check_sorted("triclinic", scaled(triclinic_cell, 40), meeting.spread(scaled(triclinic_cell, 40)));
    meeting.check_sorted("corner", cube, meeting.spread(corner));
}
TEST_CASE("lists with more entries than are kept while they are made find all pairs", "[device]") {
    Box const cube = Box::rectangular(3, 3.1, 3.2);
    Meeting<Mixed> meeting(6000, true, in_mixed);
    meeting.check("dense", cube, meeting.spread(cube));
}
TEST_CASE("lists find all pairs of particles without a box", "[device]") {
    Meeting<Double> meeting(66000, false, in_double);
    Box const none = Box::rectangular(20, 20, 20);
    meeting.check_sorted("thread", none, meeting.spread(Box::rectangular(1, 1.5, 9000)));
    auto positions = meeting.spread(Box::rectangular(28, 30, 32));
    positions[7] = {0, -300, 0};
    meeting.check_sorted("one far away", none, positions);
}

namespace {

/// Few pairs at first, then more than the lists have room for, just before the next sort.
struct Crowd : Meeting<Mixed> {
    Crowd() : Meeting<Mixed>(3000, true, in_mixed) {
        context.set_positions(spread(Box::rectangular(19, 19, 19)));
        context.evaluate({});
        context.set_step_count(490);
        context.set_positions(spread(Box::rectangular(4, 4, 5)));
    }
    State end() { return context.state(StateData::positions | StateData::velocities | StateData::energy); }
};
void check_same(State const& found, State const& expected) {
    CHECK(found.positions == expected.positions);
    CHECK(found.velocities == expected.velocities);
    CHECK(found.potential_energy == expected.potential_energy);
}

}  // namespace

TEST_CASE("lists without room cost no pair, and no bit depends on who looks or on a restart", "[device]") {
    Crowd crowd;
    crowd.check_present(crowd.system.box);
    crowd.context.step(20);
    auto const expected = crowd.end();
    crowd.check_present(crowd.system.box);
    Crowd watched;
    for (int n = 0; n < 20; ++n) {
        watched.context.state(StateData::energy | StateData::forces);
        watched.context.step(1);
    }
    check_same(watched.end(), expected);
    for (std::int64_t const done : {4, 12}) {
        INFO("saved after " << done << " steps");
        Crowd saved;
        saved.context.step(done);
        Archive archive;
        saved.context.save(archive);
        Archive in(archive.bytes());
        Crowd resumed;
        resumed.context.load(in);
        in.expect_end();
        resumed.context.step(20 - done);
        check_same(resumed.end(), expected);
    }
}
