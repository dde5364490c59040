// Forces over the same pairs share a list on Cpu, and agree with Reference in any order of creation.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/forces/custom_nonbonded.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;
using Method = NonbondedForce::Method;

namespace {

/// A compile-time formula over the pairs of the sample's force.
struct RepulsionForce {
    static constexpr std::string_view name = "RepulsionForce";

    struct Site {
        double strength = 0;
    };
    std::vector<Site> particles{};
    PairSettings pairs{};
    std::vector<GlobalParameter> global_parameters{{"scale", 2}};
    std::vector<std::string> energy_parameter_derivatives{"scale"};
    int force_group = 1;

    static constexpr auto sites = &RepulsionForce::particles;
    static constexpr auto fields = std::tuple{Field{"strength", "strength", &Site::strength}};
    static constexpr Expression<"scale*strength1*strength2*exp(-4*r)"> energy{};
};

RepulsionForce repulsion_of(NonbondedForce const& force) {
    RepulsionForce result;
    result.pairs.method =
        force.is_periodic() ? PairSettings::Method::cutoff_periodic : PairSettings::Method::cutoff_non_periodic;
    if (!force.uses_cutoff()) result.pairs.method = PairSettings::Method::no_cutoff;
    result.pairs.cutoff_distance = force.cutoff_distance;
    for (auto const& exception : force.exceptions)
        result.pairs.exclusions.push_back({exception.particle1, exception.particle2});
    for (std::size_t n = 0; n < force.particles.size(); ++n)
        result.particles.push_back({0.5 + 0.1 * static_cast<double>(n % 7)});
    return result;
}
/// The same with a run-time formula.
CustomNonbondedForce custom_of(RepulsionForce const& force) {
    CustomNonbondedForce result;
    result.energy = RuntimeExpression("scale*strength1*strength2*exp(-4*r)");
    result.parameter_names = {"strength"};
    result.global_parameters = force.global_parameters;
    result.energy_parameter_derivatives = force.energy_parameter_derivatives;
    result.pairs = force.pairs;
    result.force_group = 2;
    for (auto const& site : force.particles) result.particles.push_back({site.strength});
    return result;
}

/// Three forces over the same pairs, created in one order or the other.
template <class B, class P> struct Three {
    Engine<B, P> engine;
    std::optional<Kernel<NonbondedForce, B, P>> nonbonded;
    std::optional<Kernel<RepulsionForce, B, P>> repulsion;
    std::optional<Kernel<CustomNonbondedForce, B, P>> custom;

    Three(Sample const& s, bool is_nonbonded_first)
        : engine(B{}, Runner<B, P, NonbondedForce>::particles(s), s.box, 1) {
        engine.host.positions = s.positions;
        auto const other = repulsion_of(s.force);
        if (is_nonbonded_first) nonbonded.emplace(s.force, engine, Registration{0});
        repulsion.emplace(other, engine, Registration{1});
        custom.emplace(custom_of(other), engine, Registration{2});
        if (!is_nonbonded_first) nonbonded.emplace(s.force, engine, Registration{0});
    }
    Result operator()(ForceGroups const& groups = {}) {
        Request const request{groups, true, true};
        engine.host.parameter_derivatives["scale"] = 0;
        engine.begin(request);
        Result result;
        result.energy = nonbonded->compute(engine, request) + repulsion->compute(engine, request)
                        + custom->compute(engine, request);
        engine.finish(request);
        result.energy += nonbonded->late_energy(engine, request);
        result.forces = engine.host.forces;
        return result;
    }
    double derivative() const { return engine.host.parameter_derivatives.at("scale"); }
};

}  // namespace

TEST_CASE("forces over the same pairs share a list", "[cpu]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::pme,
                              Method::ewald, Method::ljpme})
        for (bool const is_nonbonded_first : {true, false}) {
            CAPTURE(static_cast<int>(method), is_nonbonded_first);
            auto const s = sample(cube, method);
            Three<Reference, Double> reference(s, is_nonbonded_first);
            with_each_instruction_set([&] {
                Three<Cpu, Double> full(s, is_nonbonded_first);
                Three<Cpu, Mixed> mixed(s, is_nonbonded_first);
                CHECK(full.engine.pair_lists.size() == 1);
                for (ForceGroups const& groups : {ForceGroups{}, ForceGroups::only({1}), ForceGroups::only({0, 2})}) {
                    auto const expected = reference(groups), in_double = full(groups), in_float = mixed(groups);
                    CHECK(errors(in_double.forces, expected.forces).largest < 1e-11);
                    CHECK(in_double.energy == Approx(expected.energy).epsilon(1e-11));
                    CHECK(full.derivative() == Approx(reference.derivative()).epsilon(1e-11).margin(1e-12));
                    CHECK(errors(in_float.forces, expected.forces).largest < 1e-4);
                    CHECK(in_float.energy == Approx(expected.energy).epsilon(1e-5).margin(0.03));
                }
            });
        }
}

TEST_CASE("what other forces on a list have changes nobody's numbers", "[cpu]") {
    auto s = sample(cube, Method::cutoff_periodic);
    Three<Cpu, Mixed> three(s, false);
    three();
    for (auto& particle : s.force.particles) particle.epsilon *= 0.7;
    three.nonbonded->update(s.force, three.engine);
    auto other = repulsion_of(s.force);
    for (auto& site : other.particles) site.strength += 0.2;
    three.repulsion->update(other, three.engine);
    Three<Reference, Double> expected(s, false);
    expected.repulsion->update(other, expected.engine);
    CHECK(errors(three().forces, expected().forces).median < 2e-6);
}

TEST_CASE("two forces with charges have lists of their own", "[cpu]") {
    auto const s = sample(cube, Method::pme);
    auto second = s.force;
    for (auto& particle : second.particles) particle.charge *= -0.5;
    auto const sum_of = [&]<class B, class P>(Engine<B, P> engine) {
        engine.host.positions = s.positions;
        Kernel<NonbondedForce, B, P> one(s.force, engine, Registration{0}), two(second, engine, Registration{1});
        Request const request{};
        engine.begin(request);
        double energy = one.compute(engine, request) + two.compute(engine, request);
        engine.finish(request);
        energy += one.late_energy(engine, request) + two.late_energy(engine, request);
        return Result{energy, engine.host.forces};
    };
    auto const particles = Runner<Cpu, Double, NonbondedForce>::particles(s);
    auto const expected = sum_of(Engine<Reference, Double>({}, particles, s.box, 1));
    auto const found = sum_of(Engine<Cpu, Double>({}, particles, s.box, 1));
    CHECK(errors(found.forces, expected.forces).largest < 1e-11);
    CHECK(found.energy == Approx(expected.energy).epsilon(1e-11));
}

TEST_CASE("shared lists resume with the same bits", "[cpu]") {
    auto const s = sample(cube, Method::pme);
    auto move = [](auto& forces, int step) {
        for (std::size_t i = 0; i < forces.engine.host.size(); ++i)
            forces.engine.host.positions[i].x += 0.003 * std::sin(1.7 * static_cast<double>(i) + step);
    };
    Three<Cpu, Mixed> first(s, true), second(s, true);
    for (int step = 0; step < 12; ++step) {
        move(first, step);
        first();
    }
    Archive archive;
    first.engine.save(archive);
    Archive in(archive.bytes());
    second.engine.load(in);
    in.expect_end();
    for (int step = 12; step < 30; ++step) {
        CHECK(first().forces == second().forces);
        move(first, step);
        move(second, step);
    }
}
