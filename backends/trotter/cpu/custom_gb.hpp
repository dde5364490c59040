// CustomGBForce on the Cpu backend: stages given by run-time formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/cpu/formulas/formula_program.hpp>
#include <trotter/cpu/formulas/single_formulas.hpp>
#include <trotter/cpu/neighbor_list/neighbor_list.hpp>
#include <trotter/cpu/stages.hpp>

namespace trotter::cpu {

/// A neighbor list with or without excluded pairs, and columns of per-particle data for its slots.
template <class Arch, class Real> class GBPairs {
    using Program = FormulaProgram<Real, Arch>;

public:
    GBPairs(PairSettings const& settings, std::size_t particles, bool sees_excluded, GBColumns<Arch> const& columns,
            PairListBuffers const& buffers)
        : neighbor_list_(settings.uses_cutoff() ? settings.cutoff_distance : 0, settings.is_periodic(),
                         sees_excluded ? Exclusions<Arch>{} : exclusions(settings, particles), buffers,
                         std::max(1, columns.values)),
          column_count_(columns.count()) {}

    /// Updates positions; returns true if particles have other slots.
    bool update(HostState& host) {
        if (!neighbor_list_.update(host.positions, host.box, host.threads)) return false;
        make_room();
        return true;
    }
    /// Copies a per-particle quantity to its column in the slots.
    void fill_slots(int column, std::vector<double> const& numbers, Threads& threads) {
        neighbor_list_.clusters.for_each_slot(threads, [&](std::size_t slot, int particle) {
            if (particle >= 0)
                columns_.records[slot * stride() + static_cast<std::size_t>(column)] =
                    static_cast<Real>(numbers[static_cast<std::size_t>(particle)]);
        });
    }
    /// Runs the program over all pairs; returns its totals.
    std::vector<double> run(Program const& program, GBNumbers<Arch> const& numbers, Tables const& tables,
                            Threads& threads) {
        auto const profiled = threads.profile.part("pairs");
        std::vector<std::vector<double>> parts(memory_.size());
        for (auto& memory : memory_) memory.make_room(program.kernel());
        threads.run(neighbor_list_.task_count(), [&](int task) {
            auto const n = static_cast<std::size_t>(task);
            parts[n] = program.kernel().run(neighbor_list_.view(task, columns_), memory_[n], numbers.globals, tables);
        });
        std::vector<double> totals(program.totals().size());
        for (auto const& part : parts)
            for (std::size_t n = 0; n < totals.size(); ++n) totals[n] += part[n];
        return totals;
    }
    /// Adds a plane of the last pass's sums to a per-particle quantity.
    void add_sums(int plane, std::vector<double>& to, Threads& threads) const {
        threads.run(neighbor_list_.reduction_block_count(), [&](int g) {
            std::array<double, slots_per_block> sums{};
            neighbor_list_.sum_sums(g, sums, plane);
            neighbor_list_.for_sums(g, sums,
                                    [&](std::size_t, std::size_t particle, double sum) { to[particle] += sum; });
        });
    }
    void add_forces(HostState& host) const {
        neighbor_list_.add_forces(host.forces, host.threads);
    }

    template <class Archive> void save(Archive& archive) const { neighbor_list_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbor_list_.load(archive);
        make_room();
    }

private:
    void make_room() {
        columns_.records.assign(stride() * neighbor_list_.clusters.slot_count(), Real(0));
        memory_.resize(static_cast<std::size_t>(neighbor_list_.task_count()));
    }
    std::size_t stride() const { return static_cast<std::size_t>(parameter_stride(column_count_)); }
    static Exclusions<Arch> exclusions(PairSettings const& settings, std::size_t particles) {
        return {excluded_partners(settings, particles), false, false};
    }

    NeighborList<Arch, Real> neighbor_list_;
    int column_count_;
    SlotParameters<Arch, Real> columns_;
    std::vector<typename PairKernelProgram<Real, Arch>::Memory> memory_;  // of each task
};

/// Pair values and energies are evaluated by register programs in SIMD; those of single particles in double in every
/// precision.
template <class Arch, class Real> class Stages<CustomGBForce, Arch, Real> {
    using Program = FormulaProgram<Real, Arch>;
    using Wants = typename Program::Wants;

public:
    Stages(CustomGBForce const& force, PairListBuffers const& buffers)
        : force_(force),
          columns_{static_cast<int>(force.parameter_names.size()), static_cast<int>(force.computed_values.size())},
          buffers_(buffers) {
        GBFormulas const formulas(force);
        for (std::size_t k = 0; k < formulas.values.size(); ++k)
            add(values_, formulas.values[k], formulas.both_orders[k], Wants::chain);
        for (auto const& formula : formulas.energies) add(energies_, formula, formula, Wants::energy);
        update_parameters();
    }

    void update_parameters() {
        tables_ = Tables(force_.tabulated_functions);
        numbers_.parameters.assign(force_.parameter_names.size(), {});
        for (auto const& row : force_.particles)
            for (std::size_t n = 0; n < row.size(); ++n) numbers_.parameters[n].push_back(row[n]);
        are_slots_filled_ = false;
    }
    void begin(HostState& host) {
        numbers_.values.assign(values_.size(), std::vector<double>(host.size()));
        numbers_.by_value = numbers_.values;
        numbers_.globals.clear();
        for (auto const& parameter : force_.global_parameters)
            numbers_.globals.push_back(host.parameters.value(parameter.name));
        by_global_.assign(numbers_.globals.size(), 0);
        for (auto& pairs : pairs_)
            if (pairs && (pairs->update(host) || !are_slots_filled_))
                for (std::size_t n = 0; n < numbers_.parameters.size(); ++n)
                    pairs->fill_slots(static_cast<int>(n), numbers_.parameters[n], host.threads);
        are_slots_filled_ = true;
    }

    std::size_t value_count() const { return values_.size(); }
    void find_values(std::size_t k, HostState& host) {
        auto& value = values_[k];
        if (value.single)
            value.single->find_values(numbers_.values[k], numbers_, host, tables_);
        else {
            value.pairs->run(*value.sum, numbers_, tables_, host.threads);
            value.pairs->add_sums(0, numbers_.values[k], host.threads);
        }
        for (auto& pairs : pairs_)
            if (pairs) pairs->fill_slots(columns_.parameters + static_cast<int>(k), numbers_.values[k], host.threads);
    }
    double add_energies(HostState& host) {
        double total = 0;
        for (auto const& energy : energies_) total += pass_on(energy, nullptr, host);
        return total;
    }
    void pass_on(std::size_t k, HostState& host) {
        if (auto* const pairs = values_[k].pairs)
            pairs->fill_slots(columns_.parameters + columns_.values + static_cast<int>(k), numbers_.by_value[k],
                              host.threads);
        pass_on(values_[k], &numbers_.by_value[k], host);
    }
    std::vector<double> const& by_global() const { return by_global_; }

    template <class Archive> void save(Archive& archive) const {
        for (auto const& pairs : pairs_)
            if (pairs) pairs->save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        for (auto& pairs : pairs_)
            if (pairs) pairs->load(archive);
        are_slots_filled_ = false;
    }

private:
    using Pairs = GBPairs<Arch, Real>;

    /// A formula of single particles, or of pairs: `sum` sums a value over pairs, `chain` evaluates an energy or
    /// applies the chain rule to a value.
    struct Stage {
        std::optional<SingleFormula<Arch>> single{};
        Pairs* pairs = nullptr;
        std::optional<Program> sum{}, chain{};
    };

    double cutoff() const { return force_.pairs.uses_cutoff() ? force_.pairs.cutoff_distance : 1e14; }
    /// Without exclusions, one list serves both kinds.
    Pairs& pairs_of(GBFormula const& formula) {
        bool const sees_excluded = formula.sees_excluded() || force_.pairs.exclusions.empty();
        auto& pairs = pairs_[sees_excluded ? 1 : 0];
        if (!pairs) pairs.emplace(force_.pairs, force_.particles.size(), sees_excluded, columns_, buffers_);
        return *pairs;
    }
    /// `swept` is the formula that passes over pairs evaluate.
    void add(std::vector<Stage>& stages, GBFormula const& formula, GBFormula const& swept, Wants wants) {
        auto& stage = stages.emplace_back();
        if (!formula.is_of_pairs()) {
            stage.single.emplace(formula);
            return;
        }
        stage.pairs = &pairs_of(formula);
        if (wants == Wants::chain) stage.sum.emplace(swept, Wants::values, columns_, cutoff());
        stage.chain.emplace(swept, wants, columns_, cutoff());
    }
    /// Adds forces and derivatives by values and global parameters, of a value by the chain rule from the derivatives
    /// of the energy by it, or of an energy, which is returned.
    double pass_on(Stage const& stage, std::vector<double> const* by_result, HostState& host) {
        if (stage.single) {
            auto const sums = stage.single->pass_on(by_result, numbers_, host, tables_);
            for (std::size_t n = 1; n < sums.size(); ++n) by_global_[n - 1] += sums[n];
            return sums[0];
        }
        auto const sums = stage.pairs->run(*stage.chain, numbers_, tables_, host.threads);
        stage.pairs->add_forces(host);
        auto const& planes = stage.chain->planes();
        for (std::size_t n = 0; n < planes.size(); ++n)
            stage.pairs->add_sums(static_cast<int>(n), numbers_.by_value[static_cast<std::size_t>(planes[n].value)],
                                  host.threads);
        double energy = 0;
        for (std::size_t n = 0; n < sums.size(); ++n)
            if (int const global = stage.chain->totals()[n].global; global >= 0)
                by_global_[static_cast<std::size_t>(global)] += sums[n];
            else
                energy += sums[n];
        return energy;
    }

    CustomGBForce const& force_;
    GBColumns<Arch> columns_;
    PairListBuffers buffers_;
    std::array<std::optional<Pairs>, 2> pairs_;  ///< without excluded pairs, and with all
    std::vector<Stage> values_, energies_;
    Tables tables_;
    GBNumbers<Arch> numbers_;
    std::vector<double> by_global_;
    bool are_slots_filled_ = false;
};

}  // namespace trotter::cpu
