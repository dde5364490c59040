// CustomGBForce: values computed by hand, gradients, the built-in model as formulas, updates, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/forces/custom_gb.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/nonbonded.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"

using namespace trotter;

namespace custom_gb_test {

using Catch::Matchers::Contains;
using Kind = CustomGBForce::Kind;
using Method = PairSettings::Method;

namespace {

constexpr std::size_t count = 14;
constexpr double cutoff = 0.9;
double tolerance(TestPlatform const& platform) { return platform.is_double ? 1e-9 : 5e-5; }

TabulatedFunction const table{
    .name = "table", .sizes = {8}, .ranges = {{0, 4}}, .values = {1, 1.3, 1.1, 0.7, 0.9, 1.2, 0.8, 0.6}};

RuntimeExpression formula(std::string const& text) { return CustomGBForce::formula(text, {table}); }

/// Particles with one parameter `a`.
CustomGBForce numbered(std::vector<double> const& numbers) {
    CustomGBForce force{.parameter_names = {"a"}};
    for (double const number : numbers) force.particles.push_back({number});
    return force;
}

/// Computed values of all kinds, with pair values at several positions, each dependent on those before it.
CustomGBForce layers(Method method) {
    CustomGBForce force{.parameter_names = {"a", "b"}, .tabulated_functions = {table}};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.5 + 0.1 * static_cast<double>(i % 3), 0.2 * static_cast<double>(i % 4)});
    force.global_parameters = {{"lambda", 0.7}, {"unused", 3}, {"scale", 0.2}};
    force.energy_parameter_derivatives = {"scale", "lambda"};
    force.computed_values = {
        {"rho", formula("a2*exp(-(r/0.4)^2)*(1 + 0.3*b1)*lambda"), Kind::particle_pair},
        {"f", formula("sqrt(rho + 1)*lambda + 0.1*x*y"), Kind::single_particle},
        {"sigma", formula("(f2*rho1 + 0.2*f1^2*b2)*exp(-r/0.3)*table(r)"), Kind::particle_pair_no_exclusions},
        {"w", formula("f^2 + 0.3*sigma + a*z"), Kind::single_particle},
        {"u", formula("scale*w2*sigma2*exp(-r)"), Kind::particle_pair}};
    force.energy_terms = {{formula("3*w*table(f) + 0.05*z^2*lambda"), Kind::single_particle},
                          {formula("scale*(w1 + f2)*(w2 + f1)*exp(-r/0.3)"), Kind::particle_pair},
                          {formula("0.1*u1*u2/(r + 0.2)"), Kind::particle_pair_no_exclusions},
                          {formula("u*f"), Kind::single_particle}};
    force.pairs = {.method = method, .cutoff_distance = cutoff, .exclusions = {{0, 1}, {5, 3}, {7, 12}, {0, 13}}};
    return force;
}

Vectors off_cutoff(Box const& box) {
    for (unsigned seed = 1;; ++seed)
        if (auto positions = scattered(count, box, 0.27, seed); no_pair_at(cutoff, positions, box)) return positions;
}

void check_same(TestPlatform const& platform, Evaluation const& result, Evaluation const& expected) {
    CHECK(result.energy == Approx(expected.energy).epsilon(tolerance(platform)));
    CHECK(largest_difference(result.forces, expected.forces) <= tolerance(platform) * rms(expected.forces));
    for (auto const& [name, value] : expected.derivatives)
        CHECK(result.derivatives.at(name) == Approx(value).epsilon(tolerance(platform)));
}

}  // namespace

TEST_CASE("a value of pairs is summed in both orders, an energy of pairs is taken once", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = numbered({2, 3, 5});
    force.computed_values = {{"v", formula("a1*a2^2*r"), Kind::particle_pair}};
    force.energy_terms = {{formula("v"), Kind::single_particle}, {formula("v1*v2"), Kind::particle_pair}};
    // On a line, at 0, 1 and 3.
    Vectors const line{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    double const v0 = 2 * (9 * 1 + 25 * 3), v1 = 3 * (4 * 1 + 25 * 2), v2 = 5 * (4 * 3 + 9 * 2);
    double const close = platform.is_double ? 1e-9 : 1e-5;
    CHECK(evaluate(platform, force, line).energy == Approx(v0 + v1 + v2 + v0 * v1 + v0 * v2 + v1 * v2).epsilon(close));
    // Without the pair (0, 1).
    force.pairs.exclusions = {{1, 0}};
    double const w0 = 2 * 25 * 3, w1 = 3 * 25 * 2;
    CHECK(evaluate(platform, force, line).energy == Approx(w0 + w1 + v2 + w0 * v2 + w1 * v2).epsilon(close));
    force.computed_values[0].kind = Kind::particle_pair_no_exclusions;
    CHECK(evaluate(platform, force, line).energy == Approx(v0 + v1 + v2 + v0 * v2 + v1 * v2).epsilon(close));
    // The cutoff also applies to excluded pairs.
    force.pairs.method = Method::cutoff_non_periodic;
    force.pairs.cutoff_distance = 1.5;
    CHECK(evaluate(platform, force, line).energy == Approx(2 * 9 + 3 * 4).epsilon(close));
    if (platform.is_on_device) return;  // slow compilers
    force.pairs.method = Method::cutoff_periodic;
    double const p0 = 2 * (9 + 25), p1 = 3 * 4, p2 = 5 * 4;
    CHECK(evaluate(platform, force, line, Box::rectangular(4, 4, 4)).energy
          == Approx(p0 + p1 + p2 + p0 * p2).epsilon(close));
}

TEST_CASE("energies of single particles need no values, and no second particle", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = numbered({2});
    force.energy_terms = {{formula("a*x^2 + y*z"), Kind::single_particle}};
    auto const result = evaluate(platform, force, {{1, 2, 3}});
    CHECK(result.energy == Approx(8));
    CHECK(norm(result.forces[0] - Vec3<>{-4, -3, -2}) < 1e-5);
    CHECK(evaluate(platform, numbered({2, 3}), {{1, 2, 3}, {0, 0, 0}}).energy == 0);
}

// Too slow for OpenCL compilers for CPUs; "change in a live Context" covers this there.
TEST_CASE("forces and derivatives go through all values", "[forces][cuda]") {
    auto const platform = each_platform();
    for (auto const method : {Method::cutoff_periodic, Method::no_cutoff, Method::cutoff_non_periodic})
        for (auto const& box : {small_box, skewed_box}) {
            INFO("method " << static_cast<int>(method) << (box.is_rectangular() ? "" : " triclinic"));
            auto const positions = off_cutoff(box);
            auto const force = layers(method);
            auto context = context_of(platform, system_of(force, count, box), positions);
            auto const result = evaluation(context);
            check_same(platform, result, evaluate(reference_platform, force, positions, box));
            if (platform.is_on_device) return;  // slow compilers
            if (!platform.is_double) continue;
            CHECK(largest_difference(result.forces, numerical_forces(context, positions)) < 1e-7 * rms(result.forces));
            context.set_positions(positions);
            for (auto const& [name, value] : std::map<std::string, double>{{"lambda", 0.7}, {"scale", 0.2}}) {
                auto const energy = [&](double change) {
                    context.set_parameter(name, value + change);
                    return context.evaluate({});
                };
                double const slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
                CHECK(result.derivatives.at(name) == Approx(slope).epsilon(1e-7));
                context.set_parameter(name, value);
            }
            CHECK_FALSE(result.derivatives.contains("unused"));
        }
}

TEST_CASE("the model of Onufriev, Bashford and Case as formulas is the built-in one", "[forces][devices][slow]") {
    auto const platform = each_platform();
    for (bool const is_periodic : {false, true}) {
        GBSAOBCForce built_in{
            .method = is_periodic ? GBSAOBCForce::Method::cutoff_periodic : GBSAOBCForce::Method::no_cutoff,
            .cutoff_distance = cutoff};
        CustomGBForce force{.parameter_names = {"q", "radius", "scale"}};
        for (std::size_t i = 0; i < count; ++i) {
            double const q = 0.3 * static_cast<double>(i % 5) - 0.5, radius = 0.12 + 0.01 * static_cast<double>(i % 7);
            built_in.particles.push_back({q, radius, 0.8});
            force.particles.push_back({q, radius, 0.8});
        }
        force.global_parameters = {{"solvent", 78.3}, {"shift", is_periodic ? 1 / cutoff : 0}};
        force.computed_values = {
            {"I",
             formula("step(U - rho)/2*(1/L - 1/U + (r*(1/U^2 - 1/L^2)*(1 - (s/r)^2) + 2*log(L/U)/r)/4"
                     " + select(step(s - r - rho), 2*(1/rho - 1/L), 0));"
                     "U = r + s; L = max(rho, abs(r - s)); rho = radius1 - 0.009; s = scale2*(radius2 - 0.009)"),
             Kind::particle_pair},
            {"B", formula("1/(1/rho - tanh(psi - 0.8*psi^2 + 4.85*psi^3)/radius); psi = I*rho; rho = radius - 0.009"),
             Kind::single_particle}};
        std::string const prefactor = "; c = -138.935457644382*(1 - 1/solvent)";
        force.energy_terms = {
            {formula("c*q^2/(2*B)" + prefactor), Kind::single_particle},
            {formula("28.3919551*(radius + 0.14)^2*(radius/B)^6"), Kind::single_particle},
            {formula("c*q1*q2*(1/sqrt(r^2 + B1*B2*exp(-r^2/(4*B1*B2))) - shift)" + prefactor), Kind::particle_pair}};
        if (is_periodic) force.pairs = {.method = Method::cutoff_periodic, .cutoff_distance = cutoff};
        auto const positions = scattered(count, small_box, 0.2, 5);
        auto const expected = evaluate(reference_platform, built_in, positions, small_box);
        auto const result = evaluate(platform, force, positions, small_box);
        double const close = platform.is_double ? 1e-8 : 5e-5;  // the factor of the surface term has nine digits
        CHECK(result.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(result.forces, expected.forces) <= close * rms(expected.forces));
    }
}

TEST_CASE("a value that is no number becomes no force that is one", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = numbered({1, 1, 1});
    force.computed_values = {{"v", formula("log(r - 1.5)"), Kind::particle_pair}};
    force.energy_terms = {{formula("a*v^2"), Kind::single_particle}};
    auto context = context_of(platform, system_of(force, 3), {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}});
    CHECK_THROWS_AS(context.state(Energy), SimulationError);
    CHECK_THROWS_AS(context.state(Forces), SimulationError);
}

TEST_CASE("numbers, tables and parameters change in a live Context", "[forces][devices][slow]") {
    auto const platform = each_platform();
    auto force = layers(Method::cutoff_periodic);
    auto const positions = off_cutoff(small_box);
    auto context = context_of(platform, system_of(force, count, small_box), positions);
    check_same(platform, evaluation(context), evaluate(reference_platform, force, positions, small_box));
    for (auto& row : force.particles) row[0] *= 1.3;
    for (double& value : force.tabulated_functions[0].values) value = 2 - value;
    force.tabulated_functions[0].ranges[0].max = 3.5;
    context.update(0, force);
    context.set_parameter("lambda", 0.4);
    check_same(platform, evaluation(context), evaluate(reference_platform, force, positions, small_box, {{"lambda", 0.4}}));

    auto const refused = [&](auto const& change, char const* what) {
        auto changed = force;
        change(changed);
        CHECK_THROWS_WITH(context.update(0, changed), Contains(what));
    };
    refused([](auto& f) { f.particles[3].pop_back(); }, "particle 3 has 1 parameters, expected 2");
    refused([](auto& f) { f.computed_values[1].expression = formula("rho"); }, "a computed value has changed");
    refused([](auto& f) { f.computed_values[0].kind = Kind::particle_pair_no_exclusions; },
            "a computed value has changed");
    refused([](auto& f) { f.energy_terms.pop_back(); }, "an energy term has changed");
    refused([](auto& f) { f.pairs.exclusions.pop_back(); }, "the settings of pairs have changed");
    refused([](auto& f) { f.energy_parameter_derivatives.clear(); }, "the wanted derivatives have changed");
    refused([](auto& f) { f.global_parameters[1].name = "other"; }, "the global parameters have changed");
    refused([](auto& f) { f.parameter_names[1] = "c", f.computed_values = {}, f.energy_terms = {}; }, "changed");
    refused([](auto& f) { f.tabulated_functions[0].sizes = {4, 2}; }, "table");
}

TEST_CASE("a senseless CustomGBForce is refused", "[forces]") {
    auto const refused = [](auto const& change, auto const& what) {
        auto force = layers(Method::cutoff_periodic);
        change(force);
        CHECK_THROWS_WITH(context_of(reference_platform, system_of(force, count, small_box)),
                          Contains("force 0 (CustomGBForce): ") && Contains(what));
    };
    refused([](auto& f) { f.computed_values[0].expression = formula("a2*q1"); },
            "computed value 0 ('rho') has the unknown name 'q1'; known: r, a1, a2, b1, b2, lambda, unused, scale");
    refused([](auto& f) { f.computed_values[1].expression = formula("rho*w"); },
            "computed value 1 ('f') has the unknown name 'w'; known: x, y, z, a, b, rho, lambda, unused, scale");
    refused([](auto& f) { f.computed_values[0].expression = formula("rho1*a2"); }, "unknown name 'rho1'");
    refused([](auto& f) { f.computed_values[0].expression = formula("a*r"); }, "unknown name 'a'");
    refused([](auto& f) { f.computed_values[1].expression = formula("a*r"); }, "unknown name 'r'");
    refused([](auto& f) { f.computed_values[0].expression = formula("x1*r"); }, "unknown name 'x1'");
    refused([](auto& f) { f.energy_terms[3].expression = formula("u1"); }, "energy term 3 has the unknown name 'u1'");
    refused([](auto& f) { f.energy_terms[1].expression = formula("w1*f2*r"); }, "energy term 1 of particles 0 and 1");
    refused([](auto& f) { f.energy_terms[1].expression = formula("a1 - a2"); }, "expected a formula that is symmetric");
    refused([](auto& f) { f.energy_terms[1].expression = formula("step(w1 - 2.5)*u2"); }, "is symmetric");
    refused([](auto& f) { f.energy_terms[1].expression = formula("delta(w1 - w2)*u2"); }, "is symmetric");
    refused([](auto& f) { f.tabulated_functions.clear(); }, "none of the force's tabulated functions");
    refused([](auto& f) { f.computed_values[3].name = "rho"; }, "computed value 3 has the name of something else");
    refused([](auto& f) { f.computed_values[3].name = "b"; }, "computed value 3 has the name of something else");
    refused([](auto& f) { f.parameter_names[1] = "y"; }, "parameter 1 of particles has the name of something else");
    refused([](auto& f) { f.global_parameters[1].name = "r"; }, "global parameter 1 has the name of something else");
    refused([](auto& f) { f.global_parameters[1].name = "a2"; }, "'a2'");
    refused([](auto& f) { f.global_parameters[0].default_value = NAN; },
            "the default value of the global parameter 'lambda' is");
    refused([](auto& f) { f.energy_parameter_derivatives = {"a"}; }, "a derivative by 'a' is asked for");
    refused([](auto& f) { f.particles.pop_back(); }, "parameters of 13 particles, expected 14");
    refused([](auto& f) { f.particles[2].push_back(1); }, "particle 2 has 3 parameters, expected 2");
    refused([](auto& f) { f.particles[2][1] = INFINITY; }, "particle 2: b is inf");
    refused([](auto& f) { f.pairs.exclusions.push_back({3, 14}); }, "exclusion 4: there is no particle 14");
    refused([](auto& f) { f.pairs.exclusions.push_back({1, 0}); }, "exclusion 4 repeats an earlier exclusion");
    refused([](auto& f) { f.pairs.cutoff_distance = 1.2; }, "cutoff");
    refused([](auto& f) { f.pairs.use_long_range_correction = true; }, "which this force has not");
}

}  // namespace custom_gb_test
