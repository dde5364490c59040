// Writes PDB files of version 3.3.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <iterator>
#include <map>

#include <trotter/app/structure/write_structure.hpp>
#include <trotter/app/unit_cell.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "standard_residues.hpp"

namespace trotter::app {
namespace {

/// A number in so many columns: decimal, or from 10^width on hexadecimal, beginning with a letter.
std::string in_columns(long long number, int width) {
    long long first = 1, first_hexadecimal = 10, range = 16;
    for (int i = 0; i < width; ++i) first *= 10;
    for (int i = 1; i < width; ++i) first_hexadecimal *= 16, range *= 16;
    if (number < first) return fmt::format("{:>{}}", number, width);
    return fmt::format("{:>{}X}", (number - first + first_hexadecimal) % range, width);
}

class PdbWriter {
public:
    explicit PdbWriter(Structure const& structure) : structure_(structure), topology_(structure.topology) {}

    std::string write() {
        write_cell();
        for (int chain = 0; chain < static_cast<int>(topology_.chains.size()); ++chain) write_chain(chain);
        write_connections();
        text_ += "END\n";
        return std::move(text_);
    }

private:
    template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }

    void write_cell() {
        if (!structure_.box) return;
        auto const cell = cell_of(*structure_.box);
        line("CRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} P 1           1 ", cell.lengths[0] * 10,
             cell.lengths[1] * 10, cell.lengths[2] * 10, cell.angles[0], cell.angles[1], cell.angles[2]);
    }

    void write_chain(int index) {
        auto const& chain = topology_.chains[static_cast<std::size_t>(index)];
        char const letter = chain.id.size() == 1 ? chain.id[0] : static_cast<char>('A' + index % 26);
        std::string end;
        for (int i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
            auto const& residue = topology_.residues[static_cast<std::size_t>(i)];
            auto const name = fmt::format("{:>3}", residue.name.substr(0, 4));
            auto const place = letter + number_of(residue, i - chain.first_residue + 1)
                               + (residue.insertion_code.size() == 1 ? residue.insertion_code : " ");
            auto const record = is_standard_residue(residue.name) && residue.name != "HOH" ? "ATOM  " : "HETATM";
            for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
                write_atom(record, atom, name, place);
            end = fmt::format("{:<4}{}", name, place);
        }
        if (chain.residue_count > 0) line("TER   {}      {}", in_columns(next_serial_++, 5), end);
    }

    /// The number as it is if it fits or can be written in hexadecimal digits, else that in the chain.
    static std::string number_of(Residue const& residue, int number_in_chain) {
        if (residue.id.size() <= 4 && !residue.id.empty()) return fmt::format("{:>4}", residue.id);
        auto const number = parse_integer(residue.id);
        return in_columns(number && *number > 0 ? *number : number_in_chain, 4);
    }

    void write_atom(char const* record, int index, std::string const& residue, std::string const& place) {
        auto const& atom = topology_.atoms[static_cast<std::size_t>(index)];
        std::string symbol(atom.element ? atom.element->symbol() : "EP");
        for (auto& c : symbol) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        bool const is_indented = atom.name.size() < 4 && !atom.name.empty()
                                 && std::isalpha(static_cast<unsigned char>(atom.name[0])) && symbol.size() < 2;
        auto const name = (is_indented ? " " : "") + atom.name.substr(0, 4);
        std::string charge = "  ";
        if (atom.formal_charge && std::abs(*atom.formal_charge) <= 9)
            charge = fmt::format("{}{}", std::abs(*atom.formal_charge), *atom.formal_charge < 0 ? '-' : '+');
        serials_.push_back(next_serial_);
        line("{}{} {:<4} {:<4}{}   {}  1.00  0.00          {:>2}{}", record, in_columns(next_serial_++, 5), name,
             residue, place, coordinates(index), symbol, charge);
    }

    std::string coordinates(int index) const {
        auto const position = structure_.positions[static_cast<std::size_t>(index)] * 10.0;  // angstrom
        std::string text;
        for (double const x : {position.x, position.y, position.z}) {
            if (!(x > -9999999 && x < 99999999))
                throw InputError(
                    fmt::format("atom {} ({} of {}) has the coordinate {} angstrom, expected one that fits into the "
                                "eight columns of a PDB file",
                                index, topology_.atoms[static_cast<std::size_t>(index)].name,
                                topology_.residue_name(topology_.atoms[static_cast<std::size_t>(index)].residue), x));
            text += fmt::format("{:8.3f}", x).substr(0, 8);
        }
        return text;
    }

    void write_connections() {
        std::map<int, std::vector<int>> partners;
        for (auto const& bond : unimplied_bonds(topology_)) {
            partners[bond.atom1].push_back(bond.atom2);
            partners[bond.atom2].push_back(bond.atom1);
        }
        auto const serial = [&](int atom) { return in_columns(serials_[static_cast<std::size_t>(atom)], 5); };
        for (auto const& [atom, bonded] : partners)
            for (std::size_t i = 0; i < bonded.size(); i += 4) {
                std::string record = "CONECT" + serial(atom);
                for (std::size_t j = i; j < std::min(bonded.size(), i + 4); ++j) record += serial(bonded[j]);
                line("{}", record);
            }
    }

    Structure const& structure_;
    Topology const& topology_;
    std::string text_;
    long long next_serial_ = 1;
    std::vector<long long> serials_;  // of the atoms
};

}  // namespace

std::string to_pdb(Structure const& structure) { return PdbWriter(structure).write(); }

}  // namespace trotter::app
