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

std::string fastest_particle(AnyContext const& context) {
    auto const& velocities = context.velocities();
    auto const slower = [](auto const& u, auto const& v) { return dot(u, u) < dot(v, v); };
    auto const fastest = std::max_element(velocities.begin(), velocities.end(), slower);
    return "the fastest particle is " + std::to_string(fastest - velocities.begin());
}

bool has_finite_derivatives(AnyContext& context, ForceGroups const& groups) {
    try {
        context.state(StateData::parameter_derivatives, groups);
        return true;
    } catch (SimulationError const&) {
        return false;
    }
}

/// The forces whose derivative by a parameter is not finite, as far as their groups tell.
std::string derivative_to_blame(AnyContext& context, std::vector<ForceName> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (has_finite_derivatives(context, ForceGroups::only({names[i].group}))) continue;
        auto const is_in_group = [&](ForceName const& other) { return other.group == names[i].group; };
        return std::count_if(names.begin(), names.end(), is_in_group) == 1
                   ? text_of(i, names)
                   : "a force of group " + std::to_string(names[i].group);
    }
    return "the sum of all forces";
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

template <class Failure> double finite_energy(AnyContext& context, std::string const& where) {
    return failing_as<Failure>(where, [&] { return context.evaluate({}); });
}

template <class Failure> State finite_state(AnyContext& context, StateData data, ForceGroups const& groups,
                                            std::vector<ForceName> const& names, std::string const& where) {
    return failing_as<Failure>(where, [&] {
        try {
            return context.state(data, groups);
        } catch (SimulationError const& error) {
            std::string const what = error.what();
            if (what.starts_with("the derivative of the energy"))
                throw SimulationError(what + "; it comes from " + derivative_to_blame(context, names));
            if (what.starts_with("the kinetic energy"))
                throw SimulationError(what + "; " + fastest_particle(context));
            throw;
        }
    });
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

template double finite_energy<InputError>(AnyContext&, std::string const&);
template State finite_state<SimulationError>(AnyContext&, StateData, ForceGroups const&, std::vector<ForceName> const&,
                                             std::string const&);
template Report evaluation_report<InputError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                              std::string const&);
template Report evaluation_report<SimulationError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                                   std::string const&);

}  // namespace trotter::program
