// SPDX-License-Identifier: MIT
#include <trotter/app/force_field/force_field.hpp>

#include <trotter/app/data_files.hpp>
#include <trotter/io/file.hpp>

#include "assembly.hpp"
#include "at.hpp"
#include "data.hpp"

namespace trotter::app {

ForceField::ForceField(std::shared_ptr<Data> data) : data_(std::move(data)) {}

ForceField ForceField::load(std::vector<std::string> const& files, std::vector<std::string> const& folders) {
    std::vector<Text> texts;
    for (auto const& name : files) {
        auto const path = find_data_file(name, folders);
        texts.push_back({path, read_file(path, default_max_input, FileKind::xml)});
    }
    return parse(texts, folders);
}

ForceField ForceField::parse(std::vector<Text> const& texts, std::vector<std::string> const& folders) {
    auto data = std::make_shared<Data>();
    data->folders = folders;
    force_field::load(*data, texts);
    return ForceField(std::move(data));
}

void ForceField::add_matcher(Matcher matcher) {
    std::lock_guard const lock(data_->mutex);
    data_->matchers.push_back(std::move(matcher));
}

void ForceField::add_generator(Generator generator) {
    std::lock_guard const lock(data_->mutex);
    data_->template_generators.push_back(std::move(generator));
}

std::vector<std::string> ForceField::template_names(Topology const& topology, SystemOptions const& options) const {
    std::lock_guard const lock(data_->mutex);
    auto const assignment = force_field::assign_templates(*data_, topology, options, false);
    std::vector<std::string> names;
    for (int residue = 0; residue < count(topology.residues); ++residue) {
        auto const* matched = assignment.template_of(residue);
        names.push_back(matched ? matched->name : assignment.patched_names.at(residue));
    }
    return names;
}

namespace force_field {
namespace {

void check_method(SystemOptions const& options, std::optional<Box> const& box) {
    bool const is_periodic = options.nonbonded_method != NonbondedMethod::no_cutoff
                             && options.nonbonded_method != NonbondedMethod::cutoff_non_periodic;
    if (is_periodic && !box) throw InputError("the nonbonded method is periodic, but the structure has no box");
}

}  // namespace
}  // namespace force_field

StandardSystem ForceField::create_system(Topology const& topology, std::optional<Box> const& box,
                                         SystemOptions const& options, std::vector<std::string>* warnings) const {
    std::lock_guard const lock(data_->mutex);
    auto const assignment = force_field::assign_templates(*data_, topology, options, false);
    force_field::check_method(options, box);
    force_field::Assembly assembly(data_->types, topology, assignment, options);
    if (box) assembly.system.box = *box;
    std::vector<int> numbers;
    for (auto const& generator : data_->generators)
        numbers.push_back(std::visit([&](auto const& made) { return made.create(assembly); }, generator));
    if (options.remove_cm_motion.value_or(true)) assembly.system.add(CMMotionRemover{});
    for (std::size_t i = 0; i < numbers.size(); ++i)
        std::visit(
            [&](auto const& made) {
                if constexpr (requires { made.finish(assembly, 0); }) made.finish(assembly, numbers[i]);
            },
            data_->generators[i]);
    assembly.add_template_constraints();
    for (auto const& script : data_->scripts) std::visit([&](auto const& known) { known.run(assembly); }, script);
    assembly.options.check_all_used();
    if (warnings) {
        warnings->insert(warnings->end(), data_->warnings.begin(), data_->warnings.end());
        warnings->insert(warnings->end(), assembly.warnings.begin(), assembly.warnings.end());
    }
    return std::move(assembly.system);
}

}  // namespace trotter::app
