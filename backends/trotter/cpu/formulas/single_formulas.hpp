// Single-particle formulas of a custom generalized Born model, for some hundred particles at a time, in double.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/physics/custom_gb_formulas.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::cpu {

/// Variables of the formulas, and derivatives of the energy by values. `Arch` keeps symbols of different instruction
/// sets apart.
template <class Arch> struct GBNumbers {
    std::vector<std::vector<double>> parameters, values, by_value;  ///< [index][particle]
    std::vector<double> globals;
};

/// A single-particle formula.
template <class Arch> class SingleFormula {
    using Source = GBFormula::Source;

public:
    explicit SingleFormula(GBFormula formula) : formula_(std::move(formula)) {}

    /// Writes the formula's values.
    void find_values(std::vector<double>& values, GBNumbers<Arch> const& numbers, HostState& host,
                     Tables const& tables) const {
        for_each_part(host, [&](Part& part) {
            part.evaluate(formula_, numbers, host, tables, false);
            std::copy_n(part.results.begin(), part.count, values.begin() + static_cast<std::ptrdiff_t>(part.begin));
        });
    }
    /// Applies the chain rule with the derivative of the energy by the formula, `by_result`, or 1 if null; returns the
    /// sum over all particles of the formula and of its derivatives by global parameters, times `by_result`.
    std::vector<double> pass_on(std::vector<double> const* by_result, GBNumbers<Arch>& numbers, HostState& host,
                                Tables const& tables) const {
        std::vector<std::vector<double>> sums(part_count(host));
        for_each_part(host, [&](Part& part) {
            part.evaluate(formula_, numbers, host, tables, true);
            sums[part.begin / part_size] = pass_on(part, by_result, numbers, host);
        });
        std::vector<double> result(1 + numbers.globals.size());
        for (auto const& sum : sums)
            for (std::size_t n = 0; n < sum.size(); ++n) result[n] += sum[n];
        return result;
    }

private:
    static constexpr std::size_t part_size = 512;

    /// A range of particles for one thread.
    struct Part {
        std::size_t begin, count;
        std::vector<double> results{};
        std::vector<std::vector<double>> slopes{};

        void evaluate(GBFormula const& formula, GBNumbers<Arch> const& numbers, HostState const& host,
                      Tables const& tables, bool with_slopes) {
            std::vector<std::vector<double>> made(formula.arguments.size());
            std::vector<double const*> arguments;
            for (std::size_t n = 0; n < made.size(); ++n) {
                auto const& [source, index, is_second] = formula.arguments[n];
                auto const k = static_cast<std::size_t>(index);
                if (source == Source::coordinate)
                    for (std::size_t i = 0; i < count; ++i) made[n].push_back(host.positions[begin + i][k]);
                if (source == Source::global) made[n].assign(count, numbers.globals[k]);
                arguments.push_back(source == Source::parameter ? numbers.parameters[k].data() + begin
                                    : source == Source::value   ? numbers.values[k].data() + begin
                                                                : made[n].data());
            }
            results.resize(count);
            std::vector<double*> to;
            if (with_slopes) slopes.assign(made.size(), std::vector<double>(count));
            for (auto& slope : slopes) to.push_back(slope.data());
            auto evaluator = with_slopes ? Evaluator<double>(formula.expression)
                                         : Evaluator<double>(formula.expression, std::vector<std::string>{});
            evaluator(count, arguments, results.data(), to, tables);
        }
    };

    static std::size_t part_count(HostState const& host) { return (host.size() + part_size - 1) / part_size; }
    template <class Visit> static void for_each_part(HostState& host, Visit const& visit) {
        host.threads.run(static_cast<int>(part_count(host)), [&](int n) {
            std::size_t const begin = static_cast<std::size_t>(n) * part_size;
            Part part{begin, std::min(part_size, host.size() - begin)};
            visit(part);
        });
    }
    std::vector<double> pass_on(Part const& part, std::vector<double> const* by_result, GBNumbers<Arch>& numbers,
                                HostState& host) const {
        std::vector<double> sums(1 + numbers.globals.size());
        for (std::size_t i = 0; i < part.count; ++i) {
            std::size_t const particle = part.begin + i;
            double const weight = by_result ? (*by_result)[particle] : 1;
            sums[0] += weight * part.results[i];
            for (std::size_t n = 0; n < part.slopes.size(); ++n) {
                auto const& [source, index, is_second] = formula_.arguments[n];
                auto const k = static_cast<std::size_t>(index);
                double const by_argument = weight * part.slopes[n][i];
                if (source == Source::coordinate) host.forces[particle][k] -= by_argument;
                if (source == Source::value) numbers.by_value[k][particle] += by_argument;
                if (source == Source::global) sums[1 + k] += by_argument;
            }
        }
        return sums;
    }

    GBFormula formula_;
};

}  // namespace trotter::cpu
