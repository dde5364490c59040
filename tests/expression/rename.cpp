// Substitution of formulas into others, with renamed variables.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/expression/rename.hpp>
#include <trotter/expression/runtime_expression.hpp>

using namespace trotter;

namespace {

std::string of_particle1(std::string_view formula) {
    return expression::renamed(
        formula, [](std::string_view name) { return std::string(name) + (name == "g" ? "" : "1"); }, ".own");
}

}  // namespace

TEST_CASE("variables are renamed, functions and numbers are not", "[expression]") {
    CHECK(of_particle1("a") == "a1");
    CHECK(of_particle1("-2e3*a^ b/(sqrt( ab )+g) - min(a,.5)") == "-2e3*a1^ b1/(sqrt( ab1 )+g) - min(a1,.5)");
    CHECK(of_particle1("exp*exp(exp)") == "exp1*exp(exp1)");
}

TEST_CASE("definitions of a renamed formula are its own, and seen by what stands before them", "[expression]") {
    CHECK(of_particle1("x + a; x=2*a") == "x.own + a1; x.own = 2*a1");
    CHECK(of_particle1("x; x = x + y ;; y = a;") == "x.own; x.own =  x1 + y.own; y.own =  a1");
    // The meaning of the new text: (a1 + 1)*2 + a1.
    RuntimeExpression const inside(of_particle1("x*2 + a; x = y + 1; y = a") + "; y = 5");
    CHECK(inside.names() == std::vector<std::string>{"a1"});
    double const at = 3;
    double slope = 0;
    CHECK(inside.energy_and_slopes<double>(std::span(&at, 1), std::span(&slope, 1)) == 11);
    CHECK(slope == 3);
}
