// Pair formulas on Cpu, as loops of this file's instruction set and as run-time programs: against Reference, and with
// the same bits for any number of threads and after a restart.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <tuple>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/cpu.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "../../examples/pair_force.hpp"
#include "../user_forces/own_contexts.hpp"

using namespace trotter;

namespace {

/// The force of the example with a run-time formula.
struct TypedFadingForce {
    static constexpr std::string_view name = "TypedFadingForce";
    std::vector<FadingForce::Particle> particles;
    RuntimeExpression energy{std::string(FadingForce::energy.formula())};
    PairSettings pairs;
    std::vector<GlobalParameter> global_parameters{{"lambda", 1}};
    std::vector<std::string> energy_parameter_derivatives{"lambda"};
    int force_group = 0;

    static constexpr auto sites = &TypedFadingForce::particles;
    static constexpr auto fields = FadingForce::fields;
};

constexpr std::size_t particle_count = 4000;
Box const wide_box = Box::rectangular(6, 6.1, 6.2);

template <class F, class B, class P> auto context_with(B backend, P precision) {
    F force;
    for (std::size_t i = 0; i < particle_count; ++i)
        force.particles.push_back({0.25 + 0.01 * static_cast<double>(i % 7), 1});
    force.pairs = {.method = PairSettings::Method::cutoff_periodic,
                   .cutoff_distance = 0.9,
                   .use_switching_function = true,
                   .switching_distance = 0.7,
                   .exclusions = {{0, 1}, {7, 3}}};
    Context context{own_system_of(force, particle_count, wide_box), VerletIntegrator{.step_size = 0.002}, backend, precision};
    context.set_positions(scattered(particle_count, wide_box, 0.2, 3));
    context.set_parameter("lambda", 0.6);
    return context;
}

template <class F, class B> struct Way {
    using Force = F;
    static auto context(int threads) { return context_with<F>(B{.threads = threads}, Mixed{}); }
    template <class P> static Evaluation evaluated(P precision) {
        auto context = context_with<F>(B{.threads = 1}, precision);
        return evaluation(context);
    }
};
using FileCpu = BasicCpu<xsimd::default_arch>;
#ifdef TROTTER_TEST_WITH_SANITIZERS
using Ways = std::tuple<Way<FadingForce, FileCpu>, Way<TypedFadingForce, Cpu>>;
#else
using Ways = std::tuple<Way<FadingForce, Cpu>, Way<FadingForce, FileCpu>, Way<TypedFadingForce, Cpu>,
                        Way<TypedFadingForce, FileCpu>>;
#endif

}  // namespace

TEMPLATE_LIST_TEST_CASE("pairs of formulas agree with Reference", "[cpu]", Ways) {
    auto reference = context_with<typename TestType::Force>(Reference{}, Double{});
    auto const expected = evaluation(reference);
    auto const check = [&](Evaluation const& result, double tolerance) {
        CHECK(result.energy == Approx(expected.energy).epsilon(tolerance));
        CHECK(result.derivatives.at("lambda") == Approx(expected.derivatives.at("lambda")).epsilon(tolerance));
        CHECK(largest_difference(result.forces, expected.forces) <= tolerance * rms(expected.forces));
    };
    check(TestType::evaluated(Double{}), 1e-9);
    check(TestType::evaluated(Mixed{}), 2e-5);
}

TEMPLATE_LIST_TEST_CASE("pairs of formulas have the same bits for any number of threads", "[cpu]", Ways) {
    auto one = TestType::context(1), three = TestType::context(3);
    auto const a = evaluation(one), b = evaluation(three);
    CHECK(a.energy == b.energy);
    CHECK(a.derivatives == b.derivatives);
    CHECK(largest_difference(a.forces, b.forces) == 0);
}

TEMPLATE_LIST_TEST_CASE("pairs of formulas continue with the same bits", "[cpu]", Ways) {
    auto straight = TestType::context(2), resumed = TestType::context(1);
    straight.step(30);
    Archive archive;
    straight.save(archive);
    straight.step(30);
    Archive in(archive.bytes());
    resumed.load(in);
    resumed.step(30);
    CHECK(largest_difference(straight.positions(), resumed.positions()) == 0);
}
