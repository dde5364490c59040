// Factored pair formulas: the same values, and no per-pair operation that can be done once per particle.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/parts/pairs/pair_units.hpp>

using namespace trotter;
using namespace trotter::expression;

namespace {

std::vector<std::string> const particle_names{"sigma", "epsilon", "q"}, global_names{"lambda", "alpha"};

constexpr PairName role_of(std::string_view name) {
    if (name == "r") return {Role::distance, 0};
    if (name == "lambda" || name == "alpha") return {Role::global, name == "alpha"};
    return {name.back() == '1' ? Role::particle1 : Role::particle2, name[0] == 's' ? 0 : name[0] == 'e' ? 1 : 2};
}
PairUnits units_of(std::string const& formula, bool factors_roots = true) {
    return compile_pair(formula, role_of, 3, {0}, factors_roots);
}

struct View {
    Program const& program;
    std::vector<double> arguments;
    UnitView unit() const { return {program.code, program.outputs, program.calls}; }
    std::vector<double> const& names() const { return arguments; }
};
std::vector<double> outputs(Program const& program, std::vector<double> const& arguments) {
    std::vector<double> result(program.outputs.size());
    if (result.empty()) return result;
    Evaluator<double> evaluate{View{program, arguments}};
    result[0] = evaluate(arguments.data(), result.data() + 1);
    return result;
}
std::size_t count(Program const& program, std::initializer_list<Op> ops) {
    return static_cast<std::size_t>(std::count_if(
        program.code.begin(), program.code.end(),
        [&](auto const& instruction) { return std::find(ops.begin(), ops.end(), instruction.op) != ops.end(); }));
}
constexpr auto arithmetic = {Op::add,        Op::subtract, Op::multiply, Op::divide,
                             Op::reciprocal, Op::sqrt,     Op::power,    Op::negate};
char const* const lennard_jones = "4*sqrt(epsilon1*epsilon2)*((s/r)^12-(s/r)^6); s=(sigma1+sigma2)/2";

// The same result at compile time.
static_assert(compile_pair("4*sqrt(epsilon1*epsilon2)*((s/r)^12-(s/r)^6); s=(sigma1+sigma2)/2", role_of, 3, {}, true)
                  .leaves.size()
              == 4);
static_assert(square_root(4) == 2 && square_root(0.25) == 0.5 && square_root(1) == 1);

}  // namespace

TEST_CASE("parts of a formula give its value and derivatives", "[expression]") {
    std::mt19937 generator(1);
    auto number = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(generator()) / 0x1p32;
    };
    for (std::string const formula :
         {lennard_jones, "138.9*q1*q2/r + 4*e*((s/r)^12-(s/r)^6); s=0.5*(sigma1+sigma2); e=sqrt(epsilon1*epsilon2)",
          "4*lambda*e*(1/u^2-1/u); u=alpha*(1-lambda)^2+(r/s)^6; s=0.5*(sigma1+sigma2); e=sqrt(epsilon1*epsilon2)",
          "epsilon1*epsilon2*exp(-r/(sigma1+sigma2)) - q1*q2/r^6", "q1*q2*exp(-lambda*r)/r - alpha",
          "epsilon1*epsilon2*(r-1)^2 + r^3*r", "(epsilon1-epsilon2)^2*r^2.5 + 3*(q1+q2+lambda)/r^3",
          "log(sigma1*sigma2*r)*lambda^2 + (-q1)*q2*(-2)/(epsilon1*epsilon2)",
          "(2*epsilon1*epsilon2)^0.25*r + sqrt(3*sigma1*sigma2/r)",
          "abs(q1*q2)*(r^-9 - 2*r^-3 + r^-6) + min(r, r*sigma1*sigma2)",
          "select(step(r - 0.7), r^4/(q1*q2), lambda*r^2) + floor(7*r) + delta(q1-q2)", "lambda", "q1*q2",
          "(sigma1/sigma2 + sigma2/sigma1)*r", "epsilon1*(r+sigma2)^2 + epsilon2*(r+sigma1)^2",
          "1/(1 + r/(lambda*(sigma1+sigma2)*(q1+q2)))", "(r + 1)/(r*r + lambda)"})
        for (bool const factors_roots : {true, false})
            for (int n = 0; n < 5; ++n) {
                INFO(formula << (factors_roots ? "" : ", roots as written"));
                auto const units = units_of(formula, factors_roots);
                REQUIRE(units.problem.kind == Malformed::no);
                std::vector<double> const globals{number(0.1, 0.9), number(0.1, 2)};
                std::vector<std::vector<double>> particles;
                for (int p = 0; p < 2; ++p) particles.push_back({number(0.2, 0.4), number(0.1, 2), number(0.5, 2)});
                double const r = number(0.4, 1.2);

                RuntimeExpression const whole(formula);
                std::vector<double> arguments, slopes(whole.names().size());
                for (auto const& name : whole.names()) {
                    auto const [role, index] = role_of(name);
                    auto const k = static_cast<std::size_t>(index);
                    arguments.push_back(role == Role::distance ? r
                                        : role == Role::global ? globals[k]
                                                               : particles[role == Role::particle2][k]);
                }
                double const energy = whole.energy_and_slopes<double>(arguments, slopes);
                auto slope = [&](std::string_view name) {
                    int const output = whole.slope_output(name);
                    return output < 0 ? 0 : slopes[static_cast<std::size_t>(output - 1)];
                };

                std::vector<double> const values = outputs(units.values, globals);
                std::vector<double> columns[2], pair{r, 1 / r, r * r};
                for (int p = 0; p < 2; ++p) {
                    auto of_particle = particles[static_cast<std::size_t>(p)];
                    of_particle.insert(of_particle.end(), globals.begin(), globals.end());
                    columns[p] = outputs(units.columns, of_particle);
                }
                for (auto const& [role, index] : units.leaves)
                    pair.push_back(role == Role::global
                                       ? values.at(static_cast<std::size_t>(index))
                                       : columns[role == Role::particle2].at(static_cast<std::size_t>(index)));
                auto const result = outputs(units.pair, pair);
                double const scale = std::abs(energy) + std::abs(r * slope("r"));
                CHECK(result[0] == Approx(energy).epsilon(1e-11).margin(1e-12 * scale));
                CHECK(result[1] == Approx(r * slope("r")).epsilon(1e-11).margin(1e-12 * scale));
                CHECK(result[2] == Approx(slope("lambda")).epsilon(1e-11).margin(1e-12 * scale));
            }
}

TEST_CASE("a Lennard-Jones pair takes twelve operations with its energy", "[expression]") {
    auto const units = units_of(lennard_jones);
    CHECK(units.columns.outputs.size() == 2);
    CHECK(units.values.outputs.empty());
    CHECK(units.radicands.outputs.size() == 2);
    CHECK(count(units.pair, arithmetic) == 12);
    CHECK(count(units.pair, {Op::divide, Op::reciprocal, Op::sqrt}) == 0);
    // For parameters that may be negative the root is kept.
    auto const unsplit = units_of(lennard_jones, false);
    CHECK(count(unsplit.pair, {Op::sqrt}) == 1);
    CHECK(unsplit.radicands.outputs.empty());
}

TEST_CASE("what particles or parameters bring alone is no operation of a pair", "[expression]") {
    CHECK(count(units_of("q1*q2/r").pair, arithmetic) == 3);  // two products, and a negation for the derivative
    CHECK(count(units_of("138.9*q1*q2/r").pair, arithmetic) == 3);
    CHECK(count(units_of("exp(-alpha*q1)*exp(-alpha*q2)/r").pair, {Op::exp}) == 0);
    auto const screened = units_of("lambda^2*alpha*q1*q2/r");
    CHECK(screened.values.outputs.size() == 2);  // one of the energy, one of its derivative
    CHECK(screened.columns.outputs.size() == 1);
}

namespace {

/// Energy and (r dE/dr)/r² of a pair at the least distance, or at `r`.
template <class T> std::pair<T, T> at_distance(std::string const& formula, std::vector<double> const& leaves_of_particle, double r = 0) {
    auto const units = units_of(formula);
    REQUIRE(units.problem.kind == Malformed::no);
    std::vector<double> of_particle = leaves_of_particle;
    of_particle.insert(of_particle.end(), {0.4, 1.5});
    auto const columns = outputs(units.columns, of_particle), values = outputs(units.values, {0.4, 1.5});
    T const square = static_cast<T>(r * r) + limit<T>(-1);
    std::vector<T> pair{std::sqrt(square), 1 / std::sqrt(square), square};
    for (auto const& [role, index] : units.leaves)
        pair.push_back(static_cast<T>((role == Role::global ? values : columns).at(static_cast<std::size_t>(index))));
    struct Whole {
        Program const& program;
        std::vector<T> arguments;
        UnitView unit() const { return {program.code, program.outputs, program.calls}; }
        std::vector<T> const& names() const { return arguments; }
    };
    Evaluator<T> evaluate{Whole{units.pair, pair}};
    std::vector<T> slopes(units.pair.outputs.size() - 1);
    T const energy = evaluate(pair.data(), slopes.data());
    return {energy, slopes[0] * (pair[1] * pair[1])};
}

}  // namespace

TEMPLATE_TEST_CASE("what has a limit at r = 0 has it", "[expression]", float, double) {
    // sigma 0.3, epsilon 0, q 2, lambda 0.4
    for (auto const& [formula, value] : std::vector<std::pair<std::string, double>>{
             {lennard_jones, 0},
             {"epsilon1*epsilon2*((sigma1+sigma2)/r)^12", 0},
             {"epsilon1*(2*(sigma1/r)^9 - 3*(sigma1/r)^6)*q2", 0},
             {"q1*exp(-3*r) - epsilon1*epsilon2/r^6 + epsilon1/r^3", 2},
             {"select(step(r-1), 0, (sigma1/r)^12 + 3)*epsilon1", 0},
             {"4*q1*lambda*(1/u^2-1/u); u=0.5*(1-lambda)+(r/sigma1)^6", 4 * 2 * 0.4 * (1 / 0.09 - 1 / 0.3)},
             {"q1*q2*sqrt(r^2+0.01)", 0.4},
             {"q1*q2*r^1.5", 0},
             {"q1*q2*(r-0.3)^2", 0.36},
             {"q1*q2*exp(-r^2/(2*sigma1*sigma2))", 4},
             {"q1*q2*erf(2*r)/r", 4 * 4 / std::sqrt(std::acos(-1.0))},
             {"q1*r^2*log(r/sigma1)", 0},
             {"q1*sin(r)*log(r^2) + 3", 3},
             {"epsilon1*log(r)", 0},
             {"q1*log(r+0.1)", 2 * std::log(0.1)}}) {
        INFO(formula);
        auto const [energy, force_over_r] = at_distance<TestType>(formula, {0.3, 0, 2});
        CHECK(static_cast<double>(energy) == Approx(value).epsilon(2e-6).margin(1e-15));
        CHECK(std::isfinite(force_over_r));
    }
    // Diverging energies are infinite, and their forces not finite.
    for (std::string const formula : {lennard_jones, "epsilon1*epsilon2*(sigma1/r)^12", "q1*q2/r^6", "1/r^3"}) {
        INFO(formula);
        auto const [energy, force_over_r] = at_distance<TestType>(formula, {0.3, 0.5, 2});
        CHECK(std::isinf(energy));
        CHECK_FALSE(std::isfinite(force_over_r));
    }
    CHECK_FALSE(std::isfinite(at_distance<TestType>("q1*q2/r", {0.3, 0.5, 2}).second));
    for (std::string const formula : {"log(r)", "q1*q2*log(r)", "log(r^2)-3", "-log(sigma1/r)", "q1*log(r/sigma2)*exp(-r)", "log(r)^3"}) {
        INFO(formula);
        CHECK(std::isinf(at_distance<TestType>(formula, {0.3, 0.5, 2}).first));
        double const expected = at_distance<double>(formula, {0.3, 0.5, 2}, 0.02).first;
        CHECK(static_cast<double>(at_distance<TestType>(formula, {0.3, 0.5, 2}, 0.02).first) == Approx(expected).epsilon(1e-5));
    }
}

TEST_CASE("a small coefficient brings back a power beyond the numbers of float", "[expression]") {
    for (std::string const formula : {"2.8e-24/r^24", "epsilon1*epsilon2/r^24", "q1*exp(-r) - q1/r^6 + epsilon1*epsilon2/r^24",
                                      "1700000*exp(-48.7*r) - 0.0129/r^6 + 2.8e-24/r^24", "epsilon1*epsilon2*q1/(r^13*r^14)"}) {
        INFO(formula);
        std::vector<double> const particle{0.3, 1.7e-12, 2};
        auto const expected = at_distance<double>(formula, particle, 0.02);
        auto const found = at_distance<float>(formula, particle, 0.02);
        CHECK(static_cast<double>(found.first) == Approx(expected.first).epsilon(1e-5));
        CHECK(static_cast<double>(found.second) == Approx(expected.second).epsilon(1e-5));
    }
}

TEST_CASE("limits cost a pair of Lennard-Jones one comparison", "[expression]") {
    CHECK(count(units_of(lennard_jones).pair, {Op::min, Op::max}) == 1);
    CHECK(count(units_of("q1*q2/r").pair, {Op::min, Op::max}) == 0);
    CHECK(count(units_of("epsilon1*(r-sigma1*sigma2)^6").pair, {Op::min, Op::max}) == 0);
    CHECK(count(units_of("1/r^12").pair, {Op::min, Op::max}) == 0);
    CHECK(count(compile("k*(r-s^2/r)*(1/(r+s)^2-1/a^2)").program, {Op::min, Op::max}) == 1);  // for a
    CHECK(count(compile("k*(1/(x^2+y^2)^4-1)").program, {Op::min, Op::max}) == 1);
    CHECK(count(compile("k*(1/(x+y)^4-1)").program, {Op::min, Op::max}) == 0);
}

TEST_CASE("roots that slopes divide by leave 0/0 at 0 and infinities elsewhere", "[expression]") {
    RuntimeExpression const distance("sqrt(x*x+y*y)"), root("sqrt(x)");
    std::vector<double> slopes(2);
    CHECK(distance.energy_and_slopes<double>(std::vector{0.0, 0.0}, slopes) == 0);
    CHECK((slopes[0] == 0 && slopes[1] == 0));
    slopes.resize(1);
    CHECK(root.energy_and_slopes<double>(std::vector{0.0}, slopes) == 0);
    CHECK(std::isinf(slopes[0]));
    RuntimeExpression const inverse("1/sqrt(x)");
    CHECK(std::isinf(inverse.energy_and_slopes<double>(std::vector{0.0}, slopes)));
    RuntimeExpression const cube("k/x^3");
    slopes.resize(2);
    CHECK(std::isinf(cube.energy_and_slopes<double>(std::vector{1e-9, 0.0}, slopes)));
}
