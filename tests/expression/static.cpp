// Compile-time checks by static_assert, and bitwise comparison of the compile-time and run-time front ends.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <trotter/expression/expression.hpp>

using namespace expression_test;
using expression::Malformed;

namespace {

using Bond = Expression<"k/2*(r - length)^2">;
static_assert(Formula<Bond> && Formula<RuntimeExpression>);
static_assert(Bond::names() == std::array<std::string_view, 3>{"k", "r", "length"});
static_assert(Bond::energy_and_slopes(std::array{10.0, 3.0, 1.0}).energy == 20);
static_assert(Bond::energy_and_slopes(std::array{10.0, 3.0, 1.0}).slopes == std::array{2.0, 20.0, -20.0});
static_assert(Bond::energy_and_slopes_of<"r">(std::array{10.0, 3.0, 1.0}).slopes == std::array{20.0});
static_assert(Bond::energy_and_slopes_of<"theta", "length">(std::array{10.0f, 3.0f, 1.0f}).slopes == std::array{0.0f, -20.0f});
static_assert(Bond::evaluator<double, "r">()(std::array{10.0, 3.0, 1.0}.data()).slopes[0] == 20);
static_assert(Expression<"3">::names().empty());
static_assert(Expression<"b + a*c; c = d; d = a/e">::names() == std::array<std::string_view, 3>{"b", "a", "e"});

constexpr Malformed kind(std::string_view text) { return expression::compile(text).problem.kind; }
constexpr int column(std::string_view text) { return expression::compile(text).problem.column; }
static_assert(kind("k/2*(r - length)^2") == Malformed::no);
static_assert(kind("k/2*(r - length") == Malformed::parenthesis_is_never_closed && column("k/2*(r - length") == 5);
static_assert(kind("k/2*") == Malformed::expression_ends_too_early && column("k/2*") == 5);
static_assert(kind("k**2") == Malformed::unexpected_character && column("k**2") == 3);
static_assert(kind("foo(k)") == Malformed::unknown_function);
static_assert(kind("min(k)") == Malformed::wrong_number_of_arguments);
static_assert(kind("k k") == Malformed::text_after_the_end);
static_assert(kind("k; =3") == Malformed::definition_has_no_name);

constexpr double constant(std::string_view text) {
    auto const compiled = expression::compile(text);
    return compiled.program.code.size() == 1 ? compiled.program.code[0].value : -1234;
}
static_assert(constant("-2^2") == -4 && constant("2^3^2") == 512 && constant("2-3-4") == -5 && constant("12/2/3") == 2);
static_assert(constant("2^-1*3") == 1.5 && constant("-3*2") == -6 && constant("--2") == 2 && constant("(2+3)*4") == 20);
static_assert(constant("step(0)") == 1 && constant("step(-1)") == 0 && constant("delta(0)") == 1 && constant("select(0,2,3)") == 3);
static_assert(constant("min(2,3)*max(2,3)") == 6 && constant("a*b; a=b+1; b=2") == 6 && constant("x-x") == 0 && constant("x^0*y/y") == 1);
static_assert(constant("1e*x+5") == 5 && constant(".5e1") == 5 && constant("1e1.") == 10 && constant(".") == 0);
static_assert(constant("0.1") == 0.1 && constant("138.935456") == 138.935456 && constant("6.02214076e23") == 6.02214076e23);
static_assert(constant("3.14159265358979323846264338327950288") == 3.14159265358979323846264338327950288);
static_assert(constant("4.9406564584124654e-324") == 4.9406564584124654e-324 && constant("2.2250738585072011e-308") == 2.2250738585072011e-308);

/// The number of operations of a kind in the program of value and all derivatives.
constexpr int count(std::string_view text, expression::Op op) {
    auto const compiled = expression::compile(text);
    int found = 0;
    for (auto const& instruction : compiled.program.code) found += instruction.op == op;
    return found;
}
static_assert(count("sin(x)*sin(x) + sin(x)", expression::Op::sin) == 1);
static_assert(count("a/r + b/r + c/r^6", expression::Op::reciprocal) == 1 && count("a/r + b/r + c/r^6", expression::Op::divide) == 0);
static_assert(count("abs(sqrt(x)^2 - x)", expression::Op::abs) == 0);

template <FixedString text>
void compare_front_ends() {
    CAPTURE(text.view());
    using Static = Expression<text>;
    RuntimeExpression const formula{std::string{text.view()}};
    REQUIRE(formula.names().size() == Static::size);
    std::array<double, Static::size> arguments{};
    std::array<Pair, Static::size> pairs{};
    for (std::size_t i = 0; i < Static::size; ++i) {
        CHECK(formula.names()[i] == Static::names()[i]);
        arguments[i] = 0.6 + 0.07 * static_cast<double>(i);
        pairs[i] = {arguments[i], 1.1};
    }
    auto const [energy, slopes] = Static::energy_and_slopes(arguments);
    std::array<double, Static::size> expected{};
    double const tolerance = 1e-14 * (1 + std::abs(energy));
    CHECK(std::abs(energy - formula.energy_and_slopes<double>(arguments, expected)) <= tolerance);
    for (std::size_t i = 0; i < Static::size; ++i) CHECK(std::abs(slopes[i] - expected[i]) <= 1e-14 * (1 + std::abs(slopes[i])));
    CHECK(Static::energy_and_slopes(pairs).energy.lane[0] == energy);
    auto const subset = Static::template energy_and_slopes_of<"r">(arguments);
    CHECK(subset.energy == energy);
    auto evaluate = formula.evaluator<double, "r">();
    CHECK(std::abs(evaluate(arguments.data()).slopes[0] - subset.slopes[0]) <= 1e-14 * (1 + std::abs(subset.slopes[0])));
}

}  // namespace

TEST_CASE("formulas of the compiler and of the run time agree") {
    compare_front_ends<"k/2*(r - length)^2">();
    compare_front_ends<"4*eps*((sig/r)^12-(sig/r)^6); sig=0.5*(s1+s2); eps=sqrt(e1*e2)">();
    compare_front_ends<"138.935456*q1*q2*erfc(3.1*r)/r">();
    compare_front_ends<"k*(1 + cos(n*theta - phase))">();
    compare_front_ends<"c0 + x*(c1 + x*(c2 + x*(c3 + x*(c4 + x*c5)))); x = -cos(r)">();
    compare_front_ends<"D*(1 - exp(-a*(r - r0)))^2">();
    compare_front_ends<"select(step(r-s), min(r, k)^2.5, max(r,k)^-3) + abs(r-k) + atan2(r, k)">();
    compare_front_ends<"sqrt(2)*r + 3^0.5 + exp(1)/r + r^0.3">();
}
