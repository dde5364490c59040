// The pairs of a list by a formula that only the run time knows, some hundred at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/cpu/pair_formula.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/pair_units.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::cpu {

/// Gathers pairs within the cutoff, evaluates them together, and adds forces and sums: for one task of a list. `Arch`
/// keeps symbols of different instruction sets apart.
template <class Real, class Arch> class RuntimePairs {
    static constexpr std::size_t block = 256;

public:
    /// `tables` must stay where they are.
    RuntimePairs(expression::PairUnits const& units, Tables const& tables, PairSettings const& settings)
        : leaves_(units.leaves),
          column_count_(units.columns.outputs.size()),
          is_switched_(settings.is_switched()),
          switch_(settings),
          evaluate_(View{units}),
          tables_(&tables),
          arguments_(expression::first_leaf_variable + leaves_.size()),
          results_(units.pair.outputs.size()),
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
                arguments_[expression::first_leaf_variable + n].assign(
                    block, static_cast<Real>(values[static_cast<std::size_t>(leaves_[n].index)]));
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const& g = view.groups[n];
            IPositions<Real> const at(view.clusters, g, view.box);
            for (int k = g.masked_begin; k < g.masked_end; ++k)
                add_cluster(view, g, at, view.masked[k].cluster, view.masked[k].interacting, true);
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
    /// Where a particle's forces go, and where it stands.
    struct End {
        std::ptrdiff_t force;
        std::ptrdiff_t column;
    };
    struct Pair {
        Real difference[3];
        End i, j;
    };

    void add_cluster(PairView<Real> const& view, PairGroup const& g, IPositions<Real> const& at, int cluster,
                     std::uint32_t interacting, bool is_masked) {
        constexpr int size = cluster_size;
        Real d[3][size * size], r2[size * size] = {};
        for (int axis = 0; axis < 3; ++axis) {
            Real const* const x = view.clusters.coordinates + (3 * cluster + axis) * size;
            Real const shift =
                sizeof(Real) == 4 ? view.clusters.references[3 * cluster + axis] - at.base[axis] : Real(0);
            for (int i = 0; i < size; ++i)
                for (int j = 0; j < size; ++j) {
                    d[axis][size * i + j] = at.x[axis][i] - (x[j] + shift);
                    r2[size * i + j] += d[axis][size * i + j] * d[axis][size * i + j];
                }
        }
        for (int n = 0; n < size * size; ++n) {
            bool is_met = r2[n] <= switch_.cutoff2 && (interacting >> n & 1u) != 0;
            for (int axis = 0; is_masked && axis < 3; ++axis) is_met = is_met && d[axis][n] < view.half_box[axis];
            if (!is_met) continue;
            arguments_[expression::square_variable][count_] = r2[n];
            pairs_[count_++] = {
                {d[0][n], d[1][n], d[2][n]}, end(view, g.cluster, n / size), end(view, cluster, n % size)};
            if (count_ == block) flush(view);
        }
    }
    End end(PairView<Real> const& view, int cluster, int n) const {
        return {3 * (view.force_start[cluster / granule] + cluster) * cluster_size + n,
                static_cast<std::ptrdiff_t>(column_count_) * cluster * cluster_size + n};
    }
    void flush(PairView<Real> const& view) {
        auto& r = arguments_[expression::distance_variable];
        auto& inverse = arguments_[expression::inverse_variable];
        auto const& r2 = arguments_[expression::square_variable];
        for (std::size_t n = 0; n < count_; ++n) {
            r[n] = std::sqrt(r2[n]);
            inverse[n] = 1 / r[n];
        }
        for (std::size_t k = 0; k < leaves_.size(); ++k) {
            if (leaves_[k].role == expression::Role::global) continue;
            auto& to = arguments_[expression::first_leaf_variable + k];
            Real const* const from = view.clusters.parameters + leaves_[k].index * cluster_size;
            bool const is_first = leaves_[k].role == expression::Role::particle1;
            for (std::size_t n = 0; n < count_; ++n) to[n] = from[is_first ? pairs_[n].i.column : pairs_[n].j.column];
        }
        evaluate_(count_, from_, results_[0].data(), to_, *tables_);
        for (std::size_t n = 0; n < count_; ++n) {
            auto const value = weighted({results_[0][n], -results_[1][n]}, r[n]);
            sums_[0] += static_cast<double>(value.energy);
            for (std::size_t k = 2; k < results_.size(); ++k)
                sums_[k - 1] += static_cast<double>(weighted({results_[k][n], 0}, r[n]).energy);
            Real const force_over_r = value.virial * inverse[n] * inverse[n];
            for (int axis = 0; axis < 3; ++axis) {
                Real const force = force_over_r * pairs_[n].difference[axis];
                view.forces[pairs_[n].i.force + axis * cluster_size] += force;
                view.forces[pairs_[n].j.force + axis * cluster_size] -= force;
            }
        }
        count_ = 0;
    }
    PairValue<Real> weighted(PairValue<Real> const& value, Real r) const {
        return is_switched_ ? switched<Real>(value, r, switch_.start, switch_.inverse_width) : value;
    }

    std::vector<expression::Leaf> leaves_;
    std::size_t column_count_;
    bool is_switched_;
    PairSwitch<Real, Arch> switch_;
    Evaluator<Real> evaluate_;
    Tables const* tables_;
    std::vector<std::vector<Real>> arguments_, results_;
    std::vector<Real const*> from_;
    std::vector<Real*> to_;
    std::vector<Pair> pairs_ = std::vector<Pair>(block);
    std::size_t count_ = 0;
    std::vector<double> sums_;
};

}  // namespace trotter::cpu
