// User-defined pair forces with a formula: against the built-in force, gradients, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <tuple>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

#include "../forces/finite_differences.hpp"
#include "own_contexts.hpp"

using namespace trotter;
using Catch::Matchers::Contains;
using PairMethod = PairSettings::Method;

namespace {

/// Lennard-Jones as a user-defined force.
struct UserLennardJones {
    static constexpr std::string_view name = "UserLennardJones";
    struct Particle {
        double sigma = 1, epsilon = 0;
    };
    std::vector<Particle> particles{};
    PairSettings pairs{};
    int force_group = 0;

    static constexpr auto sites = &UserLennardJones::particles;
    static constexpr auto fields = std::tuple{Field{"sigma", "sig", &Particle::sigma, Valid::not_negative},
                                              Field{"epsilon", "eps", &Particle::epsilon, Valid::not_negative}};
    static constexpr Expression<"4*sqrt(epsilon1*epsilon2)*((s/r)^12-(s/r)^6); s=(sigma1+sigma2)/2"> energy{};
};

/// Soft-core particles (T. C. Beutler et al., Chem. Phys. Lett. 222, 529 (1994)) with a screened charge.
struct SoftCore {
    static constexpr std::string_view name = "SoftCore";
    struct Particle {
        double sigma = 1, epsilon = 0, charge = 0;
    };
    std::vector<Particle> particles{};
    PairSettings pairs{};
    std::vector<GlobalParameter> global_parameters{{"lambda", 0.7}, {"kappa", 2}};
    std::vector<std::string> energy_parameter_derivatives{"lambda", "kappa"};
    int force_group = 0;

    static constexpr auto sites = &SoftCore::particles;
    static constexpr auto fields =
        std::tuple{Field{"sigma", "sigma", &Particle::sigma}, Field{"epsilon", "epsilon", &Particle::epsilon},
                   Field{"q", "q", &Particle::charge}};
    static constexpr Expression<
        "4*lambda*eps*(1/u^2 - 1/u) + 138.9*q1*q2*exp(-kappa*r)/r; u = (1-lambda)^2/2 + (r/s)^6;"
        "s = (sigma1+sigma2)/2; eps = sqrt(epsilon1*epsilon2)">
        energy{};
};

/// Any formula with any parameters.
struct RuntimePairs {
    static constexpr std::string_view name = "RuntimePairs";
    std::vector<std::string> parameter_names{};
    std::vector<std::vector<double>> particles{};
    RuntimeExpression energy{};
    PairSettings pairs{};
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};
    int force_group = 0;

    static constexpr auto sites = &RuntimePairs::particles;
};

/// Every function of formulas, at compile time.
struct AllFunctions {
    static constexpr std::string_view name = "AllFunctions";
    struct Particle {
        double a = 1, b = 1;
    };
    std::vector<Particle> particles{};
    PairSettings pairs{};
    int force_group = 0;

    static constexpr auto sites = &AllFunctions::particles;
    static constexpr auto fields = std::tuple{Field{"a", "a", &Particle::a}, Field{"b", "b", &Particle::b}};
    static constexpr Expression<
        "b1*b2*(sqrt(r) + exp(-r) + log(r) + sin(r) + cos(r) + tan(r/9) + asin(r/9) + acos(r/9) + atan(r)) + atan2(r, "
        "a1+a2)"
        " + sinh(r/3) + cosh(r/3) + tanh(r) + erf(r) + erfc(r) + sec(r/9) + csc(r) + cot(r/9) + step(r - a1 - "
        "a2)*(b1+b2)"
        " + delta(r) + abs(r-1.01) + floor(3.1*r) + ceil(2.7*r) + select(step(r-a1-a2), b1*b2*r^3, 2/r^2) + min(r, "
        "a1*a2*3)"
        " + max(r, a1+a2) + r^(a1*a2) + abs(a1*a2)^1.5*r^2.5 + (b1*b2)^0.3/r^3 + (a1/b1 + a2/b2)*r">
        energy{};
};

constexpr std::size_t count = 14;

std::vector<PairSettings> all_settings() {
    std::vector<PairSettings> result;
    for (auto const method : {PairMethod::no_cutoff, PairMethod::cutoff_non_periodic, PairMethod::cutoff_periodic})
        for (bool const is_switched : {false, true})
            result.push_back({.method = method,
                              .cutoff_distance = 1,
                              .use_switching_function = is_switched,
                              .switching_distance = 0.6,
                              .exclusions = {{0, 1}, {3, 2}, {2, 9}}});
    return result;
}
/// Settings and boxes; fewer on devices, whose compilers are slow.
template <class TestedBackend> std::vector<std::pair<PairSettings, Box>> pair_cases() {
    auto const all = all_settings();
    if (TestedBackend::is_on_device) return {{all[0], small_box}, {all[5], skewed_box}};
    std::vector<std::pair<PairSettings, Box>> result;
    for (auto const& settings : all)
        for (auto const& box : {small_box, skewed_box}) result.emplace_back(settings, box);
    return result;
}
std::string described(PairSettings const& settings, Box const& box) {
    return "method " + std::to_string(static_cast<int>(settings.method))
           + (settings.use_switching_function ? " switched" : "") + (box.is_rectangular() ? "" : " triclinic");
}

UserLennardJones lennard_jones_of(std::size_t particles, PairSettings const& settings) {
    UserLennardJones force{.pairs = settings};
    for (std::size_t i = 0; i < particles; ++i)
        force.particles.push_back({0.25 + 0.01 * static_cast<double>(i % 9), 0.5 + 0.1 * static_cast<double>(i % 3)});
    return force;
}
NonbondedForce built_in(UserLennardJones const& force) {
    NonbondedForce result{.method = static_cast<NonbondedForce::Method>(force.pairs.method),
                          .cutoff_distance = force.pairs.cutoff_distance,
                          .use_switching_function = force.pairs.use_switching_function,
                          .switching_distance = force.pairs.switching_distance,
                          .use_dispersion_correction = false};
    for (auto const& [sigma, epsilon] : force.particles) result.particles.push_back({0, sigma, epsilon});
    for (auto const& [i, j] : force.pairs.exclusions) result.exceptions.push_back({i, j, 0, 1, 0});
    return result;
}
SoftCore soft_core(PairSettings const& settings) {
    SoftCore force{.pairs = settings};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.25 + 0.01 * static_cast<double>(i), 0.5 + 0.1 * static_cast<double>(i % 3),
                                   0.3 * static_cast<double>(i % 5) - 0.5});
    return force;
}
/// The same from run-time text.
template <class F> RuntimePairs at_run_time(F const& force, std::vector<std::string> names) {
    RuntimePairs result{.parameter_names = std::move(names),
                        .energy = RuntimeExpression(std::string(F::energy.formula())),
                        .pairs = force.pairs};
    for (auto const& particle : force.particles)
        std::apply([&](auto const&... field) { result.particles.push_back({particle.*field.member...}); }, F::fields);
    if constexpr (requires { force.global_parameters; }) {
        result.global_parameters = force.global_parameters;
        result.energy_parameter_derivatives = force.energy_parameter_derivatives;
    }
    return result;
}
Vectors off_cutoff(double cutoff, Box const& box, std::size_t particles = count) {
    for (unsigned seed = 1;; ++seed)
        if (auto positions = scattered(particles, box, 0.27, seed); no_pair_at(cutoff, positions, box))
            return positions;
}

void check_equal(Evaluation const& result, Evaluation const& expected, double tolerance) {
    CHECK(result.energy == Approx(expected.energy).epsilon(tolerance).margin(tolerance));
    CHECK(largest_difference(result.forces, expected.forces) <= tolerance * rms(expected.forces));
    for (auto const& [name, value] : expected.derivatives)
        CHECK(result.derivatives.at(name) == Approx(value).epsilon(tolerance).margin(tolerance));
}
#ifdef TROTTER_TEST_DEVICES
using FewBackends = std::tuple<TestedBackend<TestedDevice, Mixed>, TestedBackend<TestedDevice, Double>>;
#else
using FewBackends = TestedBackends;
#endif
template <class TestedBackend> constexpr double pair_tolerance = TestedBackend::is_double ? 1e-9 : 2e-5;
using OnReference = TestedBackend<Reference, Double>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("Lennard-Jones from a formula is the built-in one", "[forces][devices]", TestedBackends) {
    for (auto const& [settings, box] : pair_cases<TestType>()) {
        INFO(described(settings, box));
        auto const force = lennard_jones_of(count, settings);
        auto const positions = off_cutoff(1, box);
        auto const expected = evaluate(reference_platform, built_in(force), positions, box);
        check_equal(evaluate<TestType>(force, positions, box), expected, pair_tolerance<TestType>);
        if (TestType::is_on_device) continue;  // all device text is generated at run time
        check_equal(evaluate<TestType>(at_run_time(force, {"sigma", "epsilon"}), positions, box), expected,
                    pair_tolerance<TestType>);
    }
}

TEMPLATE_LIST_TEST_CASE("a formula with global parameters and derivatives by them", "[forces][devices]",
                        TestedBackends) {
    for (auto const& [settings, box] : pair_cases<TestType>()) {
        INFO(described(settings, box));
        auto const force = soft_core(settings);
        auto const positions = off_cutoff(1, box);
        ParameterValues const values{{"lambda", 0.4}, {"kappa", 3}};
        auto const expected = evaluate<OnReference>(force, positions, box, values);
        check_equal(evaluate<TestType>(force, positions, box, values), expected, pair_tolerance<TestType>);
        auto const of_text = at_run_time(force, {"sigma", "epsilon", "q"});
        auto context = context_of<TestType>(own_system_of(of_text, count, box), positions);
        check_equal(evaluation(context), evaluate<OnReference>(force, positions, box), pair_tolerance<TestType>);
        // Parameters change in a running Context.
        for (auto const& [name, value] : values) context.set_parameter(name, value);
        auto const result = evaluation(context);
        check_equal(result, expected, pair_tolerance<TestType>);
        // Bits of forces do not depend on other requested quantities.
        CHECK(largest_difference(context.state(Forces).forces, result.forces) == 0);
    }
}

TEST_CASE("forces and derivatives of formulas are those of their energy", "[forces]") {
    for (auto const& settings : all_settings())
        for (auto const& box : {small_box, skewed_box}) {
            INFO(described(settings, box));
            auto const positions = off_cutoff(1, box);
            auto context = context_of<OnReference>(own_system_of(soft_core(settings), count, box), positions);
            auto const result = evaluation(context);
            CHECK(largest_difference(result.forces, numerical_forces(context, positions)) < 1e-7 * rms(result.forces));
            context.set_positions(positions);
            for (auto const& entry : result.derivatives) {
                auto const& name = entry.first;
                double const at = context.parameter(name), step = 1e-4;
                auto energy = [&](double shift) {
                    context.set_parameter(name, at + shift);
                    return context.evaluate({});
                };
                double const slope =
                    (8 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) / (12 * step);
                context.set_parameter(name, at);
                CHECK(entry.second == Approx(slope).epsilon(1e-8));
            }
        }
}

TEMPLATE_LIST_TEST_CASE("many particles, more than one cell of a list", "[forces][devices]", FewBackends) {
    Box const box{{5.1, 0, 0}, {1.1, 5.2, 0}, {-0.7, 0.8, 5.3}};
    auto force = lennard_jones_of(700, {.method = PairMethod::cutoff_periodic, .cutoff_distance = 0.9});
    for (int i = 0; i + 1 < 700; i += 3) force.pairs.exclusions.push_back({i + 1, i});
    auto const positions = scattered(700, box, 0.27, 5);
    auto const expected = evaluate(reference_platform, built_in(force), positions, box);
    // A pair at the cutoff may be on either side of it in float.
    double const close = TestType::is_double ? 1e-9 : 1e-4;
    check_equal(evaluate<TestType>(force, positions, box), expected, close);
    if (TestType::is_on_device) return;
    check_equal(evaluate<TestType>(at_run_time(force, {"sigma", "epsilon"}), positions, box), expected, close);
}

TEMPLATE_LIST_TEST_CASE("roots of negative products are taken as they are written", "[forces][devices]", FewBackends) {
    RuntimePairs force{
        .parameter_names = {"a"}, .particles = {{-2}, {-3}, {-0.5}}, .energy = RuntimeExpression("sqrt(a1*a2)/r")};
    Vectors const positions{{0, 0, 0}, {0.5, 0, 0}, {0, 0.25, 0}};
    double const expected = std::sqrt(6) / 0.5 + 1 / 0.25 + std::sqrt(1.5) / std::sqrt(0.3125);
    CHECK(evaluate<TestType>(force, positions).energy == Approx(expected).epsilon(10 * TestType::rounding));
    // The signs may change in a running Context.
    auto context = context_of<TestType>(own_system_of(force, 3), positions);
    CHECK(evaluation(context).energy == Approx(expected).epsilon(10 * TestType::rounding));
    for (auto& particle : force.particles) particle[0] *= -4;
    context.update(0, force);
    CHECK(evaluation(context).energy == Approx(4 * expected).epsilon(10 * TestType::rounding));
    for (auto& particle : force.particles) particle[0] /= -4;
    context.update(0, force);
    CHECK(evaluation(context).energy == Approx(expected).epsilon(10 * TestType::rounding));
}

TEMPLATE_LIST_TEST_CASE("all functions of formulas in pairs", "[forces][devices]", TestedBackends) {
    RuntimePairs force{.parameter_names = {"a", "b"}};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.3 + 0.02 * static_cast<double>(i), 1.0 + 0.1 * static_cast<double>(i)});
    force.global_parameters = {{"scale", 2}};
    force.energy_parameter_derivatives = {"scale"};
    auto const positions = scattered(count, small_box, 0.27, 3);
    std::vector<std::string> formulas{
        "scale*b1*b2*(sqrt(r) + exp(-r) + log(r) + sin(r) + cos(r) + tan(r/9) + asin(r/9) + acos(r/9) + atan(r))",
        "scale*(atan2(r, a1+a2) + sinh(r/3) + cosh(r/3) + tanh(r) + erf(r) + erfc(r) + sec(r/9) + csc(r) + cot(r/9))",
        "step(r - scale*(a1+a2)/2)*(b1+b2) + delta(r) + abs(r-1.01) + floor(3.1*r) + ceil(2.7*r)",
        "select(step(r-a1-a2), b1*b2*r^3, scale/r^2) + min(r, a1*a2*3) + max(r, a1+a2)",
        "r^(a1*a2) + abs(a1*a2)^1.5*r^2.5 + (b1*b2)^0.3/r^3 + scale*(a1/b1 + a2/b2)*r + scale",
        "scale*a1*a2",
        "3"};
    if (TestType::is_on_device) {
        std::string all;
        for (auto const& formula : formulas) all += (all.empty() ? "" : " + ") + formula;
        formulas = {all};
    }
    for (auto const& formula : formulas) {
        INFO(formula);
        force.energy = RuntimeExpression(formula);
        auto const expected = evaluate<OnReference>(force, positions, small_box);
        auto const result = evaluate<TestType>(force, positions, small_box);
        double const close = TestType::is_double ? 1e-9 : 2e-5, scale = std::max(1.0, rms(expected.forces));
        CHECK(result.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(result.forces, expected.forces) <= close * scale);
        if (expected.derivatives.at("scale") != 0)
            CHECK(result.derivatives.at("scale") == Approx(expected.derivatives.at("scale")).epsilon(close));
    }
}

TEMPLATE_LIST_TEST_CASE("all functions of a formula that the compiler knows", "[forces][devices]", FewBackends) {
    AllFunctions force;
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.3 + 0.02 * static_cast<double>(i), 1.0 + 0.1 * static_cast<double>(i)});
    auto const positions = scattered(count, small_box, 0.27, 3);
    check_equal(evaluate<TestType>(force, positions), evaluate<OnReference>(force, positions),
                pair_tolerance<TestType>);
}

TEMPLATE_LIST_TEST_CASE("two forces of pairs with cutoffs and groups of their own", "[forces][devices]", FewBackends) {
    auto near =
        lennard_jones_of(count, {.method = PairMethod::cutoff_periodic,
                                 .cutoff_distance = 0.6,
                                 .exclusions = {{0, 1}}});
    auto far = lennard_jones_of(count, {.method = PairMethod::cutoff_periodic, .cutoff_distance = 1});
    far.force_group = 3;
    System<ForceList<UserLennardJones>> both;
    both.box = small_box;
    for (std::size_t i = 0; i < count; ++i) both.add_particle(1);
    both.add(near);
    both.add(far);
    auto const positions = off_cutoff(1, small_box);
    auto context = context_of<TestType>(both, positions);
    auto const first = evaluate(reference_platform, built_in(near), positions, small_box),
               second = evaluate(reference_platform, built_in(far), positions, small_box);
    check_equal(evaluation(context, ForceGroups::only({0})), first, pair_tolerance<TestType>);
    check_equal(evaluation(context, ForceGroups::only({3})), second, pair_tolerance<TestType>);
    CHECK(evaluation(context).energy == Approx(first.energy + second.energy).epsilon(pair_tolerance<TestType>));
    CHECK(context.energies()[1] == Approx(second.energy).epsilon(pair_tolerance<TestType>));
}

TEMPLATE_LIST_TEST_CASE("the numbers of particles can be updated, settings not", "[forces][devices]", FewBackends) {
    auto force = lennard_jones_of(count, {.method = PairMethod::cutoff_periodic, .exclusions = {{0, 1}}});
    auto const positions = off_cutoff(1, small_box);
    auto context = context_of<TestType>(own_system_of(force, count, small_box), positions);
    auto const before = evaluation(context);
    for (auto& particle : force.particles) particle.epsilon *= 2;
    context.update(0, force);
    auto const after = evaluation(context);
    CHECK(after.energy == Approx(2 * before.energy).epsilon(pair_tolerance<TestType>));
    CHECK(after.forces[5].x == Approx(2 * before.forces[5].x).epsilon(pair_tolerance<TestType>));
    force.pairs.exclusions.push_back({2, 3});
    CHECK_THROWS_WITH(context.update(0, force), Contains("the settings of pairs have changed"));
    force.particles.pop_back();
    CHECK_THROWS_WITH(context.update(0, force), Contains("parameters of 13 particles, expected 14"));
    CHECK(evaluation(context).energy == after.energy);
}

TEMPLATE_LIST_TEST_CASE("senseless forces of pairs are refused by index and value", "[forces][devices]",
                        TestedBackends) {
    auto const refused = [](auto const& change) {
        return [change] {
            RuntimePairs force{.parameter_names = {"a", "b"}, .particles = std::vector<std::vector<double>>(4, {1, 2})};
            force.energy = RuntimeExpression("a1*a2/r");
            force.pairs = {.method = PairMethod::cutoff_periodic, .cutoff_distance = 0.9};
            change(force);
            context_of<TestType>(own_system_of(force, 4, small_box));
        };
    };
    CHECK_NOTHROW(refused([](auto&) {})());
    CHECK_THROWS_WITH(refused([](auto& f) { f.pairs.cutoff_distance = 1.2; })(),
                      Contains("cutoff is 1.2") && Contains("half"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.pairs.cutoff_distance = 0; })(), Contains("cutoff is 0.0"));
    CHECK_THROWS_WITH(refused([](auto& f) {
                          f.pairs.exclusions = {{0, 1}, {2, 4}};
                      })(),
                      Contains("force 0 (RuntimePairs)") && Contains("exclusion 1: there is no particle 4"));
    CHECK_THROWS_WITH(refused([](auto& f) {
                          f.pairs.exclusions = {{0, 1}, {1, 0}};
                      })(),
                      Contains("exclusion 1 repeats") && Contains("particles 1 and 0"));
    CHECK_THROWS_WITH(refused([](auto& f) {
                          f.pairs.exclusions = {{2, 2}};
                      })(),
                      Contains("pairs particle 2 with itself"));
    CHECK_THROWS_WITH(
        refused([](auto& f) { f.pairs.use_switching_function = true, f.pairs.switching_distance = 0.9; })(),
        Contains("switching distance is 0.9"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.particles[2].pop_back(); })(),
                      Contains("particle 2 has 1 parameters, expected 2: a, b"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.particles.pop_back(); })(),
                      Contains("parameters of 3 particles, expected 4"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.particles[3][1] = std::nan(""); })(), Contains("particle 3: b is nan"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.energy = RuntimeExpression("a1*a2*c/r"); })(),
                      Contains("unknown name 'c'; known: r, a1, a2, b1, b2"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.energy = RuntimeExpression("a*r"); })(), Contains("unknown name 'a'"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.energy_parameter_derivatives = {"lambda"}; })(),
                      Contains("a derivative by 'lambda' is asked for"));
    CHECK_THROWS_WITH(refused([](auto& f) { f.global_parameters = {{"b2", 1}}; })(), Contains("global parameter 'b2'"));
    CHECK_THROWS_WITH(refused([](auto& f) {
                          f.particles[1] = {5, 7};
                          f.energy = RuntimeExpression("a1*b2/r");
                      })(),
                      Contains("expected a formula that is symmetric") && Contains("particles 0 and 1"));
}
