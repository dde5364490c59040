// Writes PDBx/mmCIF files.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <trotter/app/structure/write_structure.hpp>
#include <trotter/app/unit_cell.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "standard_residues.hpp"

namespace trotter::app {
namespace {

/// A value as the STAR grammar has it: in quotes where it would mean something else without.
std::string star_value(std::string const& text) {
    if (text.empty()) return ".";
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
        throw InputError(
            in_quotes(text)
            + " is a name or number of an atom, residue or chain, expected printable ASCII for an mmCIF file");
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    bool const is_reserved = lower.starts_with("data_") || lower.starts_with("save_") || lower == "loop_"
                             || lower == "stop_" || lower == "global_";
    bool const is_plain = text.find(' ') == text.npos
                          && std::string_view("_#$'\"[];").find(text[0]) == std::string_view::npos && !is_reserved;
    if (is_plain) return text;
    for (char const* quote : {"'", "\""})
        if ((text + ' ').find(std::string(quote) + ' ') == text.npos) return quote + text + quote;
    throw InputError(in_quotes(text) + " is a name with both kinds of quotes, which an mmCIF file cannot hold");
}

/// Names of chains. Readers take the author's or the label's name, of whichever there are more, and begin a chain where
/// either changes.
struct ChainNames {
    explicit ChainNames(std::vector<Chain> const& chains) {
        std::set<std::string> used;
        for (auto const& chain : chains) used.insert(chain.id);
        int next = 0;
        auto const unused = [&] {
            std::string name;
            do name = letters(next++);
            while (!used.insert(name).second);
            return name;
        };
        for (auto const& chain : chains) {
            bool const is_blank = chain.id.find_first_not_of(" .?") == chain.id.npos;
            author.push_back(is_blank ? unused() : chain.id);
        }
        label = author;
        auto const other =
            std::find_if(author.begin(), author.end(), [&](auto const& name) { return name != author.front(); });
        for (std::size_t i = 1; i < label.size(); ++i) {
            if (author[i] != author[i - 1] || label[i] != label[i - 1]) continue;
            if (other == author.end())
                label[i] = unused();  // all have the same: the labels are read
            else
                label[i] = author[i] == author.front() ? *other : author.front();
        }
        read = other == author.end() ? label : author;
    }

    /// A, B, ..., Z, AA, AB, ...
    static std::string letters(int index) {
        std::string name(1, static_cast<char>('A' + index % 26));
        return index < 26 ? name : letters(index / 26 - 1) + name;
    }

    std::vector<std::string> author, label;
    std::vector<std::string> read;  ///< the name by which readers find the chain
};

class MmcifWriter {
public:
    explicit MmcifWriter(Structure const& structure)
        : structure_(structure), topology_(structure.topology), chains_(topology_.chains) {}

    std::string write() {
        text_ = "data_structure\n#\n";
        write_cell();
        write_connections();
        write_atoms();
        return std::move(text_);
    }

private:
    template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }

    void begin_loop(std::string_view category, std::initializer_list<std::string_view> columns) {
        text_ += "loop_\n";
        for (auto const column : columns) line("_{}.{}", category, column);
    }

    void write_cell() {
        if (!structure_.box) return;
        auto const cell = cell_of(*structure_.box);
        constexpr std::string_view lengths[] = {"length_a", "length_b", "length_c"},
                                   angles[] = {"angle_alpha", "angle_beta", "angle_gamma"};
        for (std::size_t i = 0; i < 3; ++i) line("_cell.{} {:.6f}", lengths[i], cell.lengths[i] * 10);
        for (std::size_t i = 0; i < 3; ++i) line("_cell.{} {:.8f}", angles[i], cell.angles[i]);
        text_ += "#\n";
    }

    void write_connections() {
        auto const bonds = unimplied_bonds(topology_);
        if (bonds.empty()) return;
        begin_loop("struct_conn", {"id", "conn_type_id", "ptnr1_label_asym_id", "ptnr1_label_comp_id",
                                   "ptnr1_label_seq_id", "ptnr1_label_atom_id", "ptnr2_label_asym_id",
                                   "ptnr2_label_comp_id", "ptnr2_label_seq_id", "ptnr2_label_atom_id"});
        for (std::size_t i = 0; i < bonds.size(); ++i) {
            auto const is_sulfur = [&](int atom) {
                return topology_.atoms[static_cast<std::size_t>(atom)].name == "SG";
            };
            bool const is_disulfide = is_sulfur(bonds[i].atom1) && is_sulfur(bonds[i].atom2);
            line("bond{} {} {} {}", i + 1, is_disulfide ? "disulf" : "covale", partner(bonds[i].atom1),
                 partner(bonds[i].atom2));
        }
        text_ += "#\n";
    }

    std::string partner(int index) const {
        auto const& atom = topology_.atoms[static_cast<std::size_t>(index)];
        auto const& residue = topology_.residues[static_cast<std::size_t>(atom.residue)];
        return fmt::format("{} {} {} {}", star_value(chains_.read[static_cast<std::size_t>(residue.chain)]),
                           star_value(residue.name), atom.residue + 1, star_value(atom.name));
    }

    void write_atoms() {
        begin_loop("atom_site", {"group_PDB",         "id",
                                 "type_symbol",       "label_atom_id",
                                 "label_alt_id",      "label_comp_id",
                                 "label_asym_id",     "label_entity_id",
                                 "label_seq_id",      "pdbx_PDB_ins_code",
                                 "Cartn_x",           "Cartn_y",
                                 "Cartn_z",           "occupancy",
                                 "B_iso_or_equiv",    "pdbx_formal_charge",
                                 "auth_seq_id",       "auth_comp_id",
                                 "auth_asym_id",      "auth_atom_id",
                                 "pdbx_PDB_model_num"});
        for (int i = 0; i < static_cast<int>(topology_.residues.size()); ++i) write_residue(i);
        text_ += "#\n";
    }

    void write_residue(int index) {
        auto const& residue = topology_.residues[static_cast<std::size_t>(index)];
        auto const chain = static_cast<std::size_t>(residue.chain);
        auto const record = is_standard_residue(residue.name) && residue.name != "HOH" ? "ATOM" : "HETATM";
        auto const name = star_value(residue.name), label_chain = star_value(chains_.label[chain]),
                   author_chain = star_value(chains_.author[chain]),
                   number = star_value(residue.id.empty() ? std::to_string(index + 1) : residue.id),
                   insertion_code = residue.insertion_code.empty() ? "?" : star_value(residue.insertion_code);
        for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
            auto const& atom = topology_.atoms[static_cast<std::size_t>(i)];
            auto const position = structure_.positions[static_cast<std::size_t>(i)] * 10.0;  // angstrom
            if (!std::isfinite(position.x) || !std::isfinite(position.y) || !std::isfinite(position.z))
                throw InputError(fmt::format("atom {} ({} of {}) has a coordinate that is not finite", i, atom.name,
                                             topology_.residue_name(index)));
            auto const atom_name = star_value(atom.name);
            line("{} {} {} {} . {} {} 1 {} {} {:.6f} {:.6f} {:.6f} 1.00 0.00 {} {} {} {} {} 1", record, i + 1,
                 atom.element ? atom.element->symbol() : "?", atom_name, name, label_chain, index + 1, insertion_code,
                 position.x, position.y, position.z, atom.formal_charge ? std::to_string(*atom.formal_charge) : "?",
                 number, name, author_chain, atom_name);
        }
    }

    Structure const& structure_;
    Topology const& topology_;
    ChainNames chains_;
    std::string text_;
};

}  // namespace

std::string to_mmcif(Structure const& structure) { return MmcifWriter(structure).write(); }

}  // namespace trotter::app
