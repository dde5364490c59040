// Base of many-body forces on devices whose energy is a formula of particle sets.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/forces/same_parameters.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/device/late_kernel.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/device/sets/near_lists.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/registration.hpp>

namespace trotter::device {

/// Values of a list of rows, column by column; at least one, since kernels take no empty arrays.
template <class Rows, class RowOf>
std::vector<double> columns_of(Rows const& rows, std::size_t columns, RowOf const& row_of) {
    std::vector<double> numbers;
    for (std::size_t n = 0; n < columns; ++n)
        for (auto const& row : rows) numbers.push_back(row_of(row)[n]);
    numbers.resize(std::max<std::size_t>(numbers.size(), 1));
    return numbers;
}

/// A force whose energy is a formula of particle sets: its definition, parameters and tables on the device, neighbor
/// lists, and energy sum. `head` is the source of the kernel up to its body.
template <DeviceQueue Q, Force F, auto const& head> class SetEnergy {
public:
    NearLists<Q> near;

    /// Throws InputError for an invalid force.
    SetEnergy(F const& force, Engine<Q>& engine, Registration who)
        : near(engine.queue.version()),
          index_(who.index),
          accumulator_(engine.sums.add()),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          formula_(force.set_formula()),
          parameters_(engine.queue, 1, engine.types.coordinate_is_double),
          wanted_(engine.queue, std::vector<std::int32_t>{1}) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        upload_tables(engine);
    }

    /// Updates everything but the Context's parameters.
    void update(F const& force, Engine<Q>& engine) {
        check_same_parameters(force_.global_parameters, checked(force, engine).global_parameters);
        formula_ = force.set_formula();
        force_ = force;
        upload_tables(engine);
        is_compiled_ = false;
    }

    F const& force() const { return force_; }
    RuntimeFormula const& formula() const { return formula_; }
    NumberArray<Q> const& parameters() const { return parameters_.array(); }
    NumberArray<Q> const& tables() const { return tables_; }

    /// Call before the sets of an evaluation; returns whether they are requested.
    bool begin(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return false;
        std::vector<double> values;
        for (std::string_view const name : formula_.parameter_names())
            values.push_back(engine.host.parameters.value(std::string(name)));
        values.resize(std::max<std::size_t>(values.size(), 1));
        parameters_.set(engine.queue, std::move(values));
        return true;
    }

    /// Compiles the kernel in `text()` if the force has changed.
    template <class Text> void compile(Text const& text, Engine<Q>& engine) {
        if (is_compiled_) return;
        std::string whole = definitions() + kernels::tables("coordinate") + text() + kernels::kept_sums;
        if (whole != text_) {
            auto program = engine.compile(whole);
            kernels_.take(program);
            sum_kernels_.take(program);
            near.take(program);
            text_ = std::move(whole);
        }
        is_compiled_ = true;
    }
    /// Launches the kernel with `shares` work-items per site. `arguments` come between the forces and the energies.
    template <class... As>
    void launch(Engine<Q>& engine, Request const& request, std::size_t shares, As const&... arguments) {
        auto& queue = engine.queue;
        auto const groups = grid_for(queue.properties(), near.sites() * shares);
        if (request.energy) keep(groups, engine);
        auto const add = [&](auto const&... all) { device::launch<"add_sets">(queue, kernels_, groups, all...); };
        near.launch_with(engine, add, engine.forces, arguments..., request.energy ? kept_ : tables_,
                         static_cast<std::int32_t>(shares), static_cast<std::int32_t>(request.energy));
        if (request.energy)
            device::launch<"add_kept">(queue, sum_kernels_, grid_for(queue.properties(), kept_.size()), kept_, ranges_,
                                       std::int32_t{1}, wanted_, engine.sums);
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        if (!request.energy) return 0;
        double const energy = request.wants(index_, force_.force_group) ? engine.total(accumulator_) : 0;
        near.make_room(engine);
        return energy;
    }

private:
    // Allocates the energies of all work-items.
    void keep(LaunchGrid const& groups, Engine<Q>& engine) {
        std::size_t const items = groups.count * groups.size;
        if (kept_.size() == items) return;
        ranges_ = Array<Q, mm_int4>(engine.queue, {{0, static_cast<std::int32_t>(items), accumulator_, 0}});
        kept_ = NumberArray<Q>(engine.queue, items, engine.types.coordinate_is_double);
    }
    F const& checked(F const& force, Engine<Q> const& engine) const {
        check(force, engine.host.particles.count(), system_box_);
        return force;
    }
    void upload_tables(Engine<Q>& engine) {
        auto numbers = Tables(force_.tabulated_functions).numbers();
        numbers.resize(std::max<std::size_t>(numbers.size(), 4));
        tables_ = NumberArray<Q>(engine.queue, numbers, engine.types.coordinate_is_double);
    }
    std::string definitions() const {
        std::string text = "#define TABLES tables\n";
        if (force_.is_periodic()) text += "#define SETS_PERIODIC\n";
        if (!force_.uses_cutoff()) return text;
        char cutoff[32];
        std::snprintf(cutoff, sizeof cutoff, "%.17e", force_.cutoff_distance);
        return text + "#define SETS_CUTOFF " + cutoff + '\n';
    }

    int index_, accumulator_;
    Box system_box_;
    F force_;
    RuntimeFormula formula_;
    bool is_compiled_ = false;
    std::string text_;
    SourceKernels<Q, head, kernels::near> kernels_;
    SourceKernels<Q, kernels::kept_sums> sum_kernels_;
    UploadedNumbers<Q> parameters_;
    NumberArray<Q> tables_, kept_;
    Array<Q, mm_int4> ranges_;
    Array<Q, std::int32_t> wanted_;
};

}  // namespace trotter::device
