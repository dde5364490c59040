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

#include <trotter/device/custom_gb_text.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/pairs/pair_stage.hpp>
#include <trotter/forces/nonbonded_check.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace device {

/// Values from the first to the last; energies of pairs together with all other pairs; then derivatives from the last
/// value to the first. Stages of single particles between two of pairs are one kernel.
template <DeviceQueue Q> class CustomGB {
    using Source = GBFormula::Source;

public:
    CustomGB(CustomGBForce const& force, Engine<Q>& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine.host, system_box_)),
          formulas_(force),
          tables_of_force_(force.tabulated_functions),
          sums_(particle_sums(engine)),
          text_(force_, formulas_, tables_of_force_, engine.types, sums_),
          energy_slot_(engine.sums.add()) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        for (auto const& name : force.energy_parameter_derivatives) {
            engine.host.parameter_derivatives.emplace(name, 0);
            derivative_slots_.push_back(engine.sums.add());
        }
        allocate(engine);
        upload(engine);
        describe_pair_energies(engine);
        describe_pair_values(engine);
        describe_stages();
    }
    CustomGB(CustomGB const&) = delete;
    CustomGB& operator=(CustomGB const&) = delete;

    void compute(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        if (version_ != engine.host.parameters.version()) take_parameters(engine);
        prepare(engine, request);
        for (auto& stage : before_) launch(stage, PairSums::forces, engine);
        engine.after_pairs([this, &engine, request] {
            for (auto& stage : after_) {
                launch(stage, PairSums::forces, engine);
                if (request.parameter_derivatives && stage.has_derivatives) launch(stage, PairSums::energies, engine);
            }
            if (request.energy || request.parameter_derivatives) launch_kernel(sum_up_, engine);
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) const {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const& names = force_.energy_parameter_derivatives;
        if (request.parameter_derivatives)
            for (std::size_t n = 0; n < names.size(); ++n)
                engine.host.parameter_derivatives[names[n]] += engine.total(derivative_slots_[n]);
        return engine.total(energy_slot_);
    }
    /// Takes over other numbers of the particles, and tables.
    void update(CustomGBForce const& force, Engine<Q>& engine) {
        checked(force, engine.host, system_box_);
        check_same(force_, force);
        force_ = force;
        tables_of_force_ = Tables(force.tabulated_functions);
        upload(engine);  // as many numbers as before
    }

private:
    /// A loop over pairs, or a kernel over particles where there is none.
    struct Stage {
        PairStage<Q>* pairs = nullptr;
        bool has_derivatives = false;
        std::string text{};  ///< of a particle
        typename Q::Kernel kernel{};
    };
    struct Value {
        double full = 0;
        float single = 0;
    };

    static CustomGBForce const& checked(CustomGBForce const& force, HostEngine const& host, Box const& box) {
        check(force, host.particles.count(), box);
        return force;
    }

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
        global_values_.resize(force_.global_parameters.size());
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
    void take_parameters(Engine<Q>& engine) {
        version_ = engine.host.parameters.version();
        std::vector<double> values;
        for (std::size_t n = 0; n < global_values_.size(); ++n) {
            values.push_back(engine.host.parameters.value(force_.global_parameters[n].name));
            global_values_[n] = {values[n], static_cast<float>(values[n])};
        }
        globals_.upload(engine.queue, values);
        ++engine.epoch;  // the values of pairs' loops are numbers among the arguments
    }

    /// What formulas of pairs need besides what the text itself adds up.
    Interaction interaction(std::vector<GBFormula const*> const& formulas, Engine<Q>& engine) {
        Interaction result{.force = index_, .group = force_.force_group};
        auto const& pairs = force_.pairs;
        bool const is_double = engine.types.real_is_double;
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
                                        [&value = global_values_[static_cast<std::size_t>(n)], is_double] {
                                            return is_double ? argument_of(value.full) : argument_of(value.single);
                                        }});
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
    void add_places(Interaction& result) {
        ColumnPacking const packing(force_.parameter_names.size());
        for (auto const& place : table_places(result.text, packing, tables_of_force_))
            result.parameters.push_back(
                place.parameter(packing, [&array = columns_[place.vector()]] { return array.argument(); }));
    }
    /// What follows from the energy: derivatives by values and parameters.
    void add_slopes(Interaction& result, std::vector<GBFormula const*> const& formulas) {
        for (int const k : CustomGBText::used(formulas, Source::value))
            result.sums.push_back({CustomGBText::by_value_name(k), sums_[static_cast<std::size_t>(k)].by_value,
                                   CustomGBText::finer});
        for (std::size_t n = 0; n < derivative_slots_.size(); ++n)
            result.totals.push_back({CustomGBText::derivative_name(static_cast<int>(n)), derivative_slots_[n]});
    }

    void describe_pair_energies(Engine<Q>& engine) {
        for (auto const kind : {CustomGBForce::Kind::particle_pair, CustomGBForce::Kind::particle_pair_no_exclusions}) {
            std::vector<GBFormula const*> formulas;
            for (auto const& formula : formulas_.energies)
                if (formula.kind == kind) formulas.push_back(&formula);
            if (formulas.empty()) continue;
            auto made = interaction(formulas, engine);
            add_slopes(made, formulas);
            made.energy_slot = energy_slot_;
            for (auto const* formula : formulas) made.text += text_.energy(*formula);
            add_places(made);
            engine.pairs.add(std::move(made));
        }
    }
    void describe_pair_values(Engine<Q>& engine) {
        for (std::size_t k = 0; k < formulas_.values.size(); ++k) {
            auto const& formula = formulas_.values[k];
            if (!formula.is_of_pairs()) continue;
            auto const* const both = &formulas_.both_orders[k];
            int const number = static_cast<int>(k);
            auto value = interaction({both}, engine);
            value.text = text_.value(number);
            add_places(value);
            value.has_forces = false;
            value.sums.push_back({"sum_", sums_[k].value, CustomGBText::finer});
            value_stages_.emplace_back(std::move(value));
            auto chain = interaction({both}, engine);
            add_slopes(chain, {both});
            chain.text = text_.chain(number);
            add_places(chain);
            chain.parameters.push_back({"weight_", "real", [&engine] { return engine.forces.argument(); }, "mm_long",
                                        text_.weight_load(number)});
            chain.arguments.push_back(
                {"GLOBAL const coordinate* RESTRICT", "by_value", [this] { return by_value_.argument(); }});
            chain_stages_.emplace_back(std::move(chain));
        }
    }
    static void add_particles(std::vector<Stage>& stages, std::string const& text) {
        if (stages.empty() || stages.back().pairs) stages.push_back({});
        stages.back().text += text;
    }
    void describe_stages() {
        std::size_t pairs = 0;
        for (std::size_t k = 0; k < formulas_.values.size(); ++k)
            if (formulas_.values[k].is_of_pairs())
                before_.push_back({&value_stages_[pairs++]});
            else
                add_particles(before_, text_.single_value(static_cast<int>(k)));
        add_particles(before_, text_.single_energies());
        for (std::size_t k = formulas_.values.size(); k-- > 0;)
            if (formulas_.values[k].is_of_pairs())
                after_.push_back({&chain_stages_[--pairs], text_.has_derivatives(formulas_.values[k])});
            else
                add_particles(after_, text_.single_chain(static_cast<int>(k)));
    }

    void prepare(Engine<Q>& engine, Request const& request) {
        for (auto* stages : {&before_, &after_})
            for (auto& stage : *stages)
                if (stage.pairs) {
                    stage.pairs->prepare(PairSums::forces, engine);
                    if (request.parameter_derivatives && stage.has_derivatives)
                        stage.pairs->prepare(PairSums::energies, engine);
                }
        if (!std::exchange(is_compiled_, true)) compile(engine);
    }
    void compile(Engine<Q>& engine) {
        std::string text = tables_of_force_.empty() ? std::string() : kernels::tables("coordinate");
        int kernels = 0;
        auto const for_each_kernel = [&](auto const& visit) {
            kernels = 0;
            for (auto* stages : {&before_, &after_})
                for (auto& stage : *stages)
                    if (!stage.pairs) visit(stage, "particles" + std::to_string(kernels++));
        };
        for_each_kernel([&](Stage& stage, std::string const& name) { text += text_.kernel(name, stage.text); });
        auto program = engine.compile(text + text_.sums_kernel("sum_up", energy_slot_, derivative_slots_));
        for_each_kernel([&](Stage& stage, std::string const& name) { stage.kernel = program.kernel(name); });
        sum_up_ = program.kernel("sum_up");
    }
    void launch(Stage& stage, PairSums wants, Engine<Q>& engine) {
        if (stage.pairs)
            stage.pairs->launch(wants, engine);
        else
            launch_kernel(stage.kernel, engine);
    }
    void launch_kernel(typename Q::Kernel& kernel, Engine<Q>& engine) {
        std::vector<Argument> arguments{engine.positions.argument(), engine.forces.argument(), engine.sums.argument(),
                                        parameters_.argument(),      globals_.argument(),      fine_tables_.argument(),
                                        values_.argument(),          by_value_.argument()};
        engine.queue.launch(kernel, groups_for(engine.queue.facts(), engine.padded), arguments);
    }

    int index_;
    Box system_box_;
    CustomGBForce force_;
    GBFormulas formulas_;
    Tables tables_of_force_;
    std::vector<CustomGBText::Sums> sums_;
    CustomGBText text_;  // refers to those above
    int energy_slot_;
    std::vector<int> derivative_slots_;
    std::deque<NumberArray<Q>> columns_;  // whose elements stay where they are
    NumberArray<Q> parameters_, globals_, values_, by_value_, tables_, fine_tables_;
    std::vector<Value> global_values_;
    long version_ = -1;
    std::deque<PairStage<Q>> value_stages_, chain_stages_;
    std::vector<Stage> before_, after_;
    typename Q::Kernel sum_up_;
    bool is_compiled_ = false;
};

}  // namespace device

/// CustomGBForce on a device.
template <DeviceBackend B, Precision P> struct Kernel<CustomGBForce, B, P> {
    device::CustomGB<typename B::Queue> custom_gb;

    Kernel(CustomGBForce const& force, Engine<B, P>& engine, Registration who) : custom_gb(force, engine.device, who) {}
    double compute(Engine<B, P>& engine, Request const& request) {
        custom_gb.compute(engine.device, request);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        return custom_gb.late_energy(engine.device, request);
    }
    void update(CustomGBForce const& force, Engine<B, P>& engine) { custom_gb.update(force, engine.device); }
};

}  // namespace trotter
