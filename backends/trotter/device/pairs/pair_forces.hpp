// Pair forces on devices: kernel source from their formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/forces/long_range_correction.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/core/request.hpp>
#include <trotter/device/pairs/columns.hpp>
#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/parts/pairs/pair_parameter_values.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>
#include <trotter/registration.hpp>

namespace trotter::device {

/// Pair source; `derivatives` are sums named derivative0, …, and table values are the argument `tables`.
std::string pair_text(expression::PairUnits const& units, Tables const& tables, PairSettings const& settings,
                      ColumnPacking const& packing, std::string const& suffix);

/// The pairs of one force.
template <DeviceQueue Q, HasPairs F> class PairForces {
public:
    PairForces(F const& force, Engine<Q>& engine, Registration who)
        : force_(checked(force, engine.host)),
          index_(who.index),
          system_box_(engine.host.box),
          numbers_(numbers(engine.host)),
          long_range_correction_(force, engine.host) {
        auto made = interaction(engine);
        made.energy_accumulator = engine.sums.add();
        for (std::size_t n = 0; n < numbers_.derivative_names().size(); ++n)
            made.totals.push_back({"derivative" + std::to_string(n), engine.sums.add()});
        upload(engine);
        pairs_ = engine.pairs.add(std::move(made));
    }
    PairForces(PairForces const&) = delete;
    PairForces& operator=(PairForces const&) = delete;

    void compute(Engine<Q>& engine, Request const&) {
        if (!numbers_.is_up_to_date(engine.host.parameters))
            take(engine, numbers_.update_global_parameters(engine.host.parameters));
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const& interaction = engine.pairs.interaction(pairs_);
        auto const names = numbers_.derivative_names();
        if (request.parameter_derivatives)
            for (std::size_t n = 0; n < names.size(); ++n)
                engine.host.parameter_derivatives[names[n]] += engine.total(interaction.totals[n].slot);
        return engine.total(interaction.energy_accumulator) + long_range_correction_.energy(engine.host, request);
    }
    void update(F const& force, Engine<Q>& engine) {
        check_pairs(force, engine.host.particles.count(), system_box_);
        check_same_pairs(force_, force);
        force_ = force;
        long_range_correction_.update_particles(force);
        take(engine, numbers_.update_particles(force, engine.host.parameters));
    }

private:
    static F const& checked(F const& force, HostState& host) {
        check_pairs(force, host.particles.count(), host.box);
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        return force;
    }
    PairParameterValues numbers(HostState const& host) const { return {force_, host.parameters, true}; }

    /// Few updates need new source: if roots of products can no longer be factored, or can again.
    void take(Engine<Q>& engine, bool has_other_units) {
        if (has_other_units) {
            auto const& old = engine.pairs.interaction(pairs_);
            auto made = interaction(engine);
            made.energy_accumulator = old.energy_accumulator;
            made.totals = old.totals;
            engine.pairs.replace(pairs_, std::move(made));
        }
        upload(engine);
    }
    PairInteraction interaction(Engine<Q>& engine) {
        bool const is_double = engine.types.real_is_double;
        auto const& settings = force_.pairs;
        auto const& units = numbers_.units();
        ColumnPacking const packing(numbers_.columns().size());
        PairInteraction result{.force = index_, .group = force_.force_group};
        result.range = {settings.uses_cutoff() ? settings.cutoff_distance : 0, settings.is_periodic(),
                        excluded_partners(settings, engine.host.size())};
        result.text = pair_text(units, numbers_.tables(), settings, packing, engine.types.real_suffix());
        result.sees_excluded = settings.exclusions.empty();
        arrays_.clear();
        for (std::size_t v = 0; v < packing.vectors(); ++v) {
            auto& array = arrays_.emplace_back(engine.queue, packing.width(v) * engine.padded, is_double);
            result.parameters.push_back(
                {ColumnPacking::name(v), packing.type(v), [&array] { return array.argument(); }});
        }
        values_.clear();
        for (std::size_t n = 0; n < numbers_.values().size(); ++n)
            result.arguments.push_back({"real", "value" + std::to_string(n),
                                        [&value = values_.emplace_back(engine.queue.version(), is_double)] {
                                            return value.argument();
                                        }});
        for (auto const& index : table_indices(result.text, packing, numbers_.tables()))
            result.parameters.push_back(
                index.parameter(packing, [&array = arrays_[index.vector()]] { return array.argument(); }));
        if (!numbers_.tables().empty()) {
            result.functions = kernels::tables("real");
            tables_ = NumberArray<Q>(engine.queue, numbers_.tables().numbers(), is_double);
            result.arguments.push_back({"GLOBAL const real4* RESTRICT", "tables", [this] { return tables_.argument(); }});
        }
        return result;
    }
    void upload(Engine<Q>& engine) {
        tables_.upload(engine.queue, numbers_.tables().numbers());
        auto const& columns = numbers_.columns();
        ColumnPacking const packing(columns.size());
        for (std::size_t v = 0; v < packing.vectors(); ++v)
            arrays_[v].upload(engine.queue, packing.numbers(columns, v, engine.padded));
        for (std::size_t n = 0; n < values_.size(); ++n) values_[n] = numbers_.values()[n];
    }

    F force_;
    int index_;
    Box system_box_;
    PairParameterValues numbers_;
    LongRangeCorrection long_range_correction_;
    int pairs_ = -1;
    std::deque<NumberArray<Q>> arrays_;  // elements keep their addresses
    std::deque<ChangingReal> values_;
    NumberArray<Q> tables_;
};

}  // namespace trotter::device
