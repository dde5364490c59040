// Run-time formulas in SIMD against scalar evaluation: every function for all kinds of numbers, and random formulas.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <trotter/expression/fold.hpp>
#include <trotter/expression/operation.hpp>

#include "formula_paths.hpp"
#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;
using expression::Op;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Numbers of all magnitudes and both signs, those where functions change or overflow, infinities and NaN.
std::vector<double> numbers() {
    using Limits = std::numeric_limits<double>;
    std::vector<double> sizes{0, Limits::denorm_min(), Limits::min(), Limits::max(), infinity, Limits::quiet_NaN()};
    for (int e = -1070; e<1024; e += e> - 30 && e < 30 ? 1 : 13)
        for (double const x : {1.0, 1.37, 1.93}) sizes.push_back(std::ldexp(x, e));
    for (int n = 1; n < 80; ++n) {
        sizes.push_back(0.37 * n);
        sizes.push_back(n * 1.5707963267948966);  // as near to a zero or a pole as possible
    }
    for (double const x : {708.3, 708.5, 709.7, 709.8, 710.4, 710.5, 745.1, 745.2}) sizes.push_back(x);
    for (double const x : {1e-16, 1e-13, 1e-8}) sizes.push_back(1 - x), sizes.push_back(1 + x);
    for (double const x : {0x1p52 + 1, 0x1p53 + 2}) sizes.push_back(x);
    auto result = sizes;
    for (double const x : sizes) result.push_back(-x);
    return result;
}

/// Every function and operation of the language, of as many variables as it takes.
std::vector<std::string> operations() {
    std::vector<std::string> result{"x+y", "x-y", "x*y", "x/y", "x^y", "-x", "x^2.5", "x^(-7)", "x^11", "2^x"};
    for (auto const& function : expression::named_functions) {
        std::string const operands[] = {"x", "x,y", "x,y,z"};
        result.push_back(std::string(function.name) + "(" + operands[static_cast<std::size_t>(function.arguments - 1)]
                         + ")");
    }
    return result;
}

/// All numbers for a function of one variable, and many combinations of them for more.
Columns arguments_of(std::size_t count) {
    auto const all = numbers();
    if (count == 1) return {all};
    Columns result(count);
    std::size_t const step = count == 2 ? 7 : 29;
    auto const visit = [&](auto const& self, std::vector<double> const& chosen) -> void {
        if (chosen.size() == count) {
            for (std::size_t n = 0; n < count; ++n) result[n].push_back(chosen[n]);
            return;
        }
        for (std::size_t n = 0; n < all.size(); n += n < 6 ? 1 : step) {
            auto more = chosen;
            more.push_back(all[n]);
            self(self, more);
        }
    };
    visit(visit, {});
    return result;
}

bool is_same(double x, double y, double tolerance) {
    if (std::isnan(y)) return std::isnan(x);
    return x == y || std::abs(x - y) <= tolerance;
}

/// The energy and slopes of a formula and the largest finite intermediate result. With `noise`, functions that are not
/// exactly rounded are perturbed by some units in the last place.
struct Literal {
    std::vector<double> results;
    double scale = 0;

    Literal(RuntimeExpression const& formula, std::vector<double> const& arguments, std::mt19937* noise) {
        auto const unit = formula.unit();
        std::vector<double> step(unit.code.size());
        auto const at = [&](int i) { return i < 0 ? 0.0 : step[static_cast<std::size_t>(i)]; };
        for (std::size_t i = 0; i < step.size(); ++i) {
            auto const& [op, a, b, c, value] = unit.code[i];
            step[i] = op == Op::constant   ? value
                      : op == Op::limit    ? expression::limit<double>(value)
                      : op == Op::variable ? arguments[static_cast<std::size_t>(a)]
                                           : expression::fold(op, at(a), at(b), at(c)).value;
            if (noise && is_inexact(op)) step[i] *= 1 + 0x1p-46 * (static_cast<double>((*noise)()) / 0x1p31 - 1);
            if (std::isfinite(step[i])) scale = std::max(scale, std::abs(step[i]));
        }
        for (int const output : unit.outputs) results.push_back(at(output));
    }
    static bool is_inexact(Op op) { return op == Op::power || (op >= Op::exp && op <= Op::erfc); }
};

/// Whether errors in the last bits could change results by as much as `tolerance`.
bool says_nothing(RuntimeExpression const& formula, std::vector<double> const& arguments, Literal const& exact,
                  double tolerance) {
    std::mt19937 noise(1);
    for (int attempt = 0; attempt < 12; ++attempt) {  // if only a sign depends on the last bits, 1 in 4096 keeps it
        Literal const other(formula, arguments, &noise);
        for (std::size_t n = 0; n < exact.results.size(); ++n)
            if (!is_same(other.results[n], exact.results[n], tolerance)) return true;
    }
    return false;
}

/// Random text with every function and operation of the language.
class AnyFormulas {
public:
    explicit AnyFormulas(unsigned seed) : engine_{seed} {}

    std::string operator()(int depth) {
        if (depth == 0 || pick(12) == 0) return leaf();
        auto const some = [&] { return (*this)(depth - 1); };
        // Positive in most cases: formulas without a finite value test little.
        auto const positive = [&] { return pick(20) == 0 ? some() : "(0.1+abs(" + some() + "))"; };
        switch (pick(10)) {
            case 0:
            case 1:
                return "(" + some() + "+" + some() + ")";
            case 2:
                return "(" + some() + "-" + some() + ")";
            case 3:
                return some() + "*" + some();
            case 4:
                return some() + "/" + some();
            case 5:
                return positive() + "^(" + (pick(2) ? some() : number()) + ")";
            default:
                break;
        }
        auto const& function = expression::named_functions[pick(expression::named_functions.size())];
        std::string operands;
        for (int n = 0; n < function.arguments; ++n) operands += (n ? "," : "") + operand(function.op, some, positive);
        return std::string(function.name) + "(" + operands + ")";
    }

private:
    template <class Some, class Positive> std::string operand(Op op, Some const& some, Positive const& positive) {
        switch (op) {
            case Op::sqrt:
            case Op::log:
                return positive();
            case Op::asin:
            case Op::acos:
                return "sin(" + some() + ")";
            case Op::exp:
            case Op::sinh:
            case Op::cosh:
                return "(0.25*" + some() + ")";
            default:
                return some();
        }
    }
    std::size_t pick(std::size_t n) { return engine_() % n; }
    std::string number() { return std::vector<std::string>{"0.5", "-1.5", "2", "-3", "0.1", "7"}[pick(6)]; }
    std::string leaf() {
        auto const n = pick(8);
        return n < 6 ? std::string(1, "xyz"[n % 3]) : "(" + number() + ")";
    }
    std::mt19937 engine_;
};

/// Compares formulas in SIMD with scalar evaluation.
struct Agreement {
    int compared = 0, finite = 0, left_out = 0, wrong = 0;
    std::string first_wrong;

    void compare(std::string const& text, RuntimeExpression const& formula, Columns const& arguments, std::size_t sets,
                 std::vector<Columns> const& ways, bool of_functions) {
        auto const expected = by_scalars(formula, arguments, sets);
        std::vector<double> at(arguments.size());
        for (std::size_t k = 0; k < sets; ++k) {
            for (std::size_t n = 0; n < at.size(); ++n) at[n] = arguments[n][k];
            Literal const exact(formula, at, nullptr);
            double const tolerance = 1e-10 * exact.scale;
            if (!of_functions && says_nothing(formula, at, exact, 0.1 * tolerance)) {
                ++left_out;
                continue;
            }
            ++compared, finite += std::isfinite(expected[0][k]);
            for (std::size_t n = 0; n < expected.size(); ++n) {
                // The value of a single function is precise: what remains of 45.553093477052002 near 29π/2, 6e-19, to
                // twelve digits, all others to more. Its slope is a product of several numbers.
                double const allowed = of_functions && n == 0 ? 1e-11 * std::abs(expected[0][k]) : tolerance;
                for (auto const& found : ways) {
                    if (is_same(found[n][k], expected[n][k], allowed)) continue;
                    if (wrong++ == 0) first_wrong = message(text, at, n, found[n][k], expected[n][k]);
                }
            }
        }
    }
    static std::string message(std::string const& text, std::vector<double> const& at, std::size_t result, double found,
                               double expected) {
        std::string words = text + " at";
        for (double const x : at) words += " " + format(x);
        words += ", result " + std::to_string(result);
        return words + ": " + format(found) + " instead of " + format(expected);
    }
    static std::string format(double x) {
        char words[40];
        std::snprintf(words, sizeof words, "%.17g", x);
        return words;
    }
};

}  // namespace

TEST_CASE("every function has the value and slope that scalar evaluation has, for all numbers", "[cpu]") {
    auto const text = GENERATE(from_range(operations()));
    RuntimeExpression const formula{text};
    auto const arguments = arguments_of(formula.names().size());
    auto const sets = arguments[0].size();
    auto const check = [&](Columns const& found) {
        Agreement agreement;
        agreement.compare(text, formula, arguments, sets, {found}, true);
        INFO(agreement.first_wrong);
        CHECK(agreement.wrong == 0);
    };
    check(by_terms(formula, arguments, sets));
    with_each_instruction_set([&] { check(by_pair_kernel(formula, arguments, sets, false)); });
}

TEST_CASE("random formulas have the values and slopes that scalar evaluation has", "[cpu]") {
    AnyFormulas random{20250611};
    std::mt19937 generator{5};
    constexpr std::size_t sets = 8;
    Agreement agreement;
    auto const instruction_sets = cpu::instruction_sets();
    for (int n = 0; n < 3000; ++n) {
        auto const text = random(1 + n % 4);
        RuntimeExpression const formula{text};
        Columns arguments(formula.names().size());
        for (auto& column : arguments)
            for (std::size_t k = 0; k < sets; ++k)
                column.push_back(static_cast<double>(generator()) / 0x1p30 - 2 * (n % 2));
        bool const one_is_global = n % 3 == 0;
        if (one_is_global && !arguments.empty()) arguments.back().assign(sets, arguments.back()[0]);
        cpu::use_instruction_set(instruction_sets[static_cast<std::size_t>(n) % instruction_sets.size()]);
        auto const terms = by_terms(formula, arguments, sets);
        auto const by_kernel = by_pair_kernel(formula, arguments, sets, one_is_global);
        agreement.compare(text, formula, arguments, sets, {terms, by_kernel}, false);
    }
    cpu::use_instruction_set(instruction_sets.front());
    INFO(agreement.first_wrong);
    CHECK(agreement.wrong == 0);
    CHECK(agreement.compared > 20 * agreement.left_out);
    CHECK(agreement.finite > 0.75 * agreement.compared);
}

TEST_CASE("small values of erfc have all digits, which a hyperbolic cosine of their inverse asks for", "[cpu]") {
    std::string const text = "cosh(0.1*recip(min(tanh(y^12), erfc(y*x))))";
    RuntimeExpression const formula{text};
    Columns arguments;
    for (auto const& name : formula.names()) arguments.push_back({name == "x" ? 1.954633704972796 : 1.34627414084138});
    auto const check = [&](Columns const& found) {
        Agreement agreement;
        agreement.compare(text, formula, arguments, 1, {found}, false);
        INFO(agreement.first_wrong);
        CHECK(agreement.compared == 1);
        CHECK(agreement.wrong == 0);
    };
    check(by_terms(formula, arguments, 1));
    with_each_instruction_set([&] { check(by_pair_kernel(formula, arguments, 1, false)); });
}
