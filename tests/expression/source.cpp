// Units as C text: few operations, shared temporaries, and numbers that survive.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <trotter/expression/expression.hpp>
#include <trotter/expression/source.hpp>

using namespace expression_test;

namespace {
std::string text_of(std::string const& formula, std::vector<std::string> targets) {
    RuntimeExpression const parsed{formula};
    targets.resize(parsed.names().size() + 1);
    return expression::source(parsed.unit(), parsed.names(), targets);
}
auto occurrences(std::string const& text, char c) { return std::count(text.begin(), text.end(), c); }
}  // namespace

TEST_CASE("powers of one base share their products") {
    // One chain of squarings for both powers would take five products; that 12 is twice 6 makes it four.
    CHECK(text_of("x^12-x^6", {"energy"}) == "const real temp0 = x*x;\nconst real temp1 = temp0*temp0;\nconst real temp2 = temp0*temp1;\n"
                                            "const real temp3 = temp2*temp2;\nconst real temp4 = temp3 - temp2;\nenergy = temp4;\n");
    auto const energy = text_of("4*epsilon*((sigma/r)^12-(sigma/r)^6)", {"energy"});
    CHECK(occurrences(energy, '*') - 2 <= 5);  // two more products belong to 4*epsilon*(…)
    CHECK(energy.find("pow") == std::string::npos);
    auto const unit = text_of("4*epsilon*((sigma/r)^12-(sigma/r)^6)", {"energy", "", "", "slope"});
    CHECK(occurrences(unit, '/') == 1);
    CHECK(occurrences(unit, '*') <= 15);  // six of them for the powers 5, 6, 11 and 12
    CHECK(text_of("x^5+x^-5", {"energy"}).find("1.0/x") != std::string::npos);
}

TEST_CASE("text says what the unit computes") {
    CHECK(text_of("k/2*(r-length)^2", {"energy", "", "slope"}) ==
          "const real temp0 = r - length;\nconst real temp1 = temp0*temp0;\nconst real temp2 = k*temp1;\nconst real temp3 = 0.5*temp2;\n"
          "const real temp4 = k*temp0;\nenergy = temp3;\nslope = temp4;\n");
    CHECK(text_of("select(step(r), min(r, 2), -3)", {"e"}) ==
          "const real temp0 = (0.0 <= r ? 1.0 : 0.0);\nconst real temp1 = (r < 2.0 ? r : 2.0);\n"
          "const real temp2 = (temp0 == 0.0 ? (-3.0) : temp1);\ne = temp2;\n");
    CHECK(text_of("3", {"e"}) == "e = 3.0;\n");
    CHECK(text_of("x^2.5+y^0.3+1e-300*z", {"e"}).find("pow(y, 0.3)") != std::string::npos);
    using Static = Expression<"a*exp(r)">;
    std::array<std::string, 2> const arguments{"params.x", "r"};
    std::array<std::string, 3> const targets{"energy", "", "dEdR"};
    CHECK(expression::source(Static::unit(), arguments, targets, {"float", "t", "f"}, "+=") ==
          "const float t0 = exp(r);\nconst float t1 = params.x*t0;\nenergy += t1;\ndEdR += t1;\n");
}

TEST_CASE("custom functions are written by the caller") {
    RuntimeExpression const formula{"f(x, y)", AnyName{}, {{"f", 2}}};
    std::array<std::string, 3> const targets{"energy", "", "slope"};
    auto const custom = [](int function, std::span<std::string const> operands) {
        return "table" + std::to_string(function) + "(" + operands[0] + ", " + operands[1] + ")";
    };
    CHECK(expression::source(formula.unit(), formula.names(), targets, {}, "=", custom) ==
          "const real4 temp0 = table0(x, y);\nenergy = temp0.x;\nslope = temp0.z;\n");
}
