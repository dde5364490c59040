// Tabulated functions: OpenMM's values, use in pair formulas, updates, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/tables/tables.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"
#include "folder.hpp"

using namespace trotter;

namespace tables_test {

using Catch::Matchers::Contains;
using Method = PairSettings::Method;

namespace {

constexpr std::size_t count = 14;
constexpr double cutoff = 0.9;
Vectors const positions = scattered(count, small_box, 0.27, 1);

/// A table in the format of data/make_tables.py: its header, and its values.
TabulatedFunction read_table(std::istringstream& head, std::istringstream values) {
    TabulatedFunction table{.name = "f"};
    std::string kind;
    int arguments = 0;
    head >> kind >> arguments;
    table.sizes.resize(static_cast<std::size_t>(arguments));
    for (int& size : table.sizes) head >> size;
    if (kind != "discrete") table.ranges.resize(table.sizes.size());
    for (auto& range : table.ranges) head >> range.min >> range.max;
    table.periodic = kind == "periodic";
    for (double value = 0; values >> value;) table.values.push_back(value);
    return table;
}

/// A table smooth enough for finite differences, and not symmetric in its arguments.
TabulatedFunction table(std::string const& name, std::vector<int> const& sizes, bool is_periodic = false) {
    TabulatedFunction result{.name = name, .sizes = sizes, .periodic = is_periodic};
    std::size_t values = 1;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        result.ranges.push_back({n == 0 ? 0 : -0.5, n == 0 ? 1.5 : 2});
        values *= static_cast<std::size_t>(sizes[n]);
    }
    for (std::size_t i = 0; i < values; ++i) {
        double value = 1;
        std::size_t rest = i;
        for (int const size : sizes) {
            auto const s = static_cast<std::size_t>(size);
            value = 0.5 * value + std::sin(0.9 * static_cast<double>(rest % s % (is_periodic ? s - 1 : s)) + value);
            rest /= s;
        }
        result.values.push_back(value);
    }
    return result;
}
TabulatedFunction steps(std::string const& name, std::vector<int> const& sizes) {
    auto result = table(name, sizes);
    result.ranges.clear();
    return result;
}

PairSettings settings(Method method = Method::cutoff_periodic) {
    return {.method = method, .cutoff_distance = cutoff, .use_switching_function = true, .switching_distance = 0.7};
}
CustomNonbondedForce force_of(std::string const& formula, std::vector<TabulatedFunction> const& tables) {
    CustomNonbondedForce force{.energy = CustomNonbondedForce::formula(formula, tables),
                               .parameter_names = {"q", "type"},
                               .tabulated_functions = tables,
                               .global_parameters = {{"lambda", 0.7}},
                               .energy_parameter_derivatives = {"lambda"},
                               .pairs = settings()};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.5 + 0.1 * static_cast<double>(i % 3), static_cast<double>(i % 4)});
    return force;
}
/// All kinds of tables in one formula.
CustomNonbondedForce everything() {
    return force_of(
        "lambda*a(r)*e(type1, type2) + b(r, u)*d(type1)*d(type2) + c(r, u, lambda) + p(3*r + u) + g(r/0.3, lambda, 1); "
        "u = q1*q2",
        {table("a", {9}), table("b", {5, 4}), table("c", {5, 4, 3}), table("p", {7}, true), steps("d", {4}),
         [] {
             auto symmetric = steps("e", {4, 4});
             for (std::size_t i = 0; i < 16; ++i) symmetric.values[i] = std::cos(static_cast<double>(i / 4 + i % 4));
             return symmetric;
         }(),
         steps("g", {4, 2, 2})});
}

void check_same(TestPlatform const& platform, CustomNonbondedForce const& force, Evaluation const& result, double lambda = 0.7) {
    auto const expected = evaluate(reference_platform, force, positions, small_box, {{"lambda", lambda}});
    // float: arguments of tables are rounded, and derivatives are a thousand times the values
    double const tolerance = platform.is_double ? 1e-11 : 3e-5;
    CHECK(result.energy == Approx(expected.energy).epsilon(tolerance));
    CHECK(largest_difference(result.forces, expected.forces) <= tolerance * rms(expected.forces));
    CHECK(result.derivatives.at("lambda") == Approx(expected.derivatives.at("lambda")).epsilon(tolerance));
}

}  // namespace

TEST_CASE("tabulated functions have OpenMM's values and slopes", "[forces]") {
    std::ifstream file(tests_folder() + "/forces/data/tables.txt");
    REQUIRE(file);
    Tables tables;
    std::size_t arguments = 0, checked = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first == "table") {
            std::string values;
            std::getline(file, values);
            auto const function = read_table(words, std::istringstream(values));
            CAPTURE(line);
            tables = Tables({function});
            arguments = function.sizes.size();
            continue;
        }
        std::array<double, 3> x{}, slopes{};
        for (std::size_t n = 0; n < arguments; ++n) words >> x[n];
        CAPTURE(line);
        double expected = 0;
        words >> expected;
        CHECK(std::abs(tables.evaluate(0, x.data(), slopes.data()) - expected) < 1e-12 * (1 + std::abs(expected)));
        for (std::size_t n = 0; n < arguments; ++n) {
            words >> expected;
            REQUIRE(words);
            CHECK(std::abs(slopes[n] - expected) < 1e-11 * (1 + std::abs(expected)));
        }
        ++checked;
    }
    CHECK(checked > 150);
}

TEST_CASE("what is no number stays none in a continuous table", "[forces]") {
    Tables const tables({table("f", {5}), table("g", {5}, true)});
    double x = std::nan(""), slope = 0;
    CHECK(std::isnan(tables.evaluate(0, &x, &slope)));
    CHECK(std::isnan(tables.evaluate(1, &x, &slope)));
}

TEST_CASE("forces of formulas with tables are minus the gradient", "[forces]") {
    auto force = everything();
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic}) {
        force.pairs.method = method;
        auto context = context_of(reference_platform, system_of(force, count, small_box), positions);
        auto const expected = evaluation(context).forces;
        // fourth order with steps of 1e-4 nm, but the third derivatives of splines are discontinuous
        CHECK(largest_difference(numerical_forces(context, positions), expected) < 1e-6 * rms(expected));
    }
}

TEST_CASE("formulas of pairs call tables", "[forces]") {
    auto const platform = each_platform();
    auto const force = everything();
    auto context = context_of(platform, system_of(force, count, small_box), positions);
    check_same(platform, force, evaluation(context));
    context.set_parameter("lambda", 0.2);
    check_same(platform, force, evaluation(context), 0.2);
}

TEST_CASE("values and ranges of tables are updated in a live Context", "[forces]") {
    auto const platform = each_platform();
    auto force = everything();
    auto context = context_of(platform, system_of(force, count, small_box), positions);
    (void)evaluation(context);
    for (auto& function : force.tabulated_functions)
        for (double& value : function.values) value = 2 - value * value;
    force.tabulated_functions[0].ranges[0] = {0.1, 1.1};
    context.update(0, force);
    check_same(platform, force, evaluation(context));
    force.tabulated_functions[1].sizes = {4, 5};
    CHECK_THROWS_WITH(context.update(0, force),
                      Contains("tabulated function 'b' has changed its name, its sizes or its kind"));
    force.tabulated_functions.pop_back();
    CHECK_THROWS_WITH(context.update(0, force), Contains("unknown function 'g'"));
}

TEST_CASE("computed values and the mean beyond the cutoff see tables", "[forces]") {
    auto const platform = each_platform();
    std::vector<TabulatedFunction> const tables{steps("d", {4}), table("a", {9})};
    auto force = force_of("lambda*c1*c2/r^6 + a(r)", tables);
    force.computed_values = {{"c", CustomNonbondedForce::formula("d(type) + a(q)", tables)}};
    force.pairs.use_long_range_correction = true;
    force.tabulated_functions[1].ranges[0].max = 0.8;  // 0 beyond
    force.tabulated_functions[1].values.back() = 0;
    check_same(platform, force, evaluate(platform, force, positions, small_box));
    auto without = force;
    without.energy = RuntimeExpression("lambda*c1*c2/r^6");
    auto const tail_of = [](CustomNonbondedForce each) {
        double const with = evaluate(reference_platform, each, positions, small_box).energy;
        each.pairs.use_long_range_correction = false;
        return with - evaluate(reference_platform, each, positions, small_box).energy;
    };
    if (!platform.is_on_device) {
        CHECK(tail_of(without) != 0);
        CHECK(tail_of(force) != tail_of(without));  // the switching function also reduces the energy of the table
    }
}

TEST_CASE("senseless tables are refused", "[forces]") {
    auto const refused = [](auto const& change) {
        auto function = table("f", {4, 3}, true);
        change(function);
        try {
            Tables const tables({function});
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    CHECK(refused([](auto&) {}) == "taken");
    CHECK(refused([](auto& f) { f.sizes = {}; }) == "the tabulated function 'f' has 0 arguments, expected 1 to 3");
    CHECK(refused([](auto& f) {
              f.sizes = {1, 1, 1, 1};
          })
          == "the tabulated function 'f' has 4 arguments, expected 1 to 3");
    CHECK(refused([](auto& f) { f.ranges.pop_back(); }) == "the tabulated function 'f' has 1 ranges for 2 arguments");
    CHECK(refused([](auto& f) {
              f.sizes = {6, 2};
          })
          == "the tabulated function 'f' has 2 values along argument 2, expected at least 3 where it is periodic");
    CHECK(refused([](auto& f) {
              f.sizes = {12, 1}, f.periodic = false;
          })
          == "the tabulated function 'f' has 1 values along argument 2, expected at least 2");
    CHECK(refused([](auto& f) {
              f.sizes = {-3, -4};
          })
          == "the tabulated function 'f' has -3 values along argument 1, expected at least 3 where it is periodic");
    CHECK(refused([](auto& f) { f.sizes = {0}, f.ranges = {}, f.values = {}; })
          == "the tabulated function 'f' has 0 values along argument 1, expected at least 1");
    CHECK(refused([](auto& f) { f.values.pop_back(); }) == "the tabulated function 'f' has 11 values, expected 12");
    CHECK(refused([](auto& f) { f.ranges[1] = {2, 2}; })
          == "the tabulated function 'f': argument 2 goes from 2.000000 to 2.000000, expected a maximum above the minimum");
    CHECK(refused([](auto& f) { f.ranges[0].max = std::nan(""); }).find("argument 1 goes from") != std::string::npos);
    CHECK(refused([](auto& f) { f.values[7] = INFINITY; })
          == "the tabulated function 'f': value 7 is inf, expected a finite number");
    CHECK(refused([](auto& f) { f.values[11] *= 1 + 1e-15; }) == "taken");
    CHECK_THAT(refused([](auto& f) { f.values[11] *= 1 + 1e-13; }), Contains("is periodic, but its value 11 is"));
    CHECK_THROWS_WITH(Tables({table("f", {3}), table("f", {4})}), "tabulated functions 0 and 1 have the same name 'f'");
}

TEST_CASE("formulas that call no table of the force are refused", "[forces]") {
    auto force = force_of("a(r)", {table("a", {4})});
    force.tabulated_functions.clear();
    CHECK_THROWS_WITH(context_of(reference_platform, system_of(force, count, small_box)),
                      Contains("none of the force's tabulated functions"));
    CHECK_THROWS_WITH(force_of("a(r, r)", {table("a", {4})}), Contains("takes 1 argument"));
    CHECK_THROWS_WITH(force_of("b(r)", {table("a", {4})}), Contains("unknown function 'b'"));
}

}  // namespace tables_test
