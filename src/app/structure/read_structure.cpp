// SPDX-License-Identifier: MIT
#include <trotter/app/structure/read_structure.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "structure_builder.hpp"

namespace trotter::app {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

bool begins_with_data_block(std::string_view text) {
    while (true) {
        auto const start = text.find_first_not_of(blanks);
        if (start == text.npos) return false;
        text.remove_prefix(start);
        if (text.front() != '#') break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    constexpr std::string_view word = "data_";
    return text.size() > word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
               return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
           });
}

bool has_pdb_records(std::string_view text) {
    while (!text.empty()) {
        for (std::string_view const record : {"ATOM  ", "HETATM", "CRYST1"})
            if (text.starts_with(record)) return true;
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return false;
}

bool is_printable(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void refuse_model(std::string const& path, int model, std::size_t count) {
    throw InputError(path + ": model " + std::to_string(model) + " is wanted, expected 1 to " + std::to_string(count)
                     + ", the number of models");
}

void warn_of_gaps(StructureFile& file) {
    constexpr double longest = 0.5;  // nm
    auto const& topology = file.structure.topology;
    auto const& positions = file.structure.positions;
    for (auto const& bond : topology.bonds) {
        auto const &atom1 = topology.atoms[static_cast<std::size_t>(bond.atom1)],
                   &atom2 = topology.atoms[static_cast<std::size_t>(bond.atom2)];
        if (atom1.residue == atom2.residue) continue;
        auto const difference =
            positions[static_cast<std::size_t>(bond.atom1)] - positions[static_cast<std::size_t>(bond.atom2)];
        double const distance = std::sqrt(dot(difference, difference));
        if (distance <= longest) continue;
        char length[32];
        std::snprintf(length, sizeof length, "%.2f nm", distance);
        file.warnings.push_back("the bond " + atom1.name + " of " + topology.residue_name(atom1.residue) + " - "
                                + atom2.name + " of " + topology.residue_name(atom2.residue) + " is " + length
                                + " long: residues between them are missing");
    }
}

void remove_bonds_over_gaps(StructureFile& file) {
    constexpr double longest = 0.25;  // nm
    auto& topology = file.structure.topology;
    auto const& positions = file.structure.positions;
    std::erase_if(topology.bonds, [&](Bond const& bond) {
        auto const *a = &topology.atoms[static_cast<std::size_t>(bond.atom1)],
                   *b = &topology.atoms[static_cast<std::size_t>(bond.atom2)];
        if (a->residue > b->residue) std::swap(a, b);
        bool const is_link = (a->name == "C" && b->name == "N") || (a->name == "O3'" && b->name == "P");
        if (!is_link || b->residue != a->residue + 1) return false;
        double const distance =
            norm(positions[static_cast<std::size_t>(bond.atom1)] - positions[static_cast<std::size_t>(bond.atom2)]);
        if (distance <= longest) return false;
        char length[32];
        std::snprintf(length, sizeof length, "%.2f nm", distance);
        file.warnings.push_back("the chain has a gap of " + std::string(length) + " between "
                                + topology.residue_name(a->residue) + " and " + topology.residue_name(b->residue)
                                + ": no bond was made");
        return true;
    });
}

StructureFile read_structure_file(std::string const& path, ReadStructureOptions const& options) {
    auto names = ResidueNames::load(options.data_folders);
    if (options.more_names) names.add_more();
    auto const bonds = StandardBonds::load(options.data_folders);
    auto const text = read_file(path, options.max_bytes);
    return read_structure_text({path, text, options, names, bonds});
}

StructureFile read_structure_text(StructureSource source) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (source.text.starts_with(byte_order_mark)) source.text.remove_prefix(byte_order_mark.size());
    if (begins_with_data_block(source.text)) return read_mmcif(source);
    if (has_pdb_records(source.text)) return read_pdb(source);
    throw InputError(source.path
                     + ": is neither an mmCIF file, which begins with data_, nor a PDB file with ATOM or HETATM lines");
}

Structure read_structure(std::string const& path, ReadStructureOptions const& options) {
    return read_structure_file(path, options).structure;
}

}  // namespace trotter::app
