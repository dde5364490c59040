// The ways in which Cpu evaluates run-time formulas in double, for arbitrary arguments, not only particles' parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/cpu/formulas/pair_kernel_program.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace trotter::testing {

/// [n][k]: variable n of set k, in the order of the formula's names.
using Columns = std::vector<std::vector<double>>;

/// The energy of a formula and its slopes by all names, for each set of arguments.
inline Columns by_scalars(RuntimeExpression const& formula, Columns const& arguments, std::size_t sets) {
    Evaluator<double> evaluate(formula);
    Columns results(1 + arguments.size(), std::vector<double>(sets));
    std::vector<double> at(arguments.size()), slopes(arguments.size());
    for (std::size_t k = 0; k < sets; ++k) {
        for (std::size_t n = 0; n < at.size(); ++n) at[n] = arguments[n][k];
        results[0][k] = evaluate(at.data(), slopes.data());
        for (std::size_t n = 0; n < at.size(); ++n) results[n + 1][k] = slopes[n];
    }
    return results;
}

/// The same by the evaluation of forces that are sums of terms.
inline Columns by_terms(RuntimeExpression const& formula, Columns const& arguments, std::size_t sets) {
    using T = cpu::Pack<double, xsimd::default_arch, 1>;
    Evaluator<T> evaluate(formula);
    Columns results(1 + arguments.size(), std::vector<double>(sets));
    std::vector<T> at(arguments.size()), slopes(arguments.size());
    for (std::size_t first = 0; first < sets; first += T::size) {
        auto const set = [&](std::size_t lane) { return std::min(first + lane, sets - 1); };
        for (std::size_t n = 0; n < at.size(); ++n) {
            std::array<double, T::size> lanes;
            for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = arguments[n][set(lane)];
            at[n] = T::load_unaligned(lanes.data());
        }
        T const value = evaluate(at.data(), slopes.data());
        for (std::size_t lane = 0; lane < T::size; ++lane) {
            results[0][set(lane)] = value.parts[0].get(lane);
            for (std::size_t n = 0; n < at.size(); ++n) results[n + 1][set(lane)] = slopes[n].parts[0].get(lane);
        }
    }
    return results;
}

/// Sets of arguments as parameters of particles, four to a cluster after the first, each with one partner in the first:
/// the sums over its partners are a formula's results.
class PairsOfSets {
    static constexpr std::size_t width = cpu::cluster_size;

public:
    PairsOfSets(Columns const& arguments, std::size_t sets)
        : planes_(arguments.size()),
          sets_(sets),
          clusters_(1 + (sets + width - 1) / width),
          coordinates_(cpu::record_size * clusters_ * width, 0.0),
          references_(coordinates_.size(), 0),
          forces_(coordinates_),
          sums_((1 + planes_) * clusters_ * width, 0.0),
          parameters_(stride() * clusters_ * width, 0.0) {
        for (std::size_t c = 1; c < clusters_; ++c) {
            constexpr std::uint32_t first_with_all = 0x1111;
            entries_.push_back({static_cast<std::int32_t>(c), first_with_all, 0});
            for (std::size_t p = 0; p < width; ++p) {
                coordinates_[cpu::record_size * (c * width + p)] = 0.5;
                for (std::size_t n = 0; n < planes_; ++n)
                    parameters_[stride() * (c * width + p) + n] = arguments[n][std::min((c - 1) * width + p, sets - 1)];
            }
        }
        group_.i.count = 1;
        group_.i.masked[0].end = static_cast<std::int32_t>(entries_.size());
    }
    cpu::PairView<double> view() {
        cpu::PairView<double> view{};
        view.clusters.coordinates = coordinates_.data();
        view.clusters.parameters = parameters_.data();
        view.clusters.references = references_.data();
        view.clusters.cell = box_.data();
        view.groups = &group_;
        view.group_count = 1;
        view.masked = entries_.data();
        view.slot_mask = ~0;
        view.forces = forces_.data();
        view.sums = sums_.data();
        view.sum_stride = static_cast<std::ptrdiff_t>(clusters_ * width);
        for (double& half : view.half_box) half = 10;
        return view;
    }
    Columns results() const {
        Columns result;
        for (std::size_t n = 0; n <= planes_; ++n) {
            auto const begin = sums_.begin() + static_cast<std::ptrdiff_t>((n * clusters_ + 1) * width);
            result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(sets_));
        }
        return result;
    }

private:
    std::size_t stride() const { return static_cast<std::size_t>(cpu::parameter_stride(static_cast<int>(planes_))); }

    std::size_t planes_, sets_, clusters_;
    cpu::Aligned<double> coordinates_;
    cpu::Aligned<std::uint32_t> references_;
    cpu::Aligned<double> forces_, sums_, parameters_;
    std::vector<cpu::MaskedPair> entries_;
    std::array<double, 9> box_{};
    cpu::ParticleGroup group_{};
};

/// The same by the evaluation of sums over pairs, JIT-compiled where possible. If `one_is_global`, the last argument is
/// the same for all sets.
inline Columns by_pair_kernel(RuntimeExpression const& formula, Columns const& arguments, std::size_t sets,
                              bool one_is_global) {
    using Program = cpu::PairKernelProgram<double, cpu::DynamicDispatch>;
    auto const count = static_cast<int>(arguments.size());
    bool const has_global = one_is_global && count > 0;
    Program program(count, 1);
    for (int n = 0; n < count - has_global; ++n) program.loads.push_back({n, n, true});
    if (has_global) program.globals.push_back({count - 1, 0});
    auto const outputs = formula.unit().outputs;
    program.compile(formula.unit(), count, {outputs.begin(), outputs.end()});
    for (int n = 0; n <= count; ++n)
        if (program.output(n) >= 0) program.sums.push_back({program.output(n), n, true});
    program.make_code();

    PairsOfSets pairs(arguments, sets);
    Program::Memory memory;
    memory.make_room(program);
    program.run(pairs.view(), memory, {has_global ? arguments.back()[0] : 0}, Tables{});
    return pairs.results();
}

}  // namespace trotter::testing
