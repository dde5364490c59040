// Fallback kernels: all optional members of the source kernel work, on every backend.
// SPDX-License-Identifier: MIT
#include <trotter/trotter.hpp>

#include <trotter/base/archive.hpp>
#include <trotter/reference/fallback_forces.hpp>

#include "own_contexts.hpp"

namespace trotter {

/// Pulls all particles along x with a strength that increases in every evaluation.
struct GrowingPull {
    static constexpr std::string_view name = "GrowingPull";

    double strength = 1;
    int force_group = 0;
};

template <> struct Kernel<GrowingPull, Reference, Double> {
    Kernel(GrowingPull const& force, Engine<Reference, Double>& engine, Registration who) : index(who.index), force(force) {
        engine.host.parameters.declare("scale", 2);
        engine.host.parameter_derivatives.emplace("scale", 0);
    }
    double compute(Engine<Reference, Double>& engine, Request const& request) {
        if (!request.wants(index, force.force_group)) return 0;
        auto& host = engine.host;
        ++evaluations;
        double const scale = host.parameters.value("scale"), pull = force.strength * static_cast<double>(evaluations);
        double sum = 0;
        for (std::size_t i = 0; i < host.size(); ++i) {
            host.forces[i].x += scale * pull;
            sum -= pull * host.positions[i].x;
        }
        if (request.parameter_derivatives) host.parameter_derivatives["scale"] += sum;
        return scale * sum;
    }
    void update(GrowingPull const& changed, Engine<Reference, Double>&) { force = changed; }
    template <class Archive> void save(Archive& archive) const { archive.put(evaluations); }
    template <class Archive> void load(Archive& archive) { evaluations = archive.template get<std::int64_t>(); }

    int index;
    GrowingPull force;
    std::int64_t evaluations = 0;
};
template <> inline constexpr bool uses_reference_fallback<GrowingPull> = true;

}  // namespace trotter

using namespace trotter;

namespace {

using PulledForces = ForceList<GrowingPull>;
// Its kinetic energy needs no forces, so that evaluations can be counted.
LangevinMiddleIntegrator const integrator{.temperature = 0, .friction = 1, .step_size = 0.001};

System<PulledForces> pulled() {
    System<PulledForces> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    system.add(GrowingPull{.force_group = 1});
    system.add(GrowingPull{.strength = 10, .force_group = 2});
    return system;
}
Vectors const places{{1, 0, 0}, {2, 0, 0}, {3, 1, 0}};

}  // namespace

TEMPLATE_LIST_TEST_CASE("derivatives, parameters and groups of fallback kernels", "[forces][devices]", TestedBackends) {
    Context context{pulled(), integrator, typename TestType::Backend{}, typename TestType::Precision{}};
    context.set_positions(places);
    auto const first = context.state(Energy | Forces | ParameterDerivatives);
    CHECK(first.potential_energy == Approx(-2 * 6 * 11));
    CHECK(first.forces[1].x == Approx(22));
    CHECK(first.parameter_derivatives->at("scale") == Approx(-66));
    context.set_parameter("scale", -1);
    auto const one = context.state(Energy | Forces | ParameterDerivatives, ForceGroups::only({1}));
    CHECK(one.potential_energy == Approx(2 * 6));  // the second evaluation of this force, after one of the other
    CHECK(one.forces[0].x == Approx(-2));
    CHECK(one.parameter_derivatives->at("scale") == Approx(-12));
    CHECK(context.state(Energy, ForceGroups::only({2})).potential_energy == Approx(2 * 60));
    CHECK(context.state(Energy, ForceGroups::only({3})).potential_energy == 0);
    CHECK(context.parameters().default_value("scale") == 2);
}

TEMPLATE_LIST_TEST_CASE("what a fallback kernel keeps is in checkpoints, and can be updated", "[forces][devices]",
                        TestedBackends) {
    auto const system = pulled();
    auto make = [&] { return Context{system, integrator, typename TestType::Backend{}, typename TestType::Precision{}}; };
    auto whole = make(), begun = make(), resumed = make();
    for (auto* context : {&whole, &begun}) context->set_positions(places);
    whole.step(8);
    begun.step(3);
    Archive archive;
    begun.save(archive);
    Archive in(archive.bytes());
    resumed.load(in);
    in.expect_end();
    resumed.step(5);
    CHECK(resumed.positions() == whole.positions());
    CHECK(resumed.velocities() == whole.velocities());
    double const before = resumed.state(Energy, ForceGroups::only({1})).potential_energy;
    resumed.update(0, GrowingPull{.strength = 100, .force_group = 1});
    CHECK(resumed.state(Energy, ForceGroups::only({1})).potential_energy == Approx(100 * before * 10 / 9).epsilon(1e-6));
}

#ifdef TROTTER_HAVE_CPU
static_assert(Kernel<GrowingPull, Cpu, Mixed>::is_fallback);
#endif
