// Evaluates and reports.
// SPDX-License-Identifier: MIT
#include "evaluation.hpp"

#include <cmath>

#include <trotter/error.hpp>
#include <trotter/io/npy.hpp>

namespace trotter::program {
namespace {

std::string culprit(std::vector<double> const& energies, std::vector<ForceName> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!std::isfinite(energies[i])) return "the energy of force " + std::to_string(i) + " (" + names[i].type + ")";
    return "the sum of all energies";
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

template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where) {
    bool const wants_forces = options.arrays_inline || !options.forces.empty();
    auto const state =
        context.state(wants_forces ? Energy | Forces | ParameterDerivatives : Energy | ParameterDerivatives);
    auto const energies = context.energies();
    if (!std::isfinite(state.potential_energy))
        throw Failure(where + ": " + culprit(energies, names) + " is not a finite number at these positions");

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
        for (auto const& [text, selected] : options.groups) groups.add(text, context.evaluate({selected}));
        report.add("group_energies", groups);
    }
    add_platform(report, context);
    if (options.arrays_inline) report.add("forces", state.forces);
    return report;
}

template Report evaluation_report<InputError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                              std::string const&);
template Report evaluation_report<SimulationError>(AnyContext&, std::vector<ForceName> const&, Options const&,
                                                   std::string const&);

}  // namespace trotter::program
