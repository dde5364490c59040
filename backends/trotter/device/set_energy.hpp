// What forces on devices share whose energy is a formula of sets of particles that they find themselves.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/device/uploaded_numbers.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/range_check.hpp>
#include <trotter/host/same_parameters.hpp>
#include <trotter/registration.hpp>

namespace trotter::device {

/// The numbers of a list of rows, column by column; at least one, since kernels take no array without elements.
template <class Rows, class RowOf>
std::vector<double> columns_of(Rows const& rows, std::size_t columns, RowOf const& row_of) {
    std::vector<double> numbers;
    for (std::size_t n = 0; n < columns; ++n)
        for (auto const& row : rows) numbers.push_back(row_of(row)[n]);
    numbers.resize(std::max<std::size_t>(numbers.size(), 1));
    return numbers;
}

/// A force whose energy is a formula of sets: what it is, its parameters and tables on the device, and the sum of what
/// work-items have in energy.
template <DeviceQueue Q, Force F> class SetEnergy {
public:
    /// Throws InputError for a force that makes no sense.
    SetEnergy(F const& force, Engine<Q>& engine, Registration who)
        : index_(who.index),
          slot_(engine.sums.add()),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          formula_(force.set_formula()),
          parameters_(engine.queue, 1, engine.types.coordinate_is_double),
          wanted_(engine.queue, std::vector<std::int32_t>{1}) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        upload_tables(engine);
    }

    /// Takes over everything but the parameters of the Context.
    void update(F const& force, Engine<Q>& engine) {
        check_same_parameters(force_.global_parameters, checked(force, engine).global_parameters);
        formula_ = force.set_formula();
        force_ = force;
        upload_tables(engine);
    }

    F const& force() const { return force_; }
    RuntimeFormula const& formula() const { return formula_; }
    NumberArray<Q> const& parameters() const { return parameters_.array(); }
    NumberArray<Q> const& tables() const { return tables_; }
    NumberArray<Q> const& kept() const { return kept_; }

    /// Before the sets of an evaluation: whether they are wanted.
    bool begin(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return false;
        std::vector<double> values;
        for (std::string_view const name : formula_.parameter_names())
            values.push_back(engine.host.parameters.value(std::string(name)));
        values.resize(std::max<std::size_t>(values.size(), 1));
        parameters_.set(engine.queue, std::move(values));
        return true;
    }

    /// The program of a text, compiled anew only where it has changed.
    void compile(std::string const& text, Engine<Q>& engine) {
        std::string whole = definitions() + kernels::tables("coordinate") + text + kernels::kept_sums;
        if (whole == text_) return;
        program_ = engine.compile(whole);
        sum_ = program_.kernel("add_kept");
        text_ = std::move(whole);
    }
    typename Q::Program& program() { return program_; }

    /// Room for the energies of all work-items.
    void keep(Groups const& groups, Engine<Q>& engine) {
        std::size_t const items = groups.count * groups.size;
        if (kept_.size() == items) return;
        places_ = Array<Q, mm_int4>(engine.queue, {{0, static_cast<std::int32_t>(items), slot_, 0}});
        kept_ = NumberArray<Q>(engine.queue, items, engine.types.coordinate_is_double);
    }
    void sum_up(Engine<Q>& engine) {
        launch(engine.queue, sum_, groups_for(engine.queue.facts(), kept_.size()), kept_, places_, std::int32_t{1},
               wanted_, engine.sums);
    }
    double late_energy(Engine<Q> const& engine, Request const& request) const {
        return request.energy && request.wants(index_, force_.force_group) ? engine.total(slot_) : 0;
    }

private:
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

    int index_, slot_;
    Box system_box_;
    F force_;
    RuntimeFormula formula_;
    std::string text_;
    typename Q::Program program_;
    typename Q::Kernel sum_;
    UploadedNumbers<Q> parameters_;
    NumberArray<Q> tables_, kept_;
    Array<Q, mm_int4> places_;
    Array<Q, std::int32_t> wanted_;
};

}  // namespace trotter::device
