// CustomGBForce on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/formula_program.hpp>
#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/single_formulas.hpp>
#include <trotter/forces/nonbonded_check.hpp>
#include <trotter/reference/custom_gb.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace cpu {

/// The pairs of one kind, excluded ones left out or not: a list, and the numbers of all particles in its places.
template <class Arch, class Real> class GBPairs {
    using Program = FormulaProgram<Real, Arch>;

public:
    GBPairs(CustomGBForce const& force, bool sees_excluded, GBColumns<Arch> const& columns, ListBuffers const& buffers)
        : neighbors_(force.pairs.uses_cutoff() ? force.pairs.cutoff_distance : 0, force.pairs.is_periodic(),
                     exclusions(force, sees_excluded), buffers, std::max(1, columns.values)),
          column_count_(columns.count()) {}

    /// Takes over new positions. True if particles have other places.
    bool update(HostEngine& host) {
        if (!neighbors_.update(host.positions, host.box, host.threads)) return false;
        neighbors_.clusters.parameters.records.assign(stride() * neighbors_.clusters.place_count(), Real(0));
        memory_.resize(static_cast<std::size_t>(neighbors_.task_count()));
        return true;
    }
    /// Puts a number of each particle into its place.
    void place(int column, std::vector<double> const& numbers, Threads& threads) {
        neighbors_.clusters.for_each_place(threads, [&](std::size_t place, int particle) {
            if (particle >= 0)
                neighbors_.clusters.parameters.records[place * stride() + static_cast<std::size_t>(column)] =
                    static_cast<Real>(numbers[static_cast<std::size_t>(particle)]);
        });
    }
    /// Returns the program's totals.
    std::vector<double> run(Program const& program, GBNumbers<Arch> const& numbers, Tables const& tables,
                            Threads& threads) {
        auto const profiled = threads.profile.part("pairs");
        std::vector<std::vector<double>> parts(memory_.size());
        for (auto& memory : memory_) memory.make_room(program.sweeps());
        threads.run(neighbors_.task_count(), [&](int task) {
            auto const n = static_cast<std::size_t>(task);
            parts[n] = program.sweeps().run(neighbors_.view(task), memory_[n], numbers.globals, tables);
        });
        std::vector<double> totals(program.totals().size());
        for (auto const& part : parts)
            for (std::size_t n = 0; n < totals.size(); ++n) totals[n] += part[n];
        return totals;
    }
    /// Adds a plane of what the last sweep summed to a number of each particle.
    void add_sums(int plane, std::vector<double>& to, Threads& threads) const {
        threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, granule_places> sums{};
            neighbors_.sum_sums(g, sums, plane);
            neighbors_.for_sums(g, sums, [&](std::size_t, std::size_t particle, double sum) { to[particle] += sum; });
        });
    }
    void add_forces(HostEngine& host) const {
        neighbors_.add_forces(host.forces, host.threads);
    }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        neighbors_.clusters.parameters.records.assign(stride() * neighbors_.clusters.place_count(), Real(0));
        memory_.resize(static_cast<std::size_t>(neighbors_.task_count()));
    }

private:
    std::size_t stride() const { return static_cast<std::size_t>(parameter_stride(column_count_)); }
    static Exclusions<Arch> exclusions(CustomGBForce const& force, bool sees_excluded) {
        if (sees_excluded || force.pairs.exclusions.empty()) return {};
        return {excluded_partners(force.pairs, force.particles.size()), false, false};
    }

    Neighbors<Arch, Real> neighbors_;
    int column_count_;
    std::vector<typename SweepProgram<Real, Arch>::Memory> memory_;  // of each task
};

}  // namespace cpu

/// Values from the first to the last, energies, and derivatives from the last value to the first: see GBFormulas. Pairs
/// are swept over by register programs in SIMD; single particles are computed in double in every precision.
template <class Arch, Precision P> class Kernel<CustomGBForce, BasicCpu<Arch>, P> {
    using ThisEngine = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;
    using Program = cpu::FormulaProgram<Real, Arch>;
    using Wants = typename Program::Wants;

public:
    Kernel(CustomGBForce const& force, ThisEngine& engine, Registration who)
        : who_(who),
          system_box_(engine.host.box),
          force_(checked(force, engine.host, system_box_)),
          columns_{static_cast<int>(force.parameter_names.size()), static_cast<int>(force.computed_values.size())},
          buffers_(cpu::list_buffers<Real>(engine.backend, engine.host.size())) {
        GBFormulas const formulas(force);
        for (std::size_t k = 0; k < formulas.values.size(); ++k) add_value(formulas.values[k], formulas.both_orders[k]);
        for (auto const& formula : formulas.energies) add_energy(formula);
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        for (auto const& name : force.energy_parameter_derivatives) engine.host.parameter_derivatives.emplace(name, 0);
        take_numbers();
    }
    Kernel(Kernel const&) = delete;
    Kernel& operator=(Kernel const&) = delete;

    double compute(ThisEngine& engine, Request const& request) {
        HostEngine& host = engine.host;
        if (!request.wants(who_.index, force_.force_group)) return 0;
        if (!force_.pairs.uses_cutoff() && cpu::are_too_far_apart<Arch>(host.positions))
            return cpu::compute_by_reference<Arch>(force_, who_, host, request);
        begin(host);
        for (std::size_t k = 0; k < values_.size(); ++k) find_values(k, host);
        for (auto const& energy : energies_) totals_[0] += add(energy, host)[0];
        for (std::size_t k = values_.size(); k-- > 0;) pass_on(k, host);
        if (request.parameter_derivatives) give_derivatives(host);
        return totals_[0];
    }

    /// Takes over other numbers of the particles, and tables.
    void update(CustomGBForce const& force, ThisEngine& engine) {
        checked(force, engine.host, system_box_);
        check_same(force_, force);
        force_ = force;
        take_numbers();
    }

    template <class Archive> void save(Archive& archive) const {
        for (auto const& pairs : pairs_)
            if (pairs) pairs->save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        for (auto& pairs : pairs_)
            if (pairs) pairs->load(archive);
        are_placed_ = false;
    }

private:
    using Pairs = cpu::GBPairs<Arch, Real>;
    using Single = cpu::SingleFormula<Arch>;

    /// Of single particles, or of pairs: a sweep that sums the value, and one with what follows from it.
    struct Value {
        std::optional<Single> single{};
        std::optional<Program> sum{}, chain{};
        Pairs* pairs = nullptr;
    };
    struct EnergyTerm {
        std::optional<Single> single{};
        std::optional<Program> sweep{};
        Pairs* pairs = nullptr;
    };

    static CustomGBForce const& checked(CustomGBForce const& force, HostEngine const& host, Box const& box) {
        check(force, host.particles.count(), box);
        return force;
    }
    double cutoff() const { return force_.pairs.uses_cutoff() ? force_.pairs.cutoff_distance : 1e14; }
    /// Where nothing is excluded one list serves both kinds.
    Pairs& pairs_of(GBFormula const& formula) {
        bool const sees_excluded = formula.sees_excluded() || force_.pairs.exclusions.empty();
        auto& pairs = pairs_[sees_excluded ? 1 : 0];
        if (!pairs) pairs.emplace(force_, sees_excluded, columns_, buffers_);
        return *pairs;
    }
    void add_value(GBFormula const& formula, GBFormula const& both_orders) {
        auto& value = values_.emplace_back();
        if (!formula.is_of_pairs()) {
            value.single.emplace(formula);
            return;
        }
        value.pairs = &pairs_of(formula);
        value.sum.emplace(both_orders, Wants::values, columns_, cutoff());
        value.chain.emplace(both_orders, Wants::chain, columns_, cutoff());
    }
    void add_energy(GBFormula const& formula) {
        auto& energy = energies_.emplace_back();
        if (!formula.is_of_pairs()) {
            energy.single.emplace(formula);
            return;
        }
        energy.pairs = &pairs_of(formula);
        energy.sweep.emplace(formula, Wants::energy, columns_, cutoff());
    }
    void take_numbers() {
        tables_ = Tables(force_.tabulated_functions);
        numbers_.parameters.assign(force_.parameter_names.size(), {});
        for (auto const& row : force_.particles)
            for (std::size_t n = 0; n < row.size(); ++n) numbers_.parameters[n].push_back(row[n]);
        are_placed_ = false;
    }

    void begin(HostEngine& host) {
        numbers_.values.assign(values_.size(), std::vector<double>(host.size()));
        numbers_.by_value = numbers_.values;
        numbers_.globals.clear();
        for (auto const& parameter : force_.global_parameters)
            numbers_.globals.push_back(host.parameters.value(parameter.name));
        totals_.assign(1 + numbers_.globals.size(), 0);
        for (auto& pairs : pairs_)
            if (pairs && (pairs->update(host) || !are_placed_))
                for (std::size_t n = 0; n < numbers_.parameters.size(); ++n)
                    pairs->place(static_cast<int>(n), numbers_.parameters[n], host.threads);
        are_placed_ = true;
    }
    void place(int column, std::vector<double> const& numbers, Threads& threads) {
        for (auto& pairs : pairs_)
            if (pairs) pairs->place(column, numbers, threads);
    }
    void find_values(std::size_t k, HostEngine& host) {
        auto& value = values_[k];
        if (value.single)
            value.single->find_values(numbers_.values[k], numbers_, host, tables_);
        else {
            value.pairs->run(*value.sum, numbers_, tables_, host.threads);
            value.pairs->add_sums(0, numbers_.values[k], host.threads);
        }
        place(columns_.parameters + static_cast<int>(k), numbers_.values[k], host.threads);
    }
    /// Forces, derivatives by values and by global parameters.
    std::vector<double> sweep(Program const& program, Pairs& pairs, HostEngine& host) {
        auto const sums = pairs.run(program, numbers_, tables_, host.threads);
        pairs.add_forces(host);
        for (std::size_t n = 0; n < program.planes().size(); ++n)
            pairs.add_sums(static_cast<int>(n), numbers_.by_value[static_cast<std::size_t>(program.planes()[n].value)],
                           host.threads);
        for (std::size_t n = 0; n < sums.size(); ++n)
            if (int const global = program.totals()[n].global; global >= 0)
                totals_[1 + static_cast<std::size_t>(global)] += sums[n];
        return sums;
    }
    std::vector<double> add_single(Single const& single, std::vector<double> const* by_result, HostEngine& host) {
        auto const sums = single.pass_on(by_result, numbers_, host, tables_);
        for (std::size_t n = 1; n < sums.size(); ++n) totals_[n] += sums[n];
        return sums;
    }
    std::vector<double> add(EnergyTerm const& energy, HostEngine& host) {
        return energy.single ? add_single(*energy.single, nullptr, host) : sweep(*energy.sweep, *energy.pairs, host);
    }
    void pass_on(std::size_t k, HostEngine& host) {
        auto const& value = values_[k];
        if (value.single) {
            add_single(*value.single, &numbers_.by_value[k], host);
            return;
        }
        value.pairs->place(columns_.parameters + columns_.values + static_cast<int>(k), numbers_.by_value[k],
                           host.threads);
        sweep(*value.chain, *value.pairs, host);
    }
    void give_derivatives(HostEngine& host) const {
        auto const& wanted = force_.energy_parameter_derivatives;
        for (std::size_t n = 0; n < force_.global_parameters.size(); ++n)
            if (auto const& name = force_.global_parameters[n].name;
                std::find(wanted.begin(), wanted.end(), name) != wanted.end())
                host.parameter_derivatives[name] += totals_[1 + n];
    }

    Registration who_;
    Box system_box_;
    CustomGBForce force_;
    cpu::GBColumns<Arch> columns_;
    cpu::ListBuffers buffers_;
    std::array<std::optional<Pairs>, 2> pairs_;  ///< without those that are excluded, and all
    std::vector<Value> values_;
    std::vector<EnergyTerm> energies_;
    Tables tables_;
    cpu::GBNumbers<Arch> numbers_;
    std::vector<double> totals_;  ///< the energy, and its derivatives by global parameters
    bool are_placed_ = false;
};

}  // namespace trotter
