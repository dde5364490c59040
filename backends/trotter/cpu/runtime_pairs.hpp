// The pairs of a list by a formula that only the run time knows, some hundred at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/cpu/pair_formula.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/pair_units.hpp>

namespace trotter::cpu {

/// Gathers pairs within the cutoff, evaluates them together, and adds forces and sums: for one task of a list. `Arch`
/// keeps symbols of different instruction sets apart.
template <class Real, class Arch> class RuntimePairs {
    static constexpr std::size_t block = 256;

public:
    RuntimePairs(expression::PairUnits const& units, PairSettings const& settings)
        : leaves_(units.leaves), column_count_(units.columns.outputs.size()), is_switched_(settings.is_switched()), switch_(settings),
          evaluate_(View{units}), arguments_(expression::first_leaf_variable + leaves_.size()), results_(units.pair.outputs.size()),
          sums_(units.pair.outputs.size()) {
        for (auto& argument : arguments_) argument.resize(block);
        for (auto& result : results_) result.resize(block);
        for (auto& argument : arguments_) from_.push_back(argument.data());
        for (std::size_t n = 1; n < results_.size(); ++n) to_.push_back(results_[n].data());
    }

    /// The energy, and behind it the derivatives by global parameters.
    std::vector<double> const& run(PairView<Real> const& view, std::vector<double> const& values) {
        sums_.assign(sums_.size(), 0);
        for (std::size_t n = 0; n < leaves_.size(); ++n)
            if (leaves_[n].role == expression::Role::global)
                arguments_[expression::first_leaf_variable + n].assign(block, static_cast<Real>(values[static_cast<std::size_t>(leaves_[n].index)]));
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const& g = view.groups[n];
            IPositions<Real> const at(view.clusters, g, view.box);
            for (int k = g.masked_begin; k < g.masked_end; ++k) add_cluster(view, g, at, view.masked[k].cluster, view.masked[k].interacting, true);
            for (int k = g.plain_begin; k < g.plain_end; ++k) add_cluster(view, g, at, view.plain[k], 0xFFFF, false);
        }
        flush(view);
        return sums_;
    }

private:
    struct Names {
        std::size_t count;
        std::size_t size() const { return count; }
    };
    struct View {
        expression::PairUnits const& units;
        expression::UnitView unit() const { return {units.pair.code, units.pair.outputs, units.pair.calls}; }
        Names names() const { return {expression::first_leaf_variable + units.leaves.size()}; }
    };
    struct Pair {
        std::array<Real, 3> difference;
        std::ptrdiff_t i, j;  // where forces go
    };

    static std::ptrdiff_t place(PairView<Real> const& view, int cluster) {
        return 3 * (view.force_start[cluster / granule] + cluster) * cluster_size;
    }
    void add_cluster(PairView<Real> const& view, PairGroup const& g, IPositions<Real> const& at, int cluster, std::uint32_t interacting,
                     bool is_masked) {
        auto const& clusters = view.clusters;
        Real shift[3] = {0, 0, 0};
        if constexpr (sizeof(Real) == 4)
            for (int axis = 0; axis < 3; ++axis) shift[axis] = clusters.references[3 * cluster + axis] - at.base[axis];
        for (int i = 0; i < cluster_size; ++i)
            for (int j = 0; j < cluster_size; ++j) {
                std::array<Real, 3> d;
                Real r2 = 0;
                bool is_met = interacting >> (cluster_size * i + j) & 1u;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    auto const n = static_cast<int>(axis);
                    d[axis] = at.x[n][i] - (clusters.coordinates[(3 * cluster + n) * cluster_size + j] + shift[n]);
                    r2 += d[axis] * d[axis];
                    if (is_masked) is_met = is_met && d[axis] < view.half_box[n];
                }
                if (is_met && r2 <= switch_.cutoff2) add(view, {d, place(view, g.cluster) + i, place(view, cluster) + j}, r2, cluster_size * g.cluster + i, cluster_size * cluster + j);
            }
    }
    void add(PairView<Real> const& view, Pair const& pair, Real r2, int i, int j) {
        std::size_t const n = pairs_.size();
        Real const r = std::sqrt(r2);
        arguments_[expression::distance_variable][n] = r;
        arguments_[expression::inverse_variable][n] = 1 / r;
        arguments_[expression::square_variable][n] = r2;
        for (std::size_t k = 0; k < leaves_.size(); ++k) {
            if (leaves_[k].role == expression::Role::global) continue;
            int const particle = leaves_[k].role == expression::Role::particle1 ? i : j;
            arguments_[expression::first_leaf_variable + k][n] =
                view.clusters.parameters[(static_cast<int>(column_count_) * (particle / cluster_size) + leaves_[k].index) * cluster_size + particle % cluster_size];
        }
        pairs_.push_back(pair);
        if (pairs_.size() == block) flush(view);
    }
    void flush(PairView<Real> const& view) {
        evaluate_(pairs_.size(), from_, results_[0].data(), to_);
        for (std::size_t n = 0; n < pairs_.size(); ++n) {
            Real const r = arguments_[expression::distance_variable][n], inverse = arguments_[expression::inverse_variable][n];
            auto const value = weighted({results_[0][n], -results_[1][n]}, r);
            sums_[0] += static_cast<double>(value.energy);
            for (std::size_t k = 2; k < results_.size(); ++k) sums_[k - 1] += static_cast<double>(weighted({results_[k][n], 0}, r).energy);
            Real const force_over_r = value.virial * inverse * inverse;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                auto const plane = static_cast<std::ptrdiff_t>(axis) * cluster_size;
                view.forces[pairs_[n].i + plane] += force_over_r * pairs_[n].difference[axis];
                view.forces[pairs_[n].j + plane] -= force_over_r * pairs_[n].difference[axis];
            }
        }
        pairs_.clear();
    }
    PairValue<Real> weighted(PairValue<Real> const& value, Real r) const {
        return is_switched_ ? switched<Real>(value, r, switch_.start, switch_.inverse_width) : value;
    }

    std::vector<expression::Leaf> leaves_;
    std::size_t column_count_;
    bool is_switched_;
    PairSwitch<Real> switch_;
    Evaluator<Real> evaluate_;
    std::vector<std::vector<Real>> arguments_, results_;
    std::vector<Real const*> from_;
    std::vector<Real*> to_;
    std::vector<Pair> pairs_;
    std::vector<double> sums_;
};

}  // namespace trotter::cpu
