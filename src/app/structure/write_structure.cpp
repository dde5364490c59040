// SPDX-License-Identifier: MIT
#include <trotter/app/structure/write_structure.hpp>

#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <trotter/app/structure/gro.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {
namespace {

void append(std::string& text, Vec3<> const& v) {
    fmt::format_to(std::back_inserter(text), "[{}, {}, {}]", format_number(v.x), format_number(v.y),
                   format_number(v.z));
}

void append_residue(std::string& text, Topology const& topology, Residue const& residue) {
    fmt::format_to(std::back_inserter(text), "{{\"name\": {}, \"id\": {}, \"icode\": {}, \"atoms\": [",
                   json_string(residue.name), json_string(residue.id), json_string(residue.insertion_code));
    for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        auto const& atom = topology.atoms[static_cast<std::size_t>(i)];
        fmt::format_to(std::back_inserter(text), "{}{{\"name\": {}, \"element\": {}, \"formal_charge\": {}}}",
                       i > residue.first_atom ? ", " : "", json_string(atom.name),
                       atom.element ? json_string(atom.element->symbol()) : "null",
                       atom.formal_charge ? std::to_string(*atom.formal_charge) : "null");
    }
    text += "]}";
}

void append_chains(std::string& text, Topology const& topology) {
    for (auto const& chain : topology.chains) {
        fmt::format_to(std::back_inserter(text), "{}\n{{\"id\": {}, \"residues\": [",
                       &chain == topology.chains.data() ? "" : ",", json_string(chain.id));
        for (int i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
            text += i > chain.first_residue ? ",\n" : "\n";
            append_residue(text, topology, topology.residues[static_cast<std::size_t>(i)]);
        }
        text += "]}";
    }
}

}  // namespace

std::string to_json(Structure const& structure) {
    auto const& topology = structure.topology;
    std::string text = "{\"chains\": [";
    append_chains(text, topology);
    text += "],\n\"bonds\": [";
    for (auto const& bond : topology.bonds)
        fmt::format_to(std::back_inserter(text), "{}[{}, {}, {}]", &bond == topology.bonds.data() ? "\n" : ",\n",
                       bond.atom1, bond.atom2, bond.order ? std::to_string(*bond.order) : "null");
    text += "],\n\"box\": ";
    if (structure.box) {
        append(text += '[', structure.box->a);
        append(text += ", ", structure.box->b);
        append(text += ", ", structure.box->c);
        text += ']';
    } else {
        text += "null";
    }
    text += ",\n\"positions\": [";
    for (auto const& position : structure.positions)
        append(text += &position == structure.positions.data() ? "\n" : ",\n", position);
    return text += "]}\n";
}

std::string structure_text(std::string const& path, Structure const& structure) {
    std::string_view name = path;
    if (name.ends_with(".gz")) name.remove_suffix(3);
    if (name.ends_with(".pdb")) return to_pdb(structure);
    if (name.ends_with(".cif")) return to_mmcif(structure);
    if (name.ends_with(".json")) return to_json(structure);
    if (name.ends_with(".gro")) return to_gro(structure);
    throw InputError(path + ": the end of the name tells no format of a structure, expected .pdb, .cif, .gro or .json");
}

void write_structure(std::string const& path, Structure const& structure) {
    write_file(path, structure_text(path, structure));
}

}  // namespace trotter::app
