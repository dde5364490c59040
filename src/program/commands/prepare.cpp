// `trotter prepare`: from a structure to a System.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <trotter/app/structure/residue_labels.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>

#include "commands.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"
#include "program/output/messages.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

/// Files that appear together when all of them are complete.
class Outputs {
public:
    void add(std::string const& path, std::string_view text) {
        files_.emplace_back(path);
        files_.back().write(text);
    }
    void commit() {
        for (auto& file : files_) file.commit();
    }

private:
    std::vector<OutputFile> files_;
};

void report_missing(Report& report, app::Missing const& missing, app::Topology const& topology) {
    std::vector<Report> gaps;
    for (auto const& gap : missing.residues)
        gaps.push_back(Report()
                           .add("chain", topology.chains[static_cast<std::size_t>(gap.chain)].id)
                           .add("before", gap.before)
                           .add("names", gap.names));
    report.add("missing_residues", gaps);
    auto const by_label = [&](auto const& found) {
        Report object;
        for (auto const& [residue, value] : found) object.add(app::residue_label(topology, residue), value);
        return object;
    };
    report.add("missing_atoms", by_label(missing.atoms))
        .add("missing_terminals", by_label(missing.terminals))
        .add("nonstandard", by_label(missing.nonstandard));
}

Report report_of(app::Change const& change) {
    return Report()
        .add("step", change.step)
        .add("object", change.object)
        .add("what", change.what)
        .add("why", change.why)
        .add("kind", change.kind)
        .add("chain", change.chain)
        .add("residue", change.residue)
        .add("icode", change.icode)
        .add("name", change.name)
        .add("atoms", change.atoms)
        .add("from", change.from)
        .add("to", change.to)
        .add("reason", change.why);
}

}  // namespace

Report report_of(Preparation const& result) {
    auto const& topology = result.structure.topology;
    Report report;
    report.add("chains", topology.chains.size())
        .add("residues", topology.residues.size())
        .add("particles", topology.atoms.size())
        .add("bonds", topology.bonds.size());
    if (auto const& box = result.structure.box) report.add("box", std::vector<Vec3<>>{box->a, box->b, box->c});
    if (result.system)
        report.add("forces", result.system->force_count())
            .add("constraints", result.system->particles.constraints.size());
    if (result.missing) report_missing(report, *result.missing, result.searched);
    std::vector<Report> changes;
    for (auto const& change : result.log.changes) changes.push_back(report_of(change));
    return report.add("changes", changes).add("warnings", result.log.warnings);
}

State state_of(app::Structure const& structure) {
    State state;
    state.positions = structure.positions;
    state.velocities = structure.velocities;
    state.box = structure.box.value_or(Box{});
    return state;
}

int prepare(Options const& options, KnownForces const&) {
    if (options.input.empty())
        throw InputError("the TOML file with the table [prepare] is missing (see `trotter help prepare`)");
    auto const file = read_prepare_file(options.input);
    if (!options.out_system.empty() && !file.makes_system)
        throw InputError(options.input + ": has no table [prepare.system], expected one for --out-system");
    auto const result = prepare_structure(file, data_folders(file, options.force_field_folders), options.max_input);
    bool const needs_positions = !options.out_state.empty() || !options.out_topologies.empty();
    if (needs_positions && result.structure.positions.size() != result.structure.topology.atoms.size())
        throw InputError(options.input + ": names no coordinates, expected them for --out-state and --out-topology");

    Outputs outputs;
    if (!options.out_system.empty()) outputs.add(options.out_system, system_to_xml(*result.system));
    if (!options.out_state.empty()) outputs.add(options.out_state, state_to_xml(state_of(result.structure)));
    for (auto const& path : options.out_topologies) outputs.add(path, app::structure_text(path, result.structure));
    auto const report = report_of(result);
    outputs.commit();
    for (auto const& warning : result.log.warnings) tell("trotter: warning: " + presentable(warning) + '\n');
    report.write(options.json);
    return done;
}

}  // namespace trotter::program
