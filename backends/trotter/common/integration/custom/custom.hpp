// Runs the computations of a CustomIntegrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/owned.hpp>
#include <trotter/common/integration/common.hpp>
#include <trotter/common/integration/custom/custom_program.hpp>
#include <trotter/common/integration/custom/multiple_steps.hpp>
#include <trotter/common/integration/group_force_cache.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/kernel.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {
namespace custom_integrator {

/// Evaluators of the formulas, one for each task (range of particles).
struct Evaluators;

}  // namespace custom_integrator

/// Integrator with its variables and its step on the host.
class CustomStepper {
public:
    CustomStepper(CustomIntegrator const& integrator, HostState const& host, Registration who);
    CustomStepper(CustomStepper&&) noexcept;
    ~CustomStepper();

    void step(HostState& host, ForceEvaluator const& evaluate, StateChange const& change_state);
    /// From the integrator's kinetic energy expression.
    double kinetic_energy(HostState& host, ForceEvaluator const& evaluate);
    double velocity_offset() const { return 0; }

    /// Runs the computations of a step in order. `vectors` does the per-particle ones, wherever the state is stored:
    /// `OnHost` shows the interface.
    template <class Vectors>
    void carry_out(HostState& host, Vectors&& vectors, ForceEvaluator const& evaluate, StateChange const& change_state);

    /// With the current values of variables.
    CustomIntegrator const& integrator() const { return integrator_; }
    void set_step_size(double step_size);

    /// Throw InputError, which lists the known names, for an unknown one.
    double global(std::string const& name) const;
    void set_global(std::string const& name, double value);
    std::vector<Vec3<>> const& per_dof(std::string const& name) const;
    void set_per_dof(std::string const& name, std::vector<Vec3<>> values);

    /// The computations as a splitting with force groups, if they are one, and the parameters of its next step.
    std::optional<MultipleSteps> const& multiple_steps() const { return nested_; }
    StepNumbers numbers_of_sequence() const;
    RandomStream const& noise() const { return noise_; }

    /// For computations on vectors.
    custom_integrator::Program const& program() const { return program_; }
    Tables const& tables() const { return tables_; }
    custom_integrator::GroupForceCache& force_cache() { return forces_.cache(); }
    /// To be called after particles were moved within a step: invalidates cached forces, and marks virtual sites as out
    /// of date.
    void positions_have_changed() { forces_.invalidate(), sites_are_old_ = true; }
    /// Returns and clears whether virtual sites are out of date; the caller places them.
    bool take_old_sites() { return std::exchange(sites_are_old_, false); }
    /// Value of a scalar variable.
    double value_of(custom_integrator::VariableRef const& variable, HostState const& host) const {
        return value_of(variable, host, 0);
    }
    /// Reserves `count` draws of random numbers; returns the index of the first.
    std::uint64_t take_draws(std::uint64_t count, HostState const& host) {
        draws_ += count;
        return static_cast<std::uint64_t>(host.step_count) * OperatorSequence::most_draws + draws_ - count;
    }

    std::map<std::string, double> parameters() const;
    /// Leaves unnamed variables unchanged. Throws InputError for an unknown name.
    void set_parameters(std::map<std::string, double> const& parameters);

    template <class Archive> void save(Archive& archive) const {
        archive.put(integrator_.step_size);
        for (auto const& one : integrator_.globals) archive.put(one.value);
        for (auto const& one : integrator_.per_dof) archive.put(std::span(&one.values.data()->x, 3 * one.values.size()));
    }
    template <class Archive> void load(Archive& archive) {
        integrator_.step_size = archive.template get<double>();
        for (auto& one : integrator_.globals) one.value = archive.template get<double>();
        for (auto& one : integrator_.per_dof) set_numbers(one.values, archive.template get_vector<double>());
    }

private:
    using Step = custom_integrator::Step;
    using BoundFormula = custom_integrator::BoundFormula;
    using VariableRef = custom_integrator::VariableRef;

    struct OnHost;

    template <class Vectors> std::size_t carry_out(std::size_t n, HostState& host, Vectors& vectors,
                                                   ForceEvaluator const& evaluate, StateChange const& change_state);
    template <class Vectors> void invalidate_if_changed(Vectors const& vectors) {
        if (forces_.cache().has_any() && !vectors.are_forces_valid()) forces_.invalidate();
    }
    void assign(VariableRef const& target, double value, HostState& host);
    double value_of(BoundFormula const& formula, HostState const& host);
    double value_of(VariableRef const& variable, HostState const& host, std::uint64_t draw) const;
    double sum_of(BoundFormula const& formula, HostState& host);
    void compute(Step const& step, HostState& host);
    template <class T, class Use> void for_blocks(BoundFormula const& formula, HostState& host, Use const& use);
    template <class T> void fill(VariableRef const& variable, HostState const& host, std::uint64_t draw,
                                 std::size_t first, std::size_t count, T* to) const;
    std::vector<Vec3<>>& values_at(VariableRef const& target, HostState& host);
    void step_by_sequence(HostState& host, ForceEvaluator const& evaluate, StateChange const& change_state);
    static void set_numbers(std::vector<Vec3<>>& values, std::vector<double> const& numbers);

    CustomIntegrator integrator_;
    int index_;
    RandomStream noise_;
    custom_integrator::Program program_;
    Tables tables_;
    custom_integrator::GroupForces forces_;
    Owned<custom_integrator::Evaluators> evaluators_;
    std::optional<MultipleSteps> nested_;      // if the computations are a sequence of operators,
    std::optional<SequenceStepper> sequence_;  // run by this
    std::vector<Vec3<>> start_;
    std::uint64_t draws_ = 0;     // of random numbers, so far in this step
    bool sites_are_old_ = false;  // their parents have moved in this step
};

template <class Vectors> void CustomStepper::carry_out(HostState& host, Vectors&& vectors,
                                                       ForceEvaluator const& evaluate,
                                                       StateChange const& change_state) {
    draws_ = 0;
    sites_are_old_ = false;
    auto const place_sites = [&] {
        if (take_old_sites()) vectors.place_sites();
    };
    auto evaluate_there = [&](Request const& request) { return place_sites(), evaluate(request); };
    auto change_there = [&] { place_sites(), change_state(); };
    vectors.begin_step();
    invalidate_if_changed(vectors);
    for (std::size_t n = 0; n < program_.steps.size();) n = carry_out(n, host, vectors, evaluate_there, change_there);
    vectors.end_step();
    host.time += integrator_.step_size;
}

template <class Vectors> std::size_t CustomStepper::carry_out(std::size_t n, HostState& host, Vectors& vectors,
                                                              ForceEvaluator const& evaluate,
                                                              StateChange const& change_state) {
    using Kind = CustomIntegrator::Kind;
    auto const& step = program_.steps[n];
    force_cache().provide(vectors.needs_of(n), step.worth_computing, host, evaluate,
                          [&](std::size_t set) { vectors.make_room(set); });
    switch (step.kind) {
    case Kind::compute_global: assign(step.target, value_of(step.formula, host), host); break;
    case Kind::compute_sum: assign(step.target, vectors.sum_at(n), host); break;
    case Kind::compute_per_dof: return vectors.compute_from(n);
    case Kind::constrain_positions: vectors.constrain_positions(integrator_.constraint_tolerance); break;
    case Kind::constrain_velocities: vectors.constrain_velocities(integrator_.constraint_tolerance); break;
    case Kind::update_context_state:
        vectors.change_state(change_state);
        invalidate_if_changed(vectors);
        break;
    case Kind::if_block:
    case Kind::while_block: {
        double const left = value_of(step.formula, host), right = value_of(step.right, host);
        if (!holds(left, step.comparison, right)) return step.partner + 1;
        break;
    }
    case Kind::end_block:
        if (step.repeats) return step.partner;
    }
    return n + 1;
}

template <HostBackend B, Precision P> struct Kernel<CustomIntegrator, B, P> : CustomStepper {
    Kernel(CustomIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : CustomStepper(integrator, engine.host, who) {}
};

}  // namespace trotter
