// Tests user-supplied kernel source for bonded terms, in the form documented by the library the dialect comes from.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <vector>

#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"

namespace {

/// E = scale r² for pairs of particles: a force with kernel source instead of a formula.
struct SquareForce {
    static constexpr std::string_view name = "SquareForce";
    std::vector<std::array<int, 2>> pairs;
    std::vector<float> scales;
    char const* text;
    int force_group = 0;
};

constexpr char const* square_text = R"(
real4 delta = pos2-pos1;
energy += scales[index]*(delta.x*delta.x + delta.y*delta.y + delta.z*delta.z);
real4 force1 = 2.0f*scales[index]*delta;
real4 force2 = -2.0f*scales[index]*delta;
)";

}  // namespace

namespace trotter {

template <DeviceBackend B, Precision P> struct Kernel<SquareForce, B, P> {
    Kernel(SquareForce const& force, Engine<B, P>& engine, Registration who) : scales_(engine.device.queue, force.scales) {
        device::TermKind kind{.force = who.index,
                              .group = force.force_group,
                              .count = force.pairs.size(),
                              .text = device::user_term_text(force.text, 2),
                              .arguments = {{"GLOBAL const float* RESTRICT scales", scales_.argument()}},
                              .energy_accumulator = engine.device.sums.add()};
        for (std::size_t p = 0; p < 2; ++p)
            for (auto const& pair : force.pairs) kind.particles.push_back(pair[p]);
        accumulator_ = kind.energy_accumulator;
        engine.device.terms.add(std::move(kind));
    }
    double compute(Engine<B, P>&, Request const&) { return 0; }
    double late_energy(Engine<B, P>& engine, Request const&) { return engine.device.total(accumulator_); }

private:
    int accumulator_ = 0;
    device::Array<typename B::Queue, float> scales_;
};

}  // namespace trotter

using namespace trotter;

TEMPLATE_TEST_CASE("a user's device text is a kind of terms among others", "[device]", Single, Mixed, Double) {
    System<ForceList<HarmonicBondForce, SquareForce>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    system.add(SquareForce{.pairs = {{0, 1}, {1, 2}}, .scales = {1, 3}, .text = square_text});
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, TestType{}};
    context.set_positions({{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.5, 0}});
    auto const state = context.state(StateData::energy | StateData::forces);
    double const eps = 1e-6;
    CHECK(context.energies()[0] == Approx(500 * 0.04).epsilon(eps));
    CHECK(context.energies()[1] == Approx(0.09 + 3 * 0.25).epsilon(eps));
    CHECK(state.potential_energy == Approx(20 + 0.84).epsilon(eps));
    CHECK(state.forces[0].x == Approx(200 + 0.6).epsilon(eps));
    CHECK(state.forces[2].y == Approx(-3).epsilon(eps));
}

TEST_CASE("device text that does not compile is refused with the compiler's words", "[device]") {
    auto queue = TestedDevice{}.open();
    CHECK_THROWS_WITH(queue.compile("KERNEL void broken() { undeclared_name = 1; }"), Catch::Matchers::Contains("undeclared_name"));
}

TEST_CASE("a force whose text does not compile is refused with the compiler's words", "[device]") {
    System<ForceList<SquareForce>> system;
    for (int i = 0; i < 2; ++i) system.add_particle(1);
    constexpr char const* text = "energy += undeclared_name; real4 force1, force2;";
    system.add(SquareForce{.pairs = {{0, 1}}, .scales = {1}, .text = text});
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Mixed{}};
    context.set_positions({{0, 0, 0}, {0.3, 0, 0}});
    CHECK_THROWS_AS(context.state(Energy), UnsupportedError);
    CHECK_THROWS_WITH(context.state(Energy), Catch::Matchers::Contains("undeclared_name"));
}
