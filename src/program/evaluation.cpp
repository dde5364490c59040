// Evaluates and reports.
// SPDX-License-Identifier: MIT
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/io/npy.hpp>

namespace trotter::program {
namespace {

std::string text_of(std::size_t force, std::vector<ForceName> const& names) {
    return "force " + std::to_string(force) + " (" + names[force].type + ")";
}

/// The first particle with a force that is not finite, or the number of all.
std::size_t first_not_finite(std::vector<Vec3<>> const& forces) {
    return static_cast<std::size_t>(
        std::find_if_not(forces.begin(), forces.end(), [](auto const& f) { return is_finite(f); }) - forces.begin());
}

/// The force whose energy was not finite in the last evaluation, and where that shows in its forces the particle.
std::string energy_to_blame(AnyContext& context, std::vector<ForceName> const& names) {
    auto const energies = context.energies();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::isfinite(energies[i])) continue;
        context.evaluate_one(static_cast<int>(i));
        auto const particle = first_not_finite(context.forces());
        return "the energy of " + text_of(i, names) + " is not a finite number at these positions"
               + (particle < context.forces().size() ? ", nor is its force on particle " + std::to_string(particle)
                                                     : "");
    }
    return "the sum of all energies is not a finite number at these positions";
}

/// Evaluates each force alone.
std::string force_to_blame(AnyContext& context, std::size_t particle, std::vector<ForceName> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        context.evaluate_one(static_cast<int>(i));
        if (!is_finite(context.forces()[particle])) return text_of(i, names);
    }
    return "the sum of all forces";
}

std::string fastest_particle(AnyContext const& context) {
    auto const& velocities = context.velocities();
    auto const slower = [](auto const& u, auto const& v) { return dot(u, u) < dot(v, v); };
    auto const fastest = std::max_element(velocities.begin(), velocities.end(), slower);
    return "the fastest particle is " + std::to_string(fastest - velocities.begin());
}

/// The forces whose derivative by a parameter is not finite, as far as their groups tell.
std::string derivative_to_blame(AnyContext& context, std::string const& parameter,
                                std::vector<ForceName> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto const group = ForceGroups::only({names[i].group});
        auto const derivatives = *context.state(StateData::parameter_derivatives, group).parameter_derivatives;
        if (std::isfinite(derivatives.at(parameter))) continue;
        auto const is_in_group = [&](ForceName const& other) { return other.group == names[i].group; };
        return std::count_if(names.begin(), names.end(), is_in_group) == 1
                   ? text_of(i, names)
                   : "a force of group " + std::to_string(names[i].group);
    }
    return "the sum of all forces";
}

template <class Failure> void require_finite_forces(AnyContext& context, State const& state,
                                                    std::vector<ForceName> const& names, std::string const& where) {
    if (auto const particle = first_not_finite(state.forces); particle < state.forces.size())
        throw Failure(where + ": the force on particle " + std::to_string(particle)
                      + " is not a finite number at these " + "positions; it comes from "
                      + force_to_blame(context, particle, names));
}

template <class Failure> void require_finite_derivatives(AnyContext& context, State const& state,
                                                         std::vector<ForceName> const& names,
                                                         std::string const& where) {
    for (auto const& [parameter, derivative] : *state.parameter_derivatives)
        if (!std::isfinite(derivative))
            throw Failure(where + ": the derivative of the energy by the parameter " + parameter
                          + " is not a finite number at these positions; it comes from "
                          + derivative_to_blame(context, parameter, names));
}

template <class Failure> void require_finite_energy(AnyContext& context, double energy,
                                                    std::vector<ForceName> const& names, std::string const& where) {
    if (!std::isfinite(energy)) throw Failure(where + ": " + energy_to_blame(context, names));
}

template <class Failure> void require_finite_energies(AnyContext& context, State const& state,
                                                      std::vector<ForceName> const& names, std::string const& where) {
    require_finite_energy<Failure>(context, state.potential_energy, names, where);
    if (std::isfinite(state.kinetic_energy)) return;
    // That of leapfrog integrators takes forces.
    require_finite_forces<Failure>(context, context.state(Forces), names, where);
    throw Failure(where + ": the kinetic energy is not a finite number; " + fastest_particle(context));
}

/// Numbers that are none at positions that were given are a fault of the input, which a Context cannot know; a box that
/// has become too small stays one of the simulation.
template <class Failure, class Evaluate> auto failing_as(std::string const& where, Evaluate const& evaluate) {
    try {
        return evaluate();
    } catch (SimulationError const& error) {
        std::string_view what = error.what();
        if (what.find("finite number") == what.npos) throw;
        if (what.starts_with("step ")) what.remove_prefix(what.find(": ") + 2);
        throw Failure(where + ": " + std::string(what));
    }
}

std::vector<Report> by_force(std::vector<double> const& energies, std::vector<ForceName> const& names) {
    std::vector<Report> result(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        result[i].add("index", i).add("name", names[i].type).add("group", names[i].group).add("energy", energies[i]);
        if (names[i].label != names[i].type) result[i].add("label", names[i].label);
    }
    return result;
}

}  // namespace

void add_platform(Report& report, AnyContext const& context) {
    auto const& platform = context.platform();
    report.add("platform", platform.platform).add("precision", platform.precision).add("device", platform.device);
    report.add("seed", context.seed()).add("particles", context.positions().size());
}

template <class Failure>
double finite_energy(AnyContext& context, std::vector<ForceName> const& names, std::string const& where) {
    double const energy = failing_as<Failure>(where, [&] { return context.evaluate({}); });
    require_finite_energy<Failure>(context, energy, names, where);
    return energy;
}

template <class Failure> State finite_state(AnyContext& context, StateData data, ForceGroups const& groups,
                                            std::vector<ForceName> const& names, std::string const& where) {
    auto const state = failing_as<Failure>(where, [&] { return context.state(data, groups); });
    if (data & StateData::energy) require_finite_energies<Failure>(context, state, names, where);
    if (state.parameter_derivatives) require_finite_derivatives<Failure>(context, state, names, where);
    require_finite_forces<Failure>(context, state, names, where);
    return state;
}

template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where) {
    bool const wants_forces = options.arrays_inline || !options.forces.empty();
    auto const data = wants_forces ? Energy | Forces | ParameterDerivatives : Energy | ParameterDerivatives;
    auto const state = finite_state<Failure>(context, data, {}, names, where);
    auto const energies = context.energies();

    Report report;
    report.add("potential_energy", state.potential_energy).add("kinetic_energy", state.kinetic_energy);
    if (!options.forces.empty()) {
        write_npy(options.forces, state.forces);
        report.add("forces_file", options.forces);
    }
    report.add("energy_by_force", by_force(energies, names));
    report.add("parameter_derivatives", *state.parameter_derivatives);
    if (!options.groups.empty()) {
        Report groups;
        for (auto const& named : options.groups) {
            double const energy = failing_as<Failure>(where, [&] { return context.evaluate({named.groups}); });
            if (!std::isfinite(energy))
                throw Failure(where + ": the energy of the force groups " + named.text + " is not a finite number");
            groups.add(named.text, energy);
        }
        report.add("group_energies", groups);
    }
    add_platform(report, context);
    if (options.arrays_inline) report.add("forces", state.forces);
    return report;
}

template double finite_energy<InputError>(AnyContext&, std::vector<ForceName> const&, std::string const&);
template State finite_state<SimulationError>(AnyContext&, StateData, ForceGroups const&, std::vector<ForceName> const&,
                                             std::string const&);
template Report evaluation_report<InputError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                              std::string const&);
template Report evaluation_report<SimulationError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                                   std::string const&);

}  // namespace trotter::program
