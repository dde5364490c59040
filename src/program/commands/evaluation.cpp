// Evaluates and reports.
// SPDX-License-Identifier: MIT
#include "evaluation.hpp"

#include <trotter/error.hpp>
#include <trotter/io/npy.hpp>

namespace trotter::program {
namespace {

/// Rethrows results that are not finite as `Failure`, such as InputError for given positions; other errors, such as a
/// box that became too small, pass unchanged.
template <class Failure, class Evaluate> auto failing_as(std::string const& where, Evaluate const& evaluate) {
    try {
        return evaluate();
    } catch (NotFiniteError const& error) {
        throw Failure(where + ": " + error.sentence);
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

template <class Failure>
State finite_state(AnyContext& context, StateData data, ForceGroups const& groups, std::string const& where) {
    return failing_as<Failure>(where, [&] { return context.state(data, groups); });
}

template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where) {
    bool const wants_forces = options.arrays_inline || !options.forces.empty();
    auto const data = wants_forces ? Energy | Forces | ParameterDerivatives : Energy | ParameterDerivatives;
    auto const state = finite_state<Failure>(context, data, {}, where);
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
            auto const evaluate = [&] { return context.evaluate({named.groups}); };
            groups.add(named.text, failing_as<Failure>(where, evaluate));
        }
        report.add("group_energies", groups);
    }
    add_platform(report, context);
    if (options.arrays_inline) report.add("forces", state.forces);
    return report;
}

template double finite_energy<InputError>(AnyContext&, std::string const&);
template State finite_state<SimulationError>(AnyContext&, StateData, ForceGroups const&, std::string const&);
template Report evaluation_report<InputError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                              std::string const&);
template Report evaluation_report<SimulationError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                                   std::string const&);

}  // namespace trotter::program
