// Runs the computations of a CustomIntegrator on the host.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/common/integration/custom/triple.hpp>
#include <trotter/error.hpp>

#include "custom_evaluators.hpp"

namespace trotter {
namespace custom_integrator {
namespace {

constexpr std::size_t block = NormalBlock::size;  // particles per evaluation

/// Values of type T per particle: three doubles or one Triple.
template <class T> constexpr std::size_t width = std::is_same_v<T, double> ? 3 : 1;

/// Size of the ranges of particles, the same for any number of threads and a multiple of `block`.
std::size_t part_size(std::size_t particles) {
    constexpr std::size_t parts = 32, least = 1024;
    return std::max((particles + parts * block - 1) / (parts * block) * block, least);
}

double component(double const* values, std::size_t particle, std::size_t axis) { return values[3 * particle + axis]; }
double component(Triple const* values, std::size_t particle, std::size_t axis) {
    auto const& value = values[particle];
    return axis == 0 ? value.x : axis == 1 ? value.y : value.z;
}
void put(double* values, std::size_t particle, Vec3<> const& v) {
    for (std::size_t axis = 0; axis < 3; ++axis) values[3 * particle + axis] = v[axis];
}
void put(Triple* values, std::size_t particle, Vec3<> const& v) { values[particle] = Triple(v); }

/// Compiles the program; errors are prefixed with the integrator's name.
Program checked_program(CustomIntegrator const& integrator, HostState const& host) {
    check_integrator(integrator);
    try {
        return make_program(integrator, host);
    } catch (InputError const& error) {
        throw InputError("CustomIntegrator: " + std::string(error.what()));
    }
}

}  // namespace

}  // namespace custom_integrator

using namespace custom_integrator;

CustomStepper::CustomStepper(CustomIntegrator const& integrator, HostState const& host, Registration who)
    : integrator_(integrator),
      index_(who.index),
      noise_(host.random_stream(integrator.seed, who.stream)),
      program_(checked_program(integrator, host)),
      tables_(integrator.tabulated_functions),
      forces_(program_.sets, host.size()),
      evaluators_(std::in_place),
      nested_(recognize_multiple_steps(integrator)) {
    if (nested_) sequence_.emplace(nested_->sequence, noise_, host.size(), nested_->unconstrained >= 0);
    for (auto& one : integrator_.per_dof)
        if (one.values.size() != host.size()) one.values.resize(host.size(), one.values.at(0));
}
CustomStepper::CustomStepper(CustomStepper&&) noexcept = default;
CustomStepper::~CustomStepper() = default;

/// Per-particle computations on the arrays of a HostState.
struct CustomStepper::OnHost {
    CustomStepper& stepper;
    HostState& host;

    std::vector<ForceQuantities> const& needs_of(std::size_t n) const { return stepper.program_.steps[n].needs; }
    /// Whether forces cached at the last `end_step` or `change_state` are up to date.
    bool are_forces_valid() const { return stepper.forces_.is_valid(host); }
    /// Moves the forces of a set out of the engine.
    void make_room(std::size_t set) const { stepper.forces_.make_room(set, host); }

    void begin_step() const {
        if (stepper.program_.constrains_positions && !host.constraints.empty())
            copy_vectors(host.threads, host.positions, stepper.start_);
    }
    void end_step() const { stepper.forces_.store(host); }
    /// The caller then checks whether cached forces are up to date.
    void change_state(StateChange const& change) const {
        end_step();
        change();
    }
    /// Runs a per-DOF computation; returns the index of the next computation.
    std::size_t compute_from(std::size_t n) const {
        stepper.compute(stepper.program_.steps[n], host);
        return n + 1;
    }
    double sum_at(std::size_t n) const { return stepper.sum_of(stepper.program_.steps[n].formula, host); }
    void constrain_positions(double tolerance) const {
        if (host.constraints.empty()) return;
        trotter::constrain_positions(host, stepper.start_, tolerance);
        copy_vectors(host.threads, host.positions, stepper.start_);
        stepper.positions_have_changed();
    }
    void place_sites() const {
        if (!host.virtual_sites.empty()) host.virtual_sites.place(host.positions, host.box, host.threads);
    }
    void constrain_velocities(double tolerance) const {
        host.constraints.apply_to_velocities(host.positions, host.velocities, tolerance, host.threads);
    }
};

void CustomStepper::step(HostState& host, ForceEvaluator const& evaluate, StateChange const& change_state) {
    if (nested_) return step_by_sequence(host, evaluate, change_state);
    carry_out(host, OnHost{*this, host}, evaluate, change_state);
}

void CustomStepper::assign(VariableRef const& target, double value, HostState& host) {
    if (target.kind == VariableRef::Kind::global) {
        integrator_.globals[static_cast<std::size_t>(target.index)].value = value;
    } else if (target.kind == VariableRef::Kind::step_size) {
        integrator_.step_size = value;
    } else if (host.parameters.value(target.name) != value) {
        host.parameters.set(target.name, value);
        forces_.invalidate();
    }
}

StepNumbers CustomStepper::numbers_of_sequence() const {
    auto numbers = fixed_step(integrator_);
    if (nested_->decay >= 0) {
        auto const value = [&](int index) { return integrator_.globals[static_cast<std::size_t>(index)].value; };
        numbers.decay = value(nested_->decay);
        numbers.spread = value(nested_->spread) * std::sqrt(value(nested_->thermal_energy));
    }
    return numbers;
}

void CustomStepper::step_by_sequence(HostState& host, ForceEvaluator const& evaluate, StateChange const& change_state) {
    if (nested_->changes_state) change_state();
    sequence_->step(host, evaluate, numbers_of_sequence());
    if (nested_->unconstrained >= 0) {
        auto const& from = host.constraints.empty() ? host.positions : sequence_->unconstrained();
        auto& to = integrator_.per_dof[static_cast<std::size_t>(nested_->unconstrained)].values;
        host.threads.for_each(host.size(), [&](std::size_t i) {
            if (host.inverse_masses[i] != 0) to[i] = from[i];
        });
    }
    host.time += integrator_.step_size;
}

double CustomStepper::value_of(VariableRef const& variable, HostState const& host, std::uint64_t draw) const {
    switch (variable.kind) {
    case VariableRef::Kind::step_size: return integrator_.step_size;
    case VariableRef::Kind::global: return integrator_.globals[static_cast<std::size_t>(variable.index)].value;
    case VariableRef::Kind::parameter: return host.parameters.value(variable.name);
    case VariableRef::Kind::energy: return forces_.cache().energy(variable.index);
    case VariableRef::Kind::derivative: return forces_.cache().derivative(variable.index, variable.name);
    case VariableRef::Kind::uniform: return noise_.uniforms(draw, 0)[0];
    case VariableRef::Kind::gaussian: return noise_.normals(draw, 0).x;
    default: return 0;
    }
}

double CustomStepper::value_of(BoundFormula const& formula, HostState const& host) {
    std::vector<double> arguments;
    for (auto const& variable : formula.variables)
        arguments.push_back(value_of(variable, host, take_draws(variable.is_random() ? 1 : 0, host)));
    return evaluators_->of<double>(formula, 1).front()(arguments.data(), nullptr, Functions{tables_});
}

/// Calls `use(first, count, values)` with the formula's values for each block of particles.
template <class T, class Use>
void CustomStepper::for_blocks(BoundFormula const& formula, HostState& host, Use const& use) {
    std::size_t const part = part_size(host.size()), variables = formula.variables.size();
    auto& evaluators = evaluators_->of<T>(formula, (host.size() + part - 1) / part);
    std::vector<std::uint64_t> draws;
    for (auto const& variable : formula.variables) draws.push_back(take_draws(variable.is_random() ? 1 : 0, host));
    host.threads.for_ranges(
        host.size(),
        [&](std::size_t begin, std::size_t end) {
            std::vector<T> arguments((variables + 1) * width<T> * block);
            std::vector<T const*> pointers;
            for (std::size_t n = 0; n < variables; ++n) pointers.push_back(&arguments[(n + 1) * width<T> * block]);
            for (std::size_t first = begin; first < end; first += block) {
                auto const count = std::min(block, end - first);
                for (std::size_t n = 0; n < variables; ++n)
                    fill(formula.variables[n], host, draws[n], first, count, &arguments[(n + 1) * width<T> * block]);
                evaluators[begin / part](width<T> * count, std::span<T const* const>(pointers), arguments.data(),
                                         std::span<T* const>{}, Functions{tables_});
                use(first, count, arguments.data());
            }
        },
        part);
}

template <class T> void CustomStepper::fill(VariableRef const& variable, HostState const& host, std::uint64_t draw,
                                            std::size_t first, std::size_t count, T* to) const {
    auto const vectors = [&](std::vector<Vec3<>> const& from) {
        for (std::size_t i = 0; i < count; ++i) put(to, i, from[first + i]);
    };
    auto const equal = [&](std::size_t i, double value) { put(to, i, {value, value, value}); };
    switch (variable.kind) {
    case VariableRef::Kind::position: return vectors(host.positions);
    case VariableRef::Kind::velocity: return vectors(host.velocities);
    case VariableRef::Kind::force: return vectors(forces_.forces(variable.index, host));
    case VariableRef::Kind::per_dof:
        return vectors(integrator_.per_dof[static_cast<std::size_t>(variable.index)].values);
    case VariableRef::Kind::mass:
        for (std::size_t i = 0; i < count; ++i) equal(i, host.particles.masses[first + i]);
        return;
    case VariableRef::Kind::uniform:
        for (std::size_t i = 0; i < count; ++i) {
            auto const u = noise_.uniforms(draw, static_cast<std::uint32_t>(first + i));
            put(to, i, {u[0], u[1], u[2]});
        }
        return;
    case VariableRef::Kind::gaussian: {
        NormalBlock normals;
        host.fill_normals(noise_, draw, static_cast<std::uint32_t>(first), normals);
        for (std::size_t i = 0; i < count; ++i) put(to, i, normals[i]);
        return;
    }
    default: {
        double const value = value_of(variable, host, draw);
        for (std::size_t i = 0; i < count; ++i) equal(i, value);
    }
    }
}

double CustomStepper::sum_of(BoundFormula const& formula, HostState& host) {
    std::vector<double> sums((host.size() + block - 1) / block);
    auto const add = [&](std::size_t first, std::size_t count, auto const* values) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (host.inverse_masses[first + i] != 0)
                for (std::size_t axis = 0; axis < 3; ++axis) sum += component(values, i, axis);
        sums[first / block] = sum;
    };
    formula.sees_vectors ? for_blocks<Triple>(formula, host, add) : for_blocks<double>(formula, host, add);
    double total = 0;
    for (double const sum : sums) total += sum;
    return total;
}

void CustomStepper::compute(Step const& step, HostState& host) {
    auto& target = values_at(step.target, host);
    auto const store = [&](std::size_t first, std::size_t count, auto const* values) {
        for (std::size_t i = 0; i < count; ++i)
            if (host.inverse_masses[first + i] != 0)
                target[first + i] = {component(values, i, 0), component(values, i, 1), component(values, i, 2)};
    };
    step.formula.sees_vectors ? for_blocks<Triple>(step.formula, host, store)
                              : for_blocks<double>(step.formula, host, store);
    if (step.target.kind == VariableRef::Kind::position) positions_have_changed();
}

std::vector<Vec3<>>& CustomStepper::values_at(VariableRef const& target, HostState& host) {
    if (target.kind == VariableRef::Kind::position) return host.positions;
    if (target.kind == VariableRef::Kind::velocity) return host.velocities;
    return integrator_.per_dof[static_cast<std::size_t>(target.index)].values;
}

double CustomStepper::kinetic_energy(HostState& host, ForceEvaluator const& evaluate) {
    forces_.invalidate_if_changed(host);
    draws_ = 0;
    forces_.provide(program_.needs_of_kinetic_energy, program_.needs_of_kinetic_energy, host, evaluate);
    double const result = sum_of(program_.kinetic_energy, host);
    forces_.store(host);
    return result;
}

void CustomStepper::set_step_size(double step_size) {
    require_not_negative(CustomIntegrator::name, "step size", step_size);
    integrator_.step_size = step_size;
}

}  // namespace trotter
