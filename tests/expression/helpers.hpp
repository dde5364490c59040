// Helpers for expression tests: evaluation without simplification, random expressions, and a batch of two lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <trotter/expression/fold.hpp>
#include <trotter/expression/parse.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace expression_test {

using namespace trotter;
using expression::Op;
using Values = std::map<std::string, double>;

/// The value of the parse tree.
inline double raw_value(std::string const& text, Values const& values) {
    auto const parsed = expression::Parser{text}.parse();
    std::vector<double> result(static_cast<std::size_t>(parsed.tree.size()));
    auto const at = [&](int i) { return i < 0 ? 0.0 : result[static_cast<std::size_t>(i)]; };
    for (int i = 0; i < parsed.tree.size(); ++i) {
        auto const& node = parsed.tree[i];
        double& value = result[static_cast<std::size_t>(i)];
        if (node.op == Op::constant) value = node.value;
        else if (node.op == Op::variable) {
            auto const [begin, length] = parsed.names[static_cast<std::size_t>(node.a)];
            value = values.at(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)));
        } else if (node.op == Op::power_constant) value = std::pow(at(node.a), node.value);
        else value = expression::fold(node.op, at(node.a), at(node.b), at(node.c)).value;
    }
    return at(parsed.root);
}

struct Result {
    double energy = 0;
    Values slopes;
    double scale = 0;  ///< the largest magnitude of intermediate results
};

inline Result evaluate(RuntimeExpression const& formula, Values const& values) {
    std::vector<double> arguments, slopes(formula.names().size());
    for (auto const& name : formula.names()) arguments.push_back(values.at(name));
    Result result;
    result.energy = formula.energy_and_slopes<double>(arguments, slopes);
    for (std::size_t i = 0; i < slopes.size(); ++i) result.slopes[formula.names()[i]] = slopes[i];
    auto const code = formula.unit().code;
    std::vector<double> step(code.size());
    auto const at = [&](int i) { return i < 0 ? 0.0 : step[static_cast<std::size_t>(i)]; };
    for (std::size_t i = 0; i < code.size(); ++i) {
        auto const& [op, a, b, c, value] = code[i];
        if (op == Op::constant) step[i] = value;
        else if (op == Op::limit) step[i] = expression::limit<double>(value);
        else if (op == Op::variable) step[i] = arguments[static_cast<std::size_t>(a)];
        else step[i] = expression::fold(op, at(a), at(b), at(c)).value;
        if (std::isfinite(step[i])) result.scale = std::max(result.scale, std::abs(step[i]));
    }
    return result;
}

/// Random formulas in x, y and z, whose values stay moderate for arguments between 0.5 and 2.
class RandomExpressions {
public:
    explicit RandomExpressions(unsigned seed) : engine_{seed} {}
    std::string operator()(int depth = 4) {
        auto const sub = [&] { return (*this)(depth - 1); };
        if (depth == 0) return leaf();
        switch (pick(16)) {
        case 0: case 1: return sub() + "+" + sub();
        case 2: return sub() + " - " + sub();
        case 3: case 4: return "(" + sub() + ")*(" + sub() + ")";
        case 5: return "(" + sub() + ")/(2+square(" + sub() + "))";
        case 6: return "-" + leaf() + "^" + std::to_string(pick(7)) + "*(" + sub() + ")";
        case 7: return "(1.5+sin(" + sub() + "))^" + (pick(2) ? "-" : "") + std::to_string(pick(13)) + (pick(2) ? ".5" : "");
        case 8: return "exp(-abs(" + sub() + "))";
        case 9: return "sqrt(1+(" + sub() + ")^2)";
        case 10: return "select(step(" + sub() + ")," + sub() + "," + sub() + ")";
        case 11: return "min(" + sub() + ",max(" + sub() + "," + sub() + "))";
        case 12: return "atan2(" + sub() + ",3+cos(" + sub() + "))";
        case 13: return std::vector<std::string>{"sin", "cos", "tanh", "atan", "erf", "erfc"}[pick(6)] + "(" + sub() + ")";
        case 14: return "log(2+abs(" + sub() + "))";
        default: return leaf() + "/" + leaf();
        }
    }

private:
    std::size_t pick(std::size_t n) { return engine_() % n; }  // std::uniform_int_distribution differs between libraries
    std::string leaf() {
        return std::vector<std::string>{"x", "y", "z", "x", "2", "0.5", "1", "(x-y)", "3.25", "-z"}[pick(10)];
    }
    std::mt19937 engine_;
};

/// A minimal batch type.
struct Pair {
    using value_type = double;
    double lane[2]{};
    Pair() = default;
    explicit Pair(double x) : lane{x, x} {}
    Pair(double x, double y) : lane{x, y} {}
    struct Mask {
        bool lane[2];
    };
    friend Pair operator+(Pair a, Pair b) { return {a.lane[0] + b.lane[0], a.lane[1] + b.lane[1]}; }
    friend Pair operator-(Pair a, Pair b) { return {a.lane[0] - b.lane[0], a.lane[1] - b.lane[1]}; }
    friend Pair operator*(Pair a, Pair b) { return {a.lane[0] * b.lane[0], a.lane[1] * b.lane[1]}; }
    friend Pair operator/(Pair a, Pair b) { return {a.lane[0] / b.lane[0], a.lane[1] / b.lane[1]}; }
    friend Pair operator-(Pair a) { return {-a.lane[0], -a.lane[1]}; }
    friend Mask operator<(Pair a, Pair b) { return {{a.lane[0] < b.lane[0], a.lane[1] < b.lane[1]}}; }
    friend Mask operator<=(Pair a, Pair b) { return {{a.lane[0] <= b.lane[0], a.lane[1] <= b.lane[1]}}; }
    friend Mask operator==(Pair a, Pair b) { return {{a.lane[0] == b.lane[0], a.lane[1] == b.lane[1]}}; }
    friend Pair select(Mask m, Pair a, Pair b) { return {m.lane[0] ? a.lane[0] : b.lane[0], m.lane[1] ? a.lane[1] : b.lane[1]}; }
    friend Pair pow(Pair a, Pair b) { return {std::pow(a.lane[0], b.lane[0]), std::pow(a.lane[1], b.lane[1])}; }
    friend Pair atan2(Pair a, Pair b) { return {std::atan2(a.lane[0], b.lane[0]), std::atan2(a.lane[1], b.lane[1])}; }
    friend Pair sqrt(Pair a) { return {std::sqrt(a.lane[0]), std::sqrt(a.lane[1])}; }
    friend Pair exp(Pair a) { return {std::exp(a.lane[0]), std::exp(a.lane[1])}; }
    friend Pair log(Pair a) { return {std::log(a.lane[0]), std::log(a.lane[1])}; }
    friend Pair sin(Pair a) { return {std::sin(a.lane[0]), std::sin(a.lane[1])}; }
    friend Pair cos(Pair a) { return {std::cos(a.lane[0]), std::cos(a.lane[1])}; }
    friend Pair tan(Pair a) { return {std::tan(a.lane[0]), std::tan(a.lane[1])}; }
    friend Pair asin(Pair a) { return {std::asin(a.lane[0]), std::asin(a.lane[1])}; }
    friend Pair acos(Pair a) { return {std::acos(a.lane[0]), std::acos(a.lane[1])}; }
    friend Pair atan(Pair a) { return {std::atan(a.lane[0]), std::atan(a.lane[1])}; }
    friend Pair sinh(Pair a) { return {std::sinh(a.lane[0]), std::sinh(a.lane[1])}; }
    friend Pair cosh(Pair a) { return {std::cosh(a.lane[0]), std::cosh(a.lane[1])}; }
    friend Pair tanh(Pair a) { return {std::tanh(a.lane[0]), std::tanh(a.lane[1])}; }
    friend Pair erf(Pair a) { return {std::erf(a.lane[0]), std::erf(a.lane[1])}; }
    friend Pair erfc(Pair a) { return {std::erfc(a.lane[0]), std::erfc(a.lane[1])}; }
    friend Pair abs(Pair a) { return {std::abs(a.lane[0]), std::abs(a.lane[1])}; }
    friend Pair floor(Pair a) { return {std::floor(a.lane[0]), std::floor(a.lane[1])}; }
    friend Pair ceil(Pair a) { return {std::ceil(a.lane[0]), std::ceil(a.lane[1])}; }
};

}  // namespace expression_test
