// Reads and writes States.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include <trotter/io/state.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

#include "box.hpp"
#include "io/xml/integrators/integrator_parameters.hpp"
#include "named_numbers.hpp"

namespace trotter {
namespace {

std::vector<Vec3<>> read_vectors(XmlNode const& root, std::string_view list_name, std::string_view name,
                                 Allow allow = Allow::Finite) {
    std::vector<Vec3<>> vectors;
    auto const list = root.find(list_name);
    if (!list) return vectors;
    auto const elements = list->items(name);
    vectors.reserve(elements.size());
    for (auto const element : elements) vectors.push_back(detail::read_vector(element, allow));
    return vectors;
}

void write_vectors(XmlWriter& xml, std::string_view list_name, std::string_view name,
                   std::vector<Vec3<>> const& vectors) {
    if (vectors.empty()) return;
    xml.open(list_name);
    for (auto const& vector : vectors) detail::write_vector(xml, name, vector);
    xml.close();
}

std::map<std::string, double> read_parameters(XmlNode const& node) {
    std::map<std::string, double> parameters;
    node.only(node.attributes(), std::array{detail::parameter_element});
    for (auto const name : node.attributes()) parameters.emplace(name, node.number(name, Allow::Infinite));
    for (auto const element : node.children()) {
        auto const [name, value] = detail::read_parameter_element(element, Allow::Infinite);
        if (!parameters.emplace(name, value).second) element.refuse("name", "a name that no earlier parameter has");
    }
    return parameters;
}

State read_root(XmlNode const& root) {
    if (root.text("type") != "State") root.refuse("type", "\"State\"");
    root.version(1);
    root.only(
        {"openmmVersion", "type", "version", "time", "stepCount"},
        {"PeriodicBoxVectors", "Parameters", "Energies", "Positions", "Velocities", "Forces", "IntegratorParameters"});
    State state;
    state.time = root.number("time");
    state.step_count = root.integer_or<std::int64_t>("stepCount", 0, 0);
    if (auto const box = root.find("PeriodicBoxVectors")) state.box = detail::read_box(*box);
    if (auto const parameters = root.find("Parameters")) state.parameters = read_parameters(*parameters);
    if (auto const energies = root.find("Energies")) {
        energies->only({"PotentialEnergy", "KineticEnergy"});
        state.potential_energy = energies->number("PotentialEnergy", Allow::Any);
        state.kinetic_energy = energies->number("KineticEnergy", Allow::Any);
    }
    state.positions = read_vectors(root, "Positions", "Position");
    state.velocities = read_vectors(root, "Velocities", "Velocity");
    state.forces = read_vectors(root, "Forces", "Force", Allow::Any);
    if (auto const node = root.find("IntegratorParameters"))
        state.integrator_parameters = detail::read_integrator_parameters(*node);
    return state;
}

void write_root(XmlWriter& xml, State const& state) {
    detail::write_root(xml, "State");
    xml.attribute("time", state.time).attribute("stepCount", state.step_count);
    if (state.box) detail::write_box(xml, *state.box);
    if (state.parameters) {
        xml.open("Parameters");
        detail::write_named_numbers(xml, *state.parameters);
        xml.close();
    }
    if (!std::isnan(state.potential_energy) || !std::isnan(state.kinetic_energy))
        xml.open("Energies")
            .attribute("PotentialEnergy", state.potential_energy)
            .attribute("KineticEnergy", state.kinetic_energy)
            .close();
    write_vectors(xml, "Positions", "Position", state.positions);
    write_vectors(xml, "Velocities", "Velocity", state.velocities);
    write_vectors(xml, "Forces", "Force", state.forces);
    if (state.integrator_parameters) detail::write_integrator_parameters(xml, *state.integrator_parameters);
    xml.close();
}

}  // namespace

State parse_state(std::string text, std::string const& name) {
    auto const document = parse_xml(std::move(text), name);
    return read_root(document.root("State"));
}

State read_state(std::filesystem::path const& path, ReadOptions options) {
    return parse_state(read_file(path.string(), options.max_bytes, FileKind::xml), path.string());
}

std::string state_to_xml(State const& state) {
    XmlWriter xml;
    write_root(xml, state);
    return xml.finish();
}

void write_state(std::filesystem::path const& path, State const& state) {
    OutputFile file{path.string()};
    XmlWriter xml{file};
    write_root(xml, state);
    xml.finish();
    file.commit();
}

}  // namespace trotter
