// Long-range correction: particle types, and integrals over the omitted interactions.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include <trotter/common/forces/long_range_correction.hpp>
#include <trotter/error.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

void SummedPairs::set_evaluators(Evaluator<double> const& evaluator) { evaluators_.assign(16, evaluator); }
void SummedPairs::count_kinds(std::vector<std::vector<double>> const& numbers, std::size_t particles, int copies) {
    std::map<std::vector<double>, double> kinds;
    for (std::size_t i = 0; i < particles; ++i) {
        std::vector<double> row;
        for (auto const& column : numbers) row.push_back(column[i]);
        kinds[row] += 1.0 / copies;
    }
    columns_.assign(numbers.size(), {});
    counts_.clear();
    for (auto const& [row, count] : kinds) {
        for (std::size_t c = 0; c < row.size(); ++c) columns_[c].push_back(row[c]);
        counts_.push_back(count);
    }
}
std::vector<double> SummedPairs::at(double r, std::vector<double> const& globals, Threads& threads) {
    std::vector<std::vector<double>> parts(std::min(evaluators_.size(), counts_.size()));
    threads.run(static_cast<int>(parts.size()), [&](int task) {
        auto& part = parts[static_cast<std::size_t>(task)];
        part.assign(2 * outputs(), 0);
        for (auto kind = static_cast<std::size_t>(task); kind < counts_.size(); kind += parts.size())
            add_row(kind, r, globals, evaluators_[static_cast<std::size_t>(task)], part);
    });
    std::vector<double> sums(2 * outputs());
    for (auto const& part : parts)
        for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += part[n];
    return sums;
}
void SummedPairs::add_row(std::size_t kind, double r, std::vector<double> const& globals, Evaluator<double>& evaluate,
                          std::vector<double>& sums) const {
    using expression::Role;
    std::size_t const count = counts_.size() - kind;
    std::vector<std::vector<double>> constants, results(outputs(), std::vector<double>(count));
    std::vector<double const*> arguments;
    constants.reserve(roles_.size());
    for (auto const& [role, number] : roles_) {
        auto const n = static_cast<std::size_t>(number);
        if (role == Role::particle2) {
            arguments.push_back(columns_[n].data() + kind);
            continue;
        }
        double const value = role == Role::distance ? r : role == Role::global ? globals[n] : columns_[n][kind];
        arguments.push_back(constants.emplace_back(count, value).data());
    }
    std::vector<double*> slopes;
    for (std::size_t n = 1; n < results.size(); ++n) slopes.push_back(results[n].data());
    evaluate(count, arguments, results[0].data(), slopes, tables_);
    for (std::size_t k = 0; k < count; ++k) {
        double const particles = counts_[kind];
        double const pairs = particles * (k == 0 ? (particles + self_pairs_) / 2 : counts_[kind + k]);
        for (std::size_t n = 0; n < outputs(); ++n) {
            sums[n] += pairs * results[n][k];
            sums[outputs() + n] += pairs * std::abs(results[n][k]);
        }
    }
}

namespace {

/// Quadrature node: a distance, and r² dr/dx times the omitted fraction of the energy.
struct Node {
    double r, weight;
};

/// Integral over x from 0 to 1 by tanh-sinh quadrature (H. Takahasi and M. Mori, Publ. RIMS 9, 721 (1974)); steps are
/// halved until it converges. Evaluates distances up to 10^17 cutoffs.
template <class NodeAt> std::vector<double> integral(NodeAt const& node_at, SummedPairs& pairs,
                                                     std::vector<double> const& globals, Threads& threads) {
    constexpr double end = 3.25, coarsest = 0.25, finest = coarsest / 256;
    std::size_t const outputs = pairs.outputs();
    std::vector<double> sums(2 * outputs), before(outputs), outermost;
    for (double step = coarsest; step >= finest; step /= 2) {
        bool const is_first = step == coarsest;
        for (double t = is_first ? -end : step - end; t <= end; t += is_first ? step : 2 * step) {
            double const e = std::exp(-std::numbers::pi * std::sinh(t)), x = 1 / (1 + e);
            auto const [r, weight] = node_at(x);
            auto terms = pairs.at(r, globals, threads);
            for (double& term : terms) term *= weight * std::numbers::pi * std::cosh(t) * e * x * x;
            if (std::any_of(terms.begin(), terms.end(), [](double term) { return !std::isfinite(term); }))
                throw InputError("the long-range correction needs the energy of pairs at " + std::to_string(r)
                                 + " nm, which is not finite");
            for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += terms[n];
            if (outermost.empty()) outermost = std::move(terms);
        }
        double error = 0;
        for (std::size_t n = 0; n < outputs; ++n) {
            double const magnitude = step * sums[outputs + n];
            if (outermost[outputs + n] > 1e-5 * magnitude)
                throw InputError(
                    "the energy of pairs or a derivative of it falls off too slowly beyond the cutoff "
                    "for a long-range correction, expected faster than 1/r³");
            if (magnitude > 0) error = std::max(error, std::abs(step * sums[n] - before[n]) / magnitude);
            before[n] = step * sums[n];
        }
        if (!is_first && (error <= 1e-11 || (step == finest && error <= 1e-4))) return before;
    }
    throw InputError(
        "the long-range correction does not converge, expected an energy that is smooth beyond the "
        "cutoff and in the range of the switching function");
}

}  // namespace

double LongRangeCorrection::energy(HostState& host, Request const& request) {
    if (!pairs_ || !(request.energy || request.parameter_derivatives)) return 0;
    update_global_parameters(host);
    double const volume = host.box.volume();
    if (request.parameter_derivatives)
        for (std::size_t n = 1; n < coefficients_.size(); ++n)
            host.parameter_derivatives[pairs_->derivative_names()[n - 1]] += coefficients_[n] / volume;
    return coefficients_[0] / volume;
}
void LongRangeCorrection::set_count(std::size_t particles) {
    double const count = static_cast<double>(particles) / copies_;
    scale_ = 4 * std::numbers::pi * copies_ * count / (count + 1);
    globals_.reset();
}
void LongRangeCorrection::update_global_parameters(HostState& host) {
    auto globals = values_of(pairs_->global_names(), host.parameters);
    if (globals_ == globals) return;
    double const cutoff = settings_.cutoff_distance, start = settings_.switching_distance, width = cutoff - start;
    auto const beyond = [&](double x) { return Node{cutoff / x, std::pow(cutoff, 3) / std::pow(x, 4)}; };
    auto const switching = [&](double x) {
        double const r = start + width * x, left = switched<double>({1, 0}, r, start, 1 / width).energy;
        return Node{r, r * r * width * (1 - left)};
    };
    auto coefficients = integral(beyond, *pairs_, globals, host.threads);
    if (settings_.is_switched()) {
        auto const near = integral(switching, *pairs_, globals, host.threads);
        for (std::size_t n = 0; n < near.size(); ++n) coefficients[n] += near[n];
    }
    for (double& coefficient : coefficients) coefficient *= scale_;
    coefficients_ = std::move(coefficients);
    globals_ = std::move(globals);
}

}  // namespace trotter
