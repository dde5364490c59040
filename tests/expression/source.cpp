// C source of formulas: few operations, shared temporaries, and exact numbers.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <trotter/expression/expression.hpp>
#include <trotter/expression/source.hpp>

using namespace expression_test;
using expression::SourceStyle;

namespace {
std::string text_of(std::string const& formula, std::vector<std::string> targets) {
    RuntimeExpression const parsed{formula};
    targets.resize(parsed.names().size() + 1);
    return expression::source(parsed.unit(), parsed.names(), targets);
}
auto occurrences(std::string const& text, char c) { return std::count(text.begin(), text.end(), c); }
}  // namespace

TEST_CASE("powers of one base share their products") {
    // Four products, since 12 is twice 6; one chain of squarings for both powers would take five.
    CHECK(text_of("x^12-x^6", {"energy"}) == "const real temp0 = x*x;\nconst real temp1 = temp0*temp0;\nconst real temp2 = temp0*temp1;\n"
                                            "const real temp3 = temp2*temp2;\nconst real temp4 = temp3 - temp2;\nenergy = temp4;\n");
    auto const energy = text_of("4*epsilon*((sigma/r)^12-(sigma/r)^6)", {"energy"});
    CHECK(occurrences(energy, '*') - 2 <= 5);  // minus two products of 4*epsilon*(…)
    CHECK(energy.find("pow") == std::string::npos);
    auto const unit = text_of("4*epsilon*((sigma/r)^12-(sigma/r)^6)", {"energy", "", "", "slope"});
    CHECK(occurrences(unit, '/') == 1);
    CHECK(occurrences(unit, '*') <= 15);  // including six for the powers 5, 6, 11 and 12
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

TEST_CASE("a reciprocal that is known is not found again") {
    RuntimeExpression const formula{"k/r"};
    std::array<std::string, 3> const targets{"energy", "", ""};
    CHECK(expression::source(formula.unit(), formula.names(), targets, {.inverted = "r", .inverse = "invR"}) ==
          "const real temp0 = k*invR;\nenergy = temp0;\n");
}

TEST_CASE("quotients are products with reciprocals, and what is known is not found again") {
    auto const text = [](std::string const& formula, SourceStyle const& style) {
        RuntimeExpression const parsed{formula};
        std::vector<std::string> targets(parsed.names().size() + 1);
        targets[0] = "e";
        return expression::source(parsed.unit(), parsed.names(), targets, style);
    };
    CHECK(text("floor(a/b)", {}) == "const real temp0 = a*(1.0/b);\nconst real temp1 = floor(temp0);\ne = temp1;\n");
    CHECK(text("floor(a/sqrt(b))", {}) == "const real temp0 = a*rsqrt(b);\nconst real temp1 = floor(temp0);\ne = temp1;\n");
    CHECK(text("sqrt(b) + 1/sqrt(b)", {}) ==
          "const real temp0 = sqrt(b);\nconst real temp1 = rsqrt(b);\nconst real temp2 = temp0 + temp1;\ne = temp2;\n");
    CHECK(text("a*r^2", {.inverted = "r", .inverse = "invR", .square = "r2"}) == "const real temp0 = a*r2;\ne = temp0;\n");
    CHECK(text("exp(a) + log(b)", {.exp = "quick_exp", .log = "quick_log"}) ==
          "const real temp0 = quick_exp(a);\nconst real temp1 = quick_log(b);\nconst real temp2 = temp0 + temp1;\ne = temp2;\n");
    CHECK(text("step(a-b)", {}) == "const real temp0 = (b <= a ? 1.0 : 0.0);\ne = temp0;\n");
    CHECK(text("step(a-b)*(a-b)", {}).find("a - b") != std::string::npos);
}

TEST_CASE("slopes choose once for a branch and multiply once by a weight") {
    auto const slope = [](std::string const& formula) {
        RuntimeExpression const parsed{formula};
        std::vector<std::string> targets(parsed.names().size() + 1);
        for (std::size_t n = 0; n < parsed.names().size(); ++n)
            if (parsed.names()[n] == "x") targets[n + 1] = "slope";
        return expression::source(parsed.unit(), parsed.names(), targets);
    };
    auto const branches = slope("select(step(x-a), exp(x)+x*sin(x)+x^3, 0) + b*x");
    CHECK(occurrences(branches, '?') == 2);  // the step, and a select
    auto const weights = slope("v*(sin(x)*x^2 + exp(x)) + w*(cos(x)*x^3 + exp(2*x))");
    CHECK(occurrences(weights, 'v') == 1);
    CHECK(occurrences(weights, 'w') == 1);
    CHECK(occurrences(slope("log(x/y)"), '/') == 1);
    CHECK(occurrences(slope("b*abs(x)"), '*') == 0);
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

TEST_CASE("what a step makes 0 is evaluated where it is 1") {
    auto const text = text_of("1/r + step(c-r)*m/(1+100*(r-d)^2+3e5*(r-d)^6)", {"energy", "slope"});
    auto const begin = text.find("if (temp"), end = text.find("}\n");
    REQUIRE(begin != std::string::npos);
    auto const before = text.substr(0, begin), inside = text.substr(begin, end - begin), behind = text.substr(end);
    CHECK(before.find("(r <= c ? 1.0 : 0.0)") != std::string::npos);
    CHECK(before.find(" = 0;\nreal temp") != std::string::npos);  // one for the energy, one for the derivative
    CHECK(before.find("1.0/r") != std::string::npos);
    CHECK(before.find("r - d") == std::string::npos);
    CHECK(inside.find("r - d") != std::string::npos);
    CHECK(inside.find("1.0/") != std::string::npos);
    CHECK(behind.find('/') == std::string::npos);
    CHECK(text_of("step(c-r)*(r-c)^2", {"energy"}).find("if") == std::string::npos);  // a branch costs more

    SECTION("but not what stands between") {
        // y needs a product with the step, and the sum another one that depends on y.
        auto const between = text_of("step(c-r)*exp(-r)*sin(y); y = exp(step(c-r)*exp(-r)*sin(r)*cos(r))", {"energy"});
        CHECK(between.rfind("exp(temp") > between.find("}\n"));
    }
    SECTION("nor one table looked up at two places") {
        RuntimeExpression const formula{"f(x) + step(c-x)*(f(x)*exp(x) + f(y)*exp(y)*sin(y))", AnyName{}, {{"f", 1}}};
        std::vector<std::string> targets(formula.names().size() + 1);
        targets[0] = "energy";
        auto const custom = [](int, std::span<std::string const> operands) { return "table(" + operands[0] + ")"; };
        auto const looked_up = expression::source(formula.unit(), formula.names(), targets, {}, "=", custom);
        auto const first = looked_up.find("table(x)"), branch = looked_up.find("if ("), other = looked_up.find("table(y)");
        CHECK(first < branch);
        CHECK(branch < other);
        CHECK(looked_up.find("table(x)", first + 1) == std::string::npos);
        CHECK(other < looked_up.find('}'));
    }
}
