// `trotter energy`: one evaluation at the given positions.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/error.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "program/exit_status.hpp"
#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

std::vector<Report> reports_of(std::vector<TermEnergy> const& terms, std::string const& force) {
    std::vector<Report> result;
    for (auto const& [particles, energy, part] : terms) {
        if (!std::isfinite(energy))
            throw InputError("the energy of term " + std::to_string(result.size()) + " of " + force
                             + " is not a finite number at these positions");
        auto& term = result.emplace_back();
        if (!part.empty()) term.add("part", part);
        term.add("particles", particles).add("energy", energy);
    }
    return result;
}
void add_terms(Report& report, AnyContext& context, std::vector<ForceName> const& names) {
    std::vector<Report> forces;
    for (std::size_t i = 0; i < names.size(); ++i)
        forces.emplace_back().add("index", i).add("name", names[i].type).add(
            "terms", reports_of(context.term_energies(static_cast<int>(i)),
                                "force " + std::to_string(i) + " (" + names[i].type + ")"));
    report.add("energy_by_term", forces);
}
void add_tensor(Report& report, char const* name, Tensor const& tensor) {
    if (!std::all_of(tensor.rows.begin(), tensor.rows.end(), [](auto const& row) { return is_finite(row); }))
        throw InputError(std::string("the ") + name + " is not finite at these positions and velocities");
    report.add(name, tensor.rows);
}
void add_virial(Report& report, AnyContext& context, bool is_periodic) {
    add_tensor(report, "virial", context.virial());
    if (is_periodic) add_tensor(report, "pressure_tensor", context.pressure_tensor());
}

/// Evaluates on the platform of `options`; calls `failed(platform, error)` if results are not finite.
template <class Failed> Report evaluate(Options const& options, KnownForces const& forces, Failed const& failed) {
    auto inputs = read_inputs(options, forces, {.state = true});
    auto const names = inputs.system.forces;
    bool const is_periodic = inputs.system.is_periodic;
    auto context = make_context(inputs, options);
    release(inputs);
    if (options.place_virtual_sites) context.compute_virtual_sites();
    try {
        auto report = evaluation_report<InputError>(context, names, options, options.state);
        if (options.virial) add_virial(report, context, is_periodic);
        if (options.terms) add_terms(report, context, names);
        return report;
    } catch (InputError const& error) {
        return failed(context.platform(), error);
    }
}

}  // namespace

int energy(Options const& options, KnownForces const& forces) {
    auto const fail = [](PlatformDescription const&, InputError const&) -> Report { throw; };
    // Devices sum forces in fixed point, and may compute in float; Reference may still have a finite result.
    auto const ask_reference = [&](PlatformDescription const& platform, InputError const& error) -> Report {
        if (platform.accelerator.empty()) throw;
        Options on_reference = options;
        on_reference.platform = "reference";
        on_reference.precision = "double";
        on_reference.device.clear();
        auto report = evaluate(on_reference, forces, fail);
        tell("beyond what " + platform.platform + " can compute, evaluated by reference: " + presentable(error.what()) + '\n');
        return report;
    };
    evaluate(options, forces, ask_reference).write(options.json);
    return done;
}

}  // namespace trotter::program
