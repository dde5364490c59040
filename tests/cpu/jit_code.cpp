// JIT-compiled register programs give the same bits as operation by operation.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trotter/common/formulas/jit_code.hpp>
#include <trotter/cpu.hpp>
#include <trotter/cpu/formulas/pair_program.hpp>
#include <trotter/cpu/neighbor_list/clusters.hpp>
#include <trotter/expression/runtime_expression.hpp>

using namespace trotter;

namespace {

constexpr int lanes = 64, tile = 16;  // in the test: numbers of a register, and of a repeated one

std::vector<int> vector_sizes() {
    std::vector<int> result;
#ifdef TROTTER_HAVE_XBYAK
    if (__builtin_cpu_supports("avx")) result.push_back(32);
    if (__builtin_cpu_supports("avx512f")) result.push_back(64);
#endif
    return result;
}

/// Registers with random variables and the constants; every other variable is repeated.
template <class Real>
cpu::Aligned<Real> filled(expression::RegisterProgram const& program, std::vector<bool> const& is_repeated) {
    cpu::Aligned<Real> result(static_cast<std::size_t>(program.registers * lanes), Real(0));
    std::mt19937 generator(1);
    for (int r = 0; r < program.variables; ++r)
        for (int n = 0; n < lanes; ++n) {
            auto const place = static_cast<std::size_t>(r * lanes + n);
            result[place] = is_repeated[static_cast<std::size_t>(r)] && n >= tile
                                ? result[place - tile]
                                : static_cast<Real>(static_cast<double>(generator()) / 0x1p30 - 1.0);
        }
    for (std::size_t c = 0; c < program.constants.size(); ++c)
        for (std::size_t n = 0; n < lanes; ++n)
            result[(static_cast<std::size_t>(program.variables) + c) * lanes + n] =
                program.constants[c].template as<Real>();
    return result;
}

/// Evaluates as the pair loop does: runs by their functions, all other instructions one by one.
template <class Real> void evaluate(expression::RegisterProgram const& program, JitCode const& code, Real* registers) {
    int next = 0;
    auto const step_to = [&](int end) {
        auto part = program;
        part.code.assign(program.code.begin() + next, program.code.begin() + end);
        expression::run(part, registers, lanes, lanes, expression::NoCustomFunctions{});
    };
    for (auto const& run : code.runs()) {
        step_to(run.begin);
        run.function(registers, lanes * static_cast<int>(sizeof(Real)));
        next = run.end;
    }
    step_to(static_cast<int>(program.code.size()));
}

/// A sum of products of so many variables that the slopes need more registers than there are.
std::string long_formula() {
    std::string result = "1";
    for (int n = 0; n < 24; ++n)
        result += "+(x" + std::to_string(n) + "+" + std::to_string(n + 2) + ")*(x" + std::to_string((n * 7 + 3) % 24)
                  + "-x" + std::to_string((n * 5 + 1) % 24) + ")^2/(3+x" + std::to_string((n * 11 + 2) % 24) + "^2)";
    return "(" + result + ")^2";
}

}  // namespace

TEMPLATE_TEST_CASE("machine code gives the bits of its operations", "[cpu]", float, double) {
    using Bits = std::conditional_t<sizeof(TestType) == 4, std::uint32_t, std::uint64_t>;
    auto const formula = GENERATE(as<std::string>(), "4*e*((s/r)^12-(s/r)^6)", "min(a,b)*max(b,c)-min(c,a)/(-a)",
                                  "sqrt(a^2+b^2)+exp(a*b)*(a-b)-1/(c+a)", "exp(a)+sin(b)*c-a*b*c", "a", long_formula());
    RuntimeExpression const expression{formula};
    auto const unit = expression.unit();
    auto const program = expression::RegisterAllocation{
        unit,
        static_cast<int>(expression.names().size()),
        {unit.outputs.begin(),
         unit.outputs.end()}}.program();
    std::vector<bool> is_repeated(static_cast<std::size_t>(program.registers), false);
    for (int r = 0; r < program.variables; r += 2) is_repeated[static_cast<std::size_t>(r)] = true;
    auto expected = filled<TestType>(program, is_repeated);
    expression::run(program, expected.data(), lanes, lanes, expression::NoCustomFunctions{});
    for (int const bytes : vector_sizes()) {
        constexpr int size = sizeof(TestType);
        JitCode const code(program, {size, bytes, lanes * size, tile * size, is_repeated});
        CHECK(code.runs().empty() == program.code.empty());
        auto registers = filled<TestType>(program, is_repeated);
        evaluate(program, code, registers.data());
        int differing = 0;
        for (int const output : program.outputs)
            for (int n = 0; output >= 0 && n < lanes; ++n) {
                auto const place = static_cast<std::size_t>(output * lanes + n);
                if (std::bit_cast<Bits>(registers[place]) != std::bit_cast<Bits>(expected[place])) ++differing;
            }
        CHECK(differing == 0);
    }
}

TEST_CASE("machine code is not made for vectors of other sizes", "[cpu]") {
    RuntimeExpression const expression{std::string("a*b+a")};
    auto const unit = expression.unit();
    auto const program = expression::RegisterAllocation{unit, 2, {unit.outputs[0]}}.program();
    CHECK(JitCode(program, {4, 16, 4 * lanes, 4 * tile, std::vector<bool>(4)}).runs().empty());
}

namespace {

/// Whether the pair loop of a formula of sigma and epsilon is JIT-compiled for the instruction set in use.
bool is_code(std::string const& formula, bool is_switched, bool with_totals) {
    std::vector<std::string_view> const globals{"lambda"}, own{"sigma", "epsilon"};
    auto const units = expression::compile_pair(formula, pair_roles(globals, own), 2, {}, false);
    PairSettings const settings{.method = PairSettings::Method::cutoff_periodic,
                                .cutoff_distance = 1,
                                .use_switching_function = is_switched,
                                .switching_distance = 0.8};
    auto const outputs = with_totals ? cpu::PairOutputs::forces_and_energy : cpu::PairOutputs::forces;
    return cpu::pair_program<float, cpu::DynamicDispatch>(units, settings, outputs).has_jit_pair_kernel();
}

}  // namespace

TEST_CASE("the loop over pairs is machine code where a formula is arithmetic", "[cpu]") {
#ifdef TROTTER_HAVE_XBYAK
    bool const is_possible = cpu::loops<cpu::DynamicDispatch, float>().vector_bytes() >= 32;
#else
    bool const is_possible = false;
#endif
    for (bool const is_switched : {false, true})
        for (bool const with_totals : {false, true}) {
            CHECK(is_code("4*epsilon1*((sigma1+sigma2)/r)^6", is_switched, with_totals) == is_possible);
            CHECK(is_code("lambda*sqrt(epsilon1*epsilon2)*(sigma1-r)/(1+r^2)", is_switched, with_totals)
                  == is_possible);
            CHECK_FALSE(is_code("epsilon1*epsilon2*exp(-r/sigma1)", is_switched, with_totals));
            CHECK_FALSE(is_code("lambda*r", is_switched, with_totals));  // without per-particle parameters
        }
}
