// A user's own interaction of pairs, as text.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "tested_device.hpp"

#include <cmath>
#include <vector>

#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

/// E = k1 k2 r² of all pairs but (0, 1).
struct PairSprings {
    static constexpr std::string_view name = "PairSprings";
    std::vector<double> strengths;
    double cutoff = 0;
    std::string text;
    int force_group = 0;
    std::string label{name};
};

}  // namespace

namespace trotter {

template <Precision P> struct Kernel<PairSprings, TestedDevice, P> {
    device::NumberArray<TestedDevice::Queue> strengths;
    int slot;

    Kernel(PairSprings const& force, Engine<TestedDevice, P>& engine)
        : strengths(engine.device.queue, engine.device.padded, engine.device.types.real_is_double), slot(engine.device.sums.add()) {
        strengths.upload(engine.device.queue, force.strengths);
        device::Interaction interaction{.force = engine.host.next_force, .group = force.force_group};
        interaction.range = {force.cutoff, false, {{1}, {0}}};
        interaction.text = force.text;
        interaction.parameters.push_back({"kparam", "real", [this] { return strengths.argument(); }});
        interaction.energy_slot = slot;
        engine.device.pairs.add(interaction);
    }
    double compute(Engine<TestedDevice, P>&, Request const&) { return 0; }
    double late_energy(Engine<TestedDevice, P>& engine, Request const&) { return engine.device.total(slot); }
};

}  // namespace trotter

namespace {

constexpr char const* springs = R"(
#ifdef USE_CUTOFF
if (!isExcluded && r2 < CUTOFF_SQUARED) {
#else
if (!isExcluded) {
#endif
    tempEnergy += kparam1*kparam2*r2;
    dEdR += 2*kparam1*kparam2*r;
}
)";
// The same from particle indices and positions, which the loop provides only where they are named.
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
    check_springs(0, springs);
    check_springs(0.9, springs);
}
TEST_CASE("text may name particles and their positions", "[device]") { check_springs(0, springs_of_indices); }
TEST_CASE("names are found as words", "[device][host]") {
    CHECK(device::names("x = atom1;", "atom1"));
    CHECK(!device::names("x = atom12 + my_atom1;", "atom1"));
}
