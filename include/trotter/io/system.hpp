// Reads and writes Systems as OpenMM XML.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trotter/io/containers.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/forces.hpp>
#include <trotter/io/read_options.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/system.hpp>

namespace trotter {

namespace detail {

/// Reads particles, constraints and box, which do not depend on the forces.
void read_frame(XmlNode const& root, Particles& particles, Box& box);
void write_frame(XmlWriter& xml, Particles const& particles, Box const& box);

/// Throws InputError for a force that is not in the list.
[[noreturn]] void refuse_force(XmlNode const& node, std::span<std::string_view const> known);

template <class... Fs> void read_force_into(XmlNode const& node, System<ForceList<Fs...>>& system, int particle_count) {
    auto const type = node.text("type");
    bool const found = ((type == Fs::name && (system.add(read_force<Fs>(node, particle_count)), true)) || ...);
    if (!found) refuse_force(node, std::initializer_list<std::string_view>{Fs::name...});
}
template <class List> void write_force_of(XmlWriter& xml, System<List> const& system, int index) {
    system.visit_force(index, [&](auto const& force) { write_force(xml, force); });
}

template <class List> void read_forces(XmlNode const& root, System<List>& system) {
    for (auto const node : root.child("Forces").items("Force")) read_force_into(node, system, system.particle_count());
}

template <class List> void write_forces(XmlWriter& xml, System<List> const& system) {
    xml.open("Forces");
    for (int index = 0; index < system.force_count(); ++index) write_force_of(xml, system, index);
    xml.close();
}

}  // namespace detail

/// Reads a System from the text of a `<System>` element; `name` is its name in messages. Force types of the list are
/// identified by their names; terms are read by their description, other forces by a function `read(XmlNode const&,
/// MyForce&)` in the force's namespace. Throws InputError with the line for anything unknown, missing or invalid.
template <class List = StandardForces> System<List> parse_system(std::string text, std::string const& name = "system") {
    auto const document = parse_xml(std::move(text), name);
    System<List> system;
    auto const root = document.root("System");
    detail::read_frame(root, system.particles, system.box);
    detail::read_forces(root, system);
    return system;
}

/// The same from a file, plain or gzip.
template <class List = StandardForces>
System<List> read_system(std::filesystem::path const& path, ReadOptions options = {}) {
    return parse_system<List>(read_file(path.string(), options.max_bytes, FileKind::xml), path.string());
}

/// Returns the text that OpenMM and `parse_system` read as the same System, bit for bit.
template <class List> std::string system_to_xml(System<List> const& system) {
    XmlWriter xml;
    detail::write_frame(xml, system.particles, system.box);
    detail::write_forces(xml, system);
    return xml.finish();
}

/// The same into a file, compressed if the name ends in `.gz`.
template <class List> void write_system(std::filesystem::path const& path, System<List> const& system) {
    OutputFile file{path.string()};
    XmlWriter xml{file};
    detail::write_frame(xml, system.particles, system.box);
    detail::write_forces(xml, system);
    xml.finish();
    file.commit();
}

extern template void detail::read_forces(XmlNode const&, StandardSystem&);
extern template void detail::write_forces(XmlWriter&, StandardSystem const&);

}  // namespace trotter
