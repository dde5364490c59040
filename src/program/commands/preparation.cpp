// SPDX-License-Identifier: MIT
#include "preparation.hpp"

#include <filesystem>
#include <functional>
#include <type_traits>

#include <trotter/app/amber/create_system.hpp>
#include <trotter/app/charmm/create_system.hpp>
#include <trotter/app/coordinates.hpp>
#include <trotter/app/data_files.hpp>
#include <trotter/app/force_field/force_field.hpp>
#include <trotter/app/gromacs/create_system.hpp>
#include <trotter/app/modeller/add_hydrogens.hpp>
#include <trotter/app/modeller/add_solvent.hpp>
#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/modeller/mutate.hpp>
#include <trotter/app/modeller/repair.hpp>
#include <trotter/app/modeller/water.hpp>
#include <trotter/app/selection.hpp>
#include <trotter/app/structure/residue_labels.hpp>
#include <trotter/app/structure/residue_names.hpp>
#include <trotter/error.hpp>

#include "hydrogen_places.hpp"
#include "reading_log.hpp"

namespace trotter::program {
namespace {

using app::Structure;

class Preparer {
public:
    Preparer(PrepareFile const& file, std::vector<std::string> const& folders, std::uint64_t max_bytes)
        : file_(file), folders_(folders), max_bytes_(max_bytes) {}

    Preparation prepare() {
        read_input();
        if (file_.box) result_.structure.box = file_.box;
        for (auto const& step : file_.steps) take(step);
        if (file_.mesh_cutoff && result_.structure.box) {
            file_.system.nonbonded_method = app::NonbondedMethod::pme;
            file_.system.cutoff = file_.mesh_cutoff;
        }
        if (file_.makes_system) result_.system = make_system();
        return std::move(result_);
    }

private:
    void read_input();
    void read_gromacs();
    /// Takes over the contents of a prmtop, top or psf file.
    template <class Input, class... Parameters> void use(Input input, Parameters... parameters);
    void read_other_coordinates();
    app::ResidueNames names() const;
    void take(PrepareStep const& step);
    void take(steps::DeleteWater const&) { result_.structure = app::delete_water(result_.structure, &result_.log); }
    void take(steps::Delete const& step);
    void take(steps::ConvertWater const& step);
    void take(steps::AddHydrogens const& step);
    void take(steps::AddExtraParticles const& step);
    void take(steps::AddSolvent const& step);
    void take(steps::FindMissing const& step);
    void take(steps::Select const& step);
    void take(steps::Repair const& step);
    void take(steps::Mutate const& step);
    StandardSystem make_system();
    app::ForceField const& force_field();  // read when it is first needed
    std::map<int, std::string> residue_templates() const;
    app::SystemOptions system_options() const;

    PrepareFile file_;
    std::vector<std::string> const& folders_;
    std::uint64_t max_bytes_;
    Preparation result_;
    app::StructureFile source_;  // without its structure
    std::optional<app::ForceField> force_field_;
    std::function<StandardSystem(std::optional<Box> const&)> make_from_input_;  // of a prmtop, top or psf
};

void Preparer::read_input() {
    switch (file_.input) {
        case StructureInput::structure:
            source_ = app::read_structure_file(file_.input_path, {file_.alternate_location, file_.all_bonds,
                                                                  file_.more_names, file_.model, folders_, max_bytes_});
            result_.structure = std::move(source_.structure);
            log_reading(result_.log, source_, result_.structure, file_.alternate_location);
            break;
        case StructureInput::prmtop:
            use(app::read_prmtop(file_.input_path, names()));
            break;
        case StructureInput::top:
            read_gromacs();
            break;
        case StructureInput::psf:
            if (file_.makes_system && file_.parameters.empty())
                throw InputError(
                    file_.path
                    + ": [prepare] has no parameters, expected a list of rtf, prm, par or str files beside psf");
            use(app::read_psf(file_.input_path, names()), app::read_charmm_parameters(file_.parameters));
            break;
    }
}

void Preparer::read_gromacs() {
    auto top = app::read_top(file_.input_path, names(), {file_.include_folders, file_.defines});
    for (auto const& section : top.ignored_sections)
        result_.log.warnings.push_back(file_.input_path + ": the sections [ " + section + " ] are left out");
    use(std::move(top));
}

app::ResidueNames Preparer::names() const {
    auto names = app::ResidueNames::load(folders_);
    if (file_.more_names) names.add_more();
    return names;
}

template <class Input, class... Parameters> void Preparer::use(Input input, Parameters... parameters) {
    result_.structure.topology = input.topology;
    result_.structure.box = input.box;
    read_other_coordinates();
    make_from_input_ = [this, input = std::move(input), parameters...](std::optional<Box> const& box) mutable {
        input.box = box;
        return app::create_system(input, parameters..., file_.system);
    };
}

void Preparer::read_other_coordinates() {
    if (file_.coordinates.empty()) return;
    auto read = app::read_coordinates(file_.coordinates, folders_);
    if (read.positions.size() != result_.structure.topology.atoms.size())
        throw InputError(file_.coordinates + ": has " + std::to_string(read.positions.size()) + " atoms, expected "
                         + std::to_string(result_.structure.topology.atoms.size()) + " as in " + file_.input_path);
    result_.structure.positions = std::move(read.positions);
    result_.structure.velocities = std::move(read.velocities);
    if (read.box) result_.structure.box = read.box;
}

void Preparer::take(PrepareStep const& step) {
    if (result_.structure.positions.empty() && !result_.structure.topology.atoms.empty())
        throw InputError(step.where + " needs positions, expected `coordinates` beside the input");
    if (make_from_input_ && file_.makes_system && !std::holds_alternative<steps::FindMissing>(step.what))
        throw InputError(step.where
                         + " changes the structure, expected none beside [prepare.system]: the parameters of "
                         + file_.input_path + " are for its own atoms");
    try {
        std::visit([&](auto const& what) { take(what); }, step.what);
    } catch (InputError const& error) {
        throw InputError(step.where + ": " + error.what());
    }
}

void Preparer::take(steps::Delete const& step) {
    app::ResidueLabels const labels(result_.structure.topology);
    std::vector<int> residues;
    for (auto const& label : step.residues) residues.push_back(labels.find(label));
    result_.structure = app::delete_residues(result_.structure, residues, &result_.log);
}

void Preparer::take(steps::ConvertWater const& step) {
    result_.structure = app::convert_water(result_.structure, app::WaterModel::named(step.model), &result_.log);
}

void Preparer::take(steps::AddHydrogens const& step) {
    app::ResidueLabels const labels(result_.structure.topology);
    app::AddHydrogensOptions options{
        .ph = step.ph, .ends_of_polymers = file_.ends_of_polymers, .variants = {}, .improve = {}};
    for (auto const& [label, variant] : step.variants) options.variants[labels.find(label)] = variant;
    if (!file_.force_fields.empty()) options.improve = minimization_by(force_field(), residue_templates());
    auto const definitions = app::HydrogenDefinitions::load(folders_, file_.hydrogen_definitions);
    result_.structure = app::add_hydrogens(result_.structure, definitions, options, &result_.log);
}

void Preparer::take(steps::AddExtraParticles const&) {
    result_.structure = app::add_extra_particles(result_.structure, force_field(), system_options());
}

void Preparer::take(steps::AddSolvent const& step) {
    app::AddSolventOptions options{.model = app::WaterModel::named(step.model),
                                   .padding = step.padding,
                                   .box = step.box,
                                   .count = step.count,
                                   .shape = app::box_shape(step.shape),
                                   .positive_ion = step.positive_ion,
                                   .negative_ion = step.negative_ion,
                                   .ionic_strength = step.ionic_strength,
                                   .neutralize = step.neutralize,
                                   .seed = step.seed,
                                   .residue_templates = residue_templates(),
                                   .data_folders = folders_};
    result_.structure = app::add_solvent(result_.structure, force_field(), options, &result_.log);
}

void Preparer::take(steps::FindMissing const&) {
    result_.missing = app::find_missing(result_.structure.topology, source_.sequences, source_.modified_residues,
                                        app::StandardBonds::load(folders_));
    result_.searched = result_.structure.topology;
}

void Preparer::take(steps::Select const& step) {
    auto const selected = app::Selection::parse(step.expression).atoms(result_.structure);
    result_.structure = step.is_kept ? app::keep_atoms(result_.structure, selected, &result_.log)
                                     : app::remove_atoms(result_.structure, selected, &result_.log);
}

void Preparer::take(steps::Repair const& step) {
    result_.structure =
        app::repair(result_.structure, app::StandardBonds::load(folders_),
                    {step.gaps, step.replaces_nonstandard, source_.sequences, source_.modified_residues}, &result_.log);
}

void Preparer::take(steps::Mutate const& step) {
    std::vector<app::Mutation> mutations;
    for (auto const& change : step.changes)
        mutations.push_back(app::parse_mutation(change, result_.structure.topology));
    result_.structure = app::mutate(result_.structure, mutations, app::StandardBonds::load(folders_), &result_.log);
}

StandardSystem Preparer::make_system() {
    if (make_from_input_) return make_from_input_(result_.structure.box);
    return force_field().create_system(result_.structure.topology, result_.structure.box, system_options(),
                                       &result_.log.warnings);
}

app::ForceField const& Preparer::force_field() {
    if (file_.force_fields.empty())
        throw InputError(file_.path + ": [prepare] has no forcefield, expected a list of force-field files");
    if (!force_field_) force_field_ = app::ForceField::load(file_.force_fields, folders_);
    return *force_field_;
}

std::map<int, std::string> Preparer::residue_templates() const {
    std::map<int, std::string> templates;
    if (file_.residue_templates.empty()) return templates;
    app::ResidueLabels const labels(result_.structure.topology);
    for (auto const& [label, name] : file_.residue_templates) templates[labels.find(label)] = name;
    return templates;
}

app::SystemOptions Preparer::system_options() const {
    auto options = file_.system;
    options.residue_templates = residue_templates();
    return options;
}

}  // namespace

std::vector<std::string> data_folders(std::vector<std::string> const& given) {
    std::vector<std::string> folders;
    std::error_code error;
    for (auto const& folder : given) {
        if (!std::filesystem::is_directory(folder, error))
            throw InputError("--forcefields " + folder + " is no folder");
        folders.push_back(folder);
    }
    for (auto const& own : app::own_data_folders()) folders.push_back(own);
    return folders;
}

std::vector<std::string> data_folders(PrepareFile const& file, std::vector<std::string> const& given) {
    auto folders = data_folders(given);
    folders.insert(folders.begin(), file.folder);
    return folders;
}

Preparation prepare_structure(PrepareFile const& file, std::vector<std::string> const& folders,
                              std::uint64_t max_bytes) {
    return Preparer(file, folders, max_bytes).prepare();
}

}  // namespace trotter::program
