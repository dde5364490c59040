// Every function of formulas: values against <cmath>, derivatives against finite differences.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <functional>

using namespace expression_test;

namespace {
struct Case {
    std::string text;
    std::function<double(double, double)> expected;
};

double step(double x) { return x < 0 ? 0 : 1; }

std::vector<Case> const cases{
    {"sqrt(x)", [](double x, double) { return std::sqrt(x); }},
    {"exp(x)", [](double x, double) { return std::exp(x); }},
    {"log(x)", [](double x, double) { return std::log(x); }},
    {"sin(x)", [](double x, double) { return std::sin(x); }},
    {"cos(x)", [](double x, double) { return std::cos(x); }},
    {"sec(x)", [](double x, double) { return 1 / std::cos(x); }},
    {"csc(x)", [](double x, double) { return 1 / std::sin(x); }},
    {"tan(x)", [](double x, double) { return std::tan(x); }},
    {"cot(x)", [](double x, double) { return 1 / std::tan(x); }},
    {"asin(x)", [](double x, double) { return std::asin(x); }},
    {"acos(x)", [](double x, double) { return std::acos(x); }},
    {"atan(x)", [](double x, double) { return std::atan(x); }},
    {"atan2(x, y)", [](double x, double y) { return std::atan2(x, y); }},
    {"sinh(x)", [](double x, double) { return std::sinh(x); }},
    {"cosh(x)", [](double x, double) { return std::cosh(x); }},
    {"tanh(x)", [](double x, double) { return std::tanh(x); }},
    {"erf(x)", [](double x, double) { return std::erf(x); }},
    {"erfc(x)", [](double x, double) { return std::erfc(x); }},
    {"step(x-y)", [](double x, double y) { return step(x - y); }},
    {"delta(x-y)", [](double x, double y) { return x == y ? 1.0 : 0.0; }},
    {"square(x)", [](double x, double) { return x * x; }},
    {"cube(x)", [](double x, double) { return x * x * x; }},
    {"recip(x)", [](double x, double) { return 1 / x; }},
    {"min(x, y)", [](double x, double y) { return std::min(x, y); }},
    {"max(x, y)", [](double x, double y) { return std::max(x, y); }},
    {"abs(x-y)", [](double x, double y) { return std::abs(x - y); }},
    {"floor(5*x)", [](double x, double) { return std::floor(5 * x); }},
    {"ceil(5*x)", [](double x, double) { return std::ceil(5 * x); }},
    {"select(step(x-y), x^2, 3*y)", [](double x, double y) { return x >= y ? x * x : 3 * y; }},
    {"x^y", [](double x, double y) { return std::pow(x, y); }},
    {"x^2.7", [](double x, double) { return std::pow(x, 2.7); }},
    {"x^-1.5", [](double x, double) { return std::pow(x, -1.5); }},
    {"x^-9 + x^9 + x^200", [](double x, double) { return std::pow(x, -9) + std::pow(x, 9) + std::pow(x, 200); }},
    {"x/y + 1/(x*y)", [](double x, double y) { return x / y + 1 / (x * y); }},
};
}  // namespace

TEST_CASE("functions and their derivatives") {
    for (auto const& [text, expected] : cases)
        for (auto const& [x, y] : {std::pair{0.37, 0.61}, {0.72, 0.44}, {0.9, 0.93}}) {
            CAPTURE(text, x, y);
            RuntimeExpression const formula{text};
            auto const result = evaluate(formula, {{"x", x}, {"y", y}});
            CHECK(std::abs(result.energy - expected(x, y)) <= 1e-13 * std::max(1.0, result.scale));
            double const h = 1e-5;
            for (auto const& [name, slope] : result.slopes) {
                auto const at = [d_dx = name == "x", &f = expected, x = x, y = y](double d) { return d_dx ? f(x + d, y) : f(x, y + d); };
                double const difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
                CHECK(std::abs(slope - difference) <= 1e-8 * std::max(1.0, result.scale));
            }
        }
}

TEST_CASE("batches of lanes agree with scalars, bit for bit") {
    for (auto const& [text, expected] : cases) {
        CAPTURE(text);
        RuntimeExpression const formula{text};
        auto const names = formula.names();
        Values const first{{"x", 0.37}, {"y", 0.61}}, second{{"x", 0.93}, {"y", 0.44}};
        std::vector<Pair> arguments, slopes(names.size());
        for (auto const& name : names) arguments.emplace_back(first.at(name), second.at(name));
        auto const energy = formula.energy_and_slopes<Pair>(arguments, slopes);
        auto const a = evaluate(formula, first), b = evaluate(formula, second);
        CHECK((energy.lane[0] == a.energy && energy.lane[1] == b.energy));
        for (std::size_t i = 0; i < names.size(); ++i)
            CHECK((slopes[i].lane[0] == a.slopes.at(names[i]) && slopes[i].lane[1] == b.slopes.at(names[i])));
    }
}

TEST_CASE("columns of any length agree with single sets, bit for bit") {
    RuntimeExpression const formula{"4*eps*((sig/r)^12-(sig/r)^6) + select(step(r-1), r, 0)"};
    Evaluator<double> evaluate_many{formula};
    for (std::size_t const count : {0u, 1u, 63u, 64u, 65u, 200u}) {
        std::vector<std::vector<double>> columns(3), slopes(3, std::vector<double>(count));
        std::vector<double> energies(count);
        for (std::size_t i = 0; i < count; ++i) {
            columns[0].push_back(0.3);
            columns[1].push_back(0.32 + 0.001 * static_cast<double>(i));
            columns[2].push_back(0.33 + 0.01 * static_cast<double>(i));
        }
        std::vector<double const*> arguments{columns[0].data(), columns[1].data(), columns[2].data()};
        std::vector<double*> results{slopes[0].data(), nullptr, slopes[2].data()};
        evaluate_many(count, arguments, energies.data(), results);
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<double> const one{columns[0][i], columns[1][i], columns[2][i]};
            std::vector<double> expected(3);
            CHECK(energies[i] == formula.energy_and_slopes<double>(one, expected));
            CHECK(slopes[0][i] == expected[0]);
            CHECK(slopes[2][i] == expected[2]);
        }
    }
}

TEST_CASE("a branch that is not taken never spoils a slope") {
    for (auto const* text : {"select(step(x-1), log(x-1), x^2)", "select(step(x-1), sqrt(x-1)*y, 0)^2 + x", "max(0, x)*select(step(-x), log(-x), 1)",
                             "select(step(x-1), u, 0) + 2*select(step(x-2), u*y, 0); u=log(x-1)"}) {
        CAPTURE(text);
        for (auto const& [name, slope] : evaluate(RuntimeExpression{text}, {{"x", 0.5}, {"y", 2}}).slopes) CHECK(std::isfinite(slope));
    }
}

TEST_CASE("half-integer powers have their slopes at 0") {
    auto const slope = [](std::string const& text) { return evaluate(RuntimeExpression{text}, {{"x", 0}}).slopes.at("x"); };
    CHECK(slope("x^1.5") == 0);
    CHECK(slope("exp(x^2.5)") == 0);
    CHECK(slope("2^x^1.5 + 3*x") == 3);
    CHECK(std::isinf(slope("x^0.5")));
    CHECK(std::isinf(slope("x^(-1.5)")));
}

TEST_CASE("where a formula has no number, it has what OpenMM's has") {
    auto const value = [](std::string const& text, double x) { return evaluate(RuntimeExpression{text}, {{"x", x}}).energy; };
    CHECK(value("step(acos(x))", 2) == 0);
    CHECK(value("min(acos(x), x)", 2) == 2);  // the second operand, whichever is NaN
    CHECK(std::isnan(value("min(x, acos(x))", 2)));
    CHECK(value("max(acos(x), x)", 2) == 2);
    CHECK(std::isnan(value("max(x, acos(x))", 2)));
    CHECK(value("select(acos(x), 3, 4)", 2) == 3);
    CHECK(std::isnan(value("sqrt(x)^4", -2)));  // but the square of a root is simplified to its radicand
    CHECK(value("sqrt(x)^2", -2) == -2);
    CHECK(evaluate(RuntimeExpression{"abs(-x)"}, {{"x", 0}}).slopes.at("x") == -1);
    // SIMD batches, whose libraries differ there.
    auto const pair = [](std::string const& text, double x, double y) {
        RuntimeExpression const formula(text, {"x", "y"});
        Evaluator<Pair> evaluate(formula);
        std::vector<Pair> arguments, slopes(2);
        for (auto const& name : formula.names()) arguments.push_back(Pair(name == "x" ? x : y));
        return evaluate(arguments.data(), slopes.data()).lane[1];
    };
    CHECK(std::isinf(pair("x^y", 0, -0.3)));
    CHECK(pair("acos(2*x)^(y - 1)", 1, 1) == 1);
    CHECK(pair("erfc(x) + erf(y)", 1e100, -1e100) == -1);
    CHECK(pair("atan2(x, y)", 0, 0) == 0);
    CHECK(pair("step(acos(x)) + y", 2, 1) == 1);
}

TEST_CASE("custom functions are evaluated by the caller, value and derivatives at once") {
    std::vector<expression::CustomFunction> const functions{{"f", 2}, {"sin", 1}};
    RuntimeExpression const formula{"f(2*x, y)*x + sin(y)", AnyName{}, functions};
    int calls = 0;
    expression::LaneByLane const custom{[&](int function, std::span<double const> at, std::span<double> slopes) {
        ++calls;
        if (function == 1) return slopes[0] = 10, 10 * at[0];
        slopes[0] = 2 * at[0] * std::pow(at[1], 3);  // f(u, v) = u² v³
        slopes[1] = 3 * std::pow(at[0], 2) * std::pow(at[1], 2);
        return std::pow(at[0], 2) * std::pow(at[1], 3);
    }};
    std::vector<double> const arguments{0.3, 0.7};
    std::vector<double> slopes(2);
    double const energy = formula.energy_and_slopes<double>(arguments, slopes, custom);
    double const x = 0.3, y = 0.7;
    CHECK(calls == 2);
    CHECK(std::abs(energy - (4 * x * x * y * y * y * x + 10 * y)) < 1e-14);
    CHECK(std::abs(slopes[0] - 12 * x * x * y * y * y) < 1e-14);
    CHECK(std::abs(slopes[1] - (12 * x * x * x * y * y + 10)) < 1e-14);
}
