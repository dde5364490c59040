// Reads top files, and makes their topology.
// SPDX-License-Identifier: MIT
#include <trotter/app/gromacs/top.hpp>

#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "preprocessor.hpp"
#include "section_reader.hpp"

namespace trotter::app {
namespace {

using namespace gromacs;

// More atoms than this are refused: a number of molecules is a few bytes, its atoms are not.
constexpr std::int64_t max_atoms = 20'000'000;

std::optional<Element> element_of(AtomType const& type, std::string_view atom_name) {
    if (!type.atomic_number.empty()) {
        int const number = to_integer(type.atomic_number, type.rest.where, "the atomic number");
        if (number == 0) return {};
        auto const element = Element::from_atomic_number(number);
        if (!element) refuse(type.rest.where, fmt::format("the atomic number is {}, which no element has", number));
        return element;
    }
    auto const upper = upper_case(atom_name);
    for (auto const* symbol : {"CL", "NA", "MG"})
        if (upper.starts_with(symbol)) return Element::from_symbol(symbol);
    return Element::from_symbol(std::string_view{upper}.substr(0, 1));
}

void add_molecule(GromacsTopContents const& contents, MoleculeType const& molecule, ResidueNames const& names,
                  Topology& topology) {
    int const first = topology.atom_count();
    topology.add_chain(std::to_string(topology.chains.size() + 1));
    std::string const* number = nullptr;
    for (auto const& line : molecule.atoms) {
        if (!number || *number != line.words[2]) {
            number = &line.words[2];
            topology.add_residue(names.residue(line.words[3]), std::to_string(topology.residues.size() + 1));
            topology.residues.back().original_name = line.words[3];
        }
        auto const& name = names.atom(topology.residues.back().name, line.words[4]);
        topology.add_atom(name, element_of(contents.type_of(line), name));
    }
    for (auto const& line : molecule.bonds) {
        auto const [atom1, atom2] = molecule.atoms_of<2>(line);
        topology.add_bond(first + atom1, first + atom2);
    }
}

Topology topology_of(GromacsTopContents const& contents, std::string_view path, ResidueNames const& names) {
    Topology topology;
    std::int64_t atoms = 0;
    for (auto const& [molecule, count] : contents.molecules) {
        if (count > 0 && !molecule->unsupported_sites.words.empty())
            refuse(molecule->unsupported_sites.where,
                   fmt::format("this kind of virtual site of the molecule {} is not supported: virtual_sites2 "
                               "with function 1, virtual_sites3 with functions 1, 3, 4 are",
                               in_quotes(molecule->name)));
        if (count > 0 && molecule->atoms.empty())
            refuse({path}, fmt::format("the molecule {} has no atoms", in_quotes(molecule->name)));
        atoms += static_cast<std::int64_t>(molecule->atoms.size()) * count;
        if (atoms > max_atoms) refuse({path}, fmt::format("[ molecules ] adds up to more than {} atoms", max_atoms));
    }
    for (auto const& [molecule, count] : contents.molecules)
        for (int i = 0; i < count; ++i) add_molecule(contents, *molecule, names, topology);
    return topology;
}

}  // namespace

GromacsTop read_top(std::string const& path, ResidueNames const& names, ReadTopOptions const& options) {
    auto contents = std::make_shared<GromacsTopContents>();
    SectionReader reader{*contents};
    std::vector<std::string> folders{std::filesystem::path{path}.parent_path().string()};
    folders.insert(folders.end(), options.include_folders.begin(), options.include_folders.end());
    Preprocessor preprocessor{contents->paths, folders,
                              [&](std::string_view line, Location where) { reader.read(line, where); }};
    preprocessor.define("FLEXIBLE", "1");  // waters with bonds, and not with constraints alone
    for (auto const& define : options.defines) {
        auto const equals = define.find('=');
        preprocessor.define(define.substr(0, equals), equals == define.npos ? "" : define.substr(equals + 1));
    }
    preprocessor.read(path);
    if (contents->molecules.empty()) refuse({path}, "there are no [ molecules ]");
    GromacsTop top{.path = path,
                   .contents = contents,
                   .topology = topology_of(*contents, path, names),
                   .box = {},
                   .ignored_sections = {}};
    top.ignored_sections.assign(reader.ignored().begin(), reader.ignored().end());
    return top;
}

}  // namespace trotter::app
