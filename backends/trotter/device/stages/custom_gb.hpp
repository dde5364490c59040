// CustomGBForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/stages/custom_gb_text.hpp>
#include <trotter/device/stages/stages.hpp>

namespace trotter::device {

/// Per-particle stages between two pair stages are one kernel.
template <DeviceQueue Q> class Stages<CustomGBForce, Q> {
    using Source = GBFormula::Source;

public:
    Stages(CustomGBForce const& force, Engine<Q>& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked_stages(force, engine.host)),
          formulas_(force),
          tables_of_force_(force.tabulated_functions),
          sums_(particle_sums(engine)),
          text_(formulas_, tables_of_force_, engine.types, sums_),
          energy_accumulator_(engine.sums.add()) {
        for (std::size_t n = 0; n < force.energy_parameter_derivatives.size(); ++n)
            derivative_accumulators_.push_back(engine.sums.add());
        allocate(engine);
        upload(engine);
        describe_pair_energies(engine);
        describe_stages(engine);
    }
    Stages(Stages const&) = delete;
    Stages& operator=(Stages const&) = delete;

    void compute(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        if (version_ != engine.host.parameters.version()) update_global_parameters(engine);
        launches_.launch(engine, request, [this] {
            return (tables_of_force_.empty() ? std::string() : kernels::tables("coordinate")) + kernels_;
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) const {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const& names = force_.energy_parameter_derivatives;
        if (request.parameter_derivatives)
            for (std::size_t n = 0; n < names.size(); ++n)
                engine.host.parameter_derivatives[names[n]] += engine.total(derivative_accumulators_[n]);
        return engine.total(energy_accumulator_);
    }
    /// Updates per-particle parameters and tables.
    void update(CustomGBForce const& force, Engine<Q>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same(force_, force);
        force_ = force;
        tables_of_force_ = Tables(force.tabulated_functions);
        upload(engine);  // the sizes are unchanged
    }

private:
    std::vector<CustomGBText::Sums> particle_sums(Engine<Q>& engine) const {
        std::vector<CustomGBText::Sums> result(formulas_.values.size());
        for (std::size_t k = 0; k < result.size(); ++k) {
            if (formulas_.values[k].is_of_pairs()) result[k].value = engine.add_particle_sum();
            result[k].by_value = engine.add_particle_sum();
        }
        return result;
    }
    void allocate(Engine<Q>& engine) {
        auto& queue = engine.queue;
        bool const is_double = engine.types.real_is_double, is_fine = engine.types.coordinate_is_double;
        std::size_t const count = formulas_.values.size(), all = engine.padded * std::max<std::size_t>(count, 1);
        ColumnPacking const packing(force_.parameter_names.size());
        for (std::size_t v = 0; v < packing.vectors(); ++v)
            columns_.emplace_back(queue, packing.width(v) * engine.padded, is_double);
        parameters_ =
            NumberArray<Q>(queue, std::max<std::size_t>(force_.parameter_names.size(), 1) * engine.padded, is_fine);
        globals_ = NumberArray<Q>(queue, std::max<std::size_t>(force_.global_parameters.size(), 1), is_fine);
        values_ = NumberArray<Q>(queue, all, is_fine);
        by_value_ = NumberArray<Q>(queue, all, is_fine);
        values_.clear(queue);
        by_value_.clear(queue);
        auto const numbers = table_numbers();
        tables_ = NumberArray<Q>(queue, numbers, is_double);
        fine_tables_ = NumberArray<Q>(queue, numbers, is_fine);
        global_values_.assign(force_.global_parameters.size(), ChangingReal(queue.version(), is_double));
    }
    std::vector<double> table_numbers() const {
        return tables_of_force_.empty() ? std::vector<double>(4) : tables_of_force_.numbers();
    }
    void upload(Engine<Q>& engine) {
        std::size_t const names = force_.parameter_names.size(), particles = force_.particles.size();
        std::vector<std::vector<double>> columns(names, std::vector<double>(particles));
        std::vector<double> all(std::max<std::size_t>(names, 1) * engine.padded);
        for (std::size_t n = 0; n < names; ++n)
            for (std::size_t i = 0; i < particles; ++i)
                all[n * engine.padded + i] = columns[n][i] = force_.particles[i][n];
        ColumnPacking const packing(names);
        for (std::size_t v = 0; v < packing.vectors(); ++v)
            columns_[v].upload(engine.queue, packing.numbers(columns, v, engine.padded));
        parameters_.upload(engine.queue, all);
        tables_.upload(engine.queue, table_numbers());
        fine_tables_.upload(engine.queue, table_numbers());
    }
    void update_global_parameters(Engine<Q>& engine) {
        version_ = engine.host.parameters.version();
        std::vector<double> values;
        for (std::size_t n = 0; n < global_values_.size(); ++n) {
            values.push_back(engine.host.parameters.value(force_.global_parameters[n].name));
            global_values_[n] = values[n];
        }
        globals_.upload(engine.queue, values);
    }

    /// Inputs of pair formulas; callers add the source and its sums.
    PairInteraction interaction(std::vector<GBFormula const*> const& formulas, Engine<Q>& engine) {
        PairInteraction result{.force = index_, .group = force_.force_group};
        auto const& pairs = force_.pairs;
        result.range = {pairs.uses_cutoff() ? pairs.cutoff_distance : 0, pairs.is_periodic(), {}};
        result.sees_excluded = formulas.front()->sees_excluded() || pairs.exclusions.empty();
        if (!result.sees_excluded) result.range.exclusions = excluded_partners(pairs, engine.host.size());
        ColumnPacking const packing(force_.parameter_names.size());
        std::set<std::size_t> vectors;
        for (int const n : CustomGBText::used(formulas, Source::parameter))
            vectors.insert(static_cast<std::size_t>(n) / 4);
        for (std::size_t const v : vectors)
            result.parameters.push_back(
                {ColumnPacking::name(v), packing.type(v), [&array = columns_[v]] { return array.argument(); }});
        for (int const k : CustomGBText::used(formulas, Source::value))
            result.parameters.push_back({CustomGBText::value_name(k), "real",
                                         [this, k, &engine] { return value_argument(k, engine); }, text_.value_type(k),
                                         text_.value_load(k)});
        for (int const n : CustomGBText::used(formulas, Source::global))
            result.arguments.push_back({"real", CustomGBText::global_name(n),
                                        [&value = global_values_[static_cast<std::size_t>(n)]] { return value.argument(); }});
        if (!tables_of_force_.empty()) {
            result.functions = kernels::tables("real");
            result.arguments.push_back(
                {"GLOBAL const real4* RESTRICT", "tables", [this] { return tables_.argument(); }});
        }
        return result;
    }
    Argument value_argument(int k, Engine<Q>& engine) {
        bool const is_of_pairs = formulas_.values[static_cast<std::size_t>(k)].is_of_pairs();
        return is_of_pairs ? engine.forces.argument() : values_.argument();
    }
    void add_table_indices(PairInteraction& result) {
        ColumnPacking const packing(force_.parameter_names.size());
        for (auto const& index : table_indices(result.text, packing, tables_of_force_))
            result.parameters.push_back(
                index.parameter(packing, [&array = columns_[index.vector()]] { return array.argument(); }));
    }
    /// Adds derivatives of the energy by values and parameters.
    void add_slopes(PairInteraction& result, std::vector<GBFormula const*> const& formulas) {
        for (int const k : CustomGBText::used(formulas, Source::value))
            result.sums.push_back({CustomGBText::by_value_name(k), sums_[static_cast<std::size_t>(k)].by_value,
                                   CustomGBText::finer});
        for (std::size_t n = 0; n < derivative_accumulators_.size(); ++n)
            result.totals.push_back({CustomGBText::derivative_name(static_cast<int>(n)), derivative_accumulators_[n]});
    }

    void describe_pair_energies(Engine<Q>& engine) {
        for (auto const kind : {CustomGBForce::Kind::particle_pair, CustomGBForce::Kind::particle_pair_no_exclusions}) {
            std::vector<GBFormula const*> formulas;
            for (auto const& formula : formulas_.energies)
                if (formula.kind == kind) formulas.push_back(&formula);
            if (formulas.empty()) continue;
            auto made = interaction(formulas, engine);
            add_slopes(made, formulas);
            made.energy_accumulator = energy_accumulator_;
            for (auto const* formula : formulas) made.text += text_.energy(*formula);
            add_table_indices(made);
            engine.pairs.add(std::move(made));
        }
    }
    PairInteraction value_of_pairs(std::size_t k, Engine<Q>& engine) {
        auto result = interaction({&formulas_.both_orders[k]}, engine);
        result.text = text_.value(static_cast<int>(k));
        add_table_indices(result);
        result.has_forces = false;
        result.sums.push_back({"sum_", sums_[k].value, CustomGBText::finer});
        return result;
    }
    /// Applies the chain rule to pair value k.
    PairInteraction chain_of_pairs(std::size_t k, Engine<Q>& engine) {
        auto const* const both = &formulas_.both_orders[k];
        auto result = interaction({both}, engine);
        add_slopes(result, {both});
        result.text = text_.chain(static_cast<int>(k));
        add_table_indices(result);
        result.parameters.push_back({"weight_", "real", [&engine] { return engine.forces.argument(); }, "mm_long",
                                     text_.weight_load(static_cast<int>(k))});
        result.arguments.push_back(
            {"GLOBAL const coordinate* RESTRICT", "by_value", [this] { return by_value_.argument(); }});
        return result;
    }
    void describe_stages(Engine<Q>& engine) {
        auto const& values = formulas_.values;
        auto const arguments = [this, &engine] {
            return list_for<ParameterList<CustomGBText::parameters>>(
                engine.positions, engine.forces, engine.sums, parameters_, globals_, fine_tables_, values_, by_value_);
        };
        std::string particles;
        int count = 0;
        auto const end_particles = [&](auto& launches) {
            if (particles.empty()) return;
            std::string const name = "particles" + std::to_string(count++);
            kernels_ += text_.kernel(name, std::exchange(particles, {}));
            launches.emplace_back(name, arguments);
        };
        for (std::size_t k = 0; k < values.size(); ++k)
            if (values[k].is_of_pairs()) {
                end_particles(launches_.before);
                launches_.before.emplace_back(value_of_pairs(k, engine), engine);
            } else
                particles += text_.single_value(static_cast<int>(k));
        particles += text_.single_energies();
        end_particles(launches_.before);
        for (std::size_t k = values.size(); k-- > 0;)
            if (values[k].is_of_pairs()) {
                end_particles(launches_.after);
                launches_.after.emplace_back(chain_of_pairs(k, engine), engine, text_.has_derivatives(values[k]));
            } else
                particles += text_.single_chain(static_cast<int>(k));
        end_particles(launches_.after);
        kernels_ += text_.sums_kernel("sum_up", energy_accumulator_, derivative_accumulators_);
        launches_.after.emplace_back("sum_up", arguments, true);
    }

    int index_;
    Box system_box_;
    CustomGBForce force_;
    GBFormulas formulas_;
    Tables tables_of_force_;
    std::vector<CustomGBText::Sums> sums_;
    CustomGBText text_;  // refers to the members above
    int energy_accumulator_;
    std::vector<int> derivative_accumulators_;
    std::deque<NumberArray<Q>> columns_;  // elements keep their addresses
    NumberArray<Q> parameters_, globals_, values_, by_value_, tables_, fine_tables_;
    std::vector<ChangingReal> global_values_;
    long version_ = -1;
    StageLaunches<Q> launches_;
    std::string kernels_;  // source of the kernels over particles
};

}  // namespace trotter::device
