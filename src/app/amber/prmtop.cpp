// Reads prmtop files: sections by their formats, and the topology.
// SPDX-License-Identifier: MIT
#include <trotter/app/amber/prmtop.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <trotter/io/file.hpp>

#include "../system_building/masses.hpp"
#include "../system_building/unit_cell.hpp"
#include "prmtop_values.hpp"

namespace trotter::app {
namespace {

// Columns of a value by a format such as `(20I4)`, `(5E16.8)` or `(8(F9.5))`; 80 for others, whose lines are one value
// each.
std::size_t width_of(std::string_view line, Location where) {
    auto const open = line.find('('), close = line.find(')');
    if (open == line.npos || close == line.npos || close < open)
        refuse(where, "%FORMAT must have its format in parentheses");
    auto format = line.substr(open + 1, close - open - 1);
    auto const is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    auto const is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    auto const count_end = std::find_if_not(format.begin(), format.end(), is_digit);
    auto const letter = count_end != format.end() && *count_end == '(' ? count_end + 1 : count_end;
    auto const letter_end = std::find_if_not(letter, format.end(), is_letter);
    auto const width_end = std::find_if_not(letter_end, format.end(), is_digit);
    if (count_end == format.begin() || letter_end == letter || width_end == letter_end) return 80;
    int width = 0;
    if (!parse(std::string_view{letter_end, width_end}, width) || width < 1 || width > 1000)
        refuse(where, fmt::format("the format {} states no width of 1 to 1000 columns", in_quotes(format)));
    return static_cast<std::size_t>(width);
}

// Reads one line after another into sections.
class SectionReader {
public:
    explicit SectionReader(Prmtop& prmtop) : prmtop_(prmtop) {}

    void read(std::string_view line) {
        ++line_;
        if (line.starts_with("%FLAG")) {
            begin(stripped(line.substr(5)));
        } else if (line.starts_with("%FORMAT")) {
            if (!section_) refuse(here(), "%FORMAT stands before the first %FLAG");
            width_ = width_of(line, here());
        } else if (!line.starts_with('%')) {
            read_values(line);
        }
    }

private:
    Location here() const { return {prmtop_.path, line_}; }

    void begin(std::string_view name) {
        if (name.empty()) refuse(here(), "%FLAG has no name");
        name_ = name;
        section_ = &prmtop_.sections[name_];
        *section_ = {line_, {}};
        width_ = 0;
    }
    void read_values(std::string_view line) {
        auto const text = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        if (text.empty()) return;
        if (!section_)
            refuse(here(),
                   "a prmtop file begins with %VERSION or %FLAG; files of AMBER 6 and before, without flags, are not "
                   "supported");
        if (name_ == "TITLE" && section_->values.empty()) {
            section_->values.emplace_back(text);
            return;
        }
        if (width_ == 0) refuse(here(), fmt::format("%FLAG {} has no %FORMAT before its values", name_));
        for (std::size_t first = 0; first < text.size(); first += width_)
            section_->values.emplace_back(stripped(text.substr(first, width_)));
    }

    Prmtop& prmtop_;
    PrmtopSection* section_ = nullptr;
    std::string name_;
    std::size_t width_ = 0;
    int line_ = 0;
};

// From the beginning of a name, for files without atomic numbers.
std::optional<Element> guessed_element(std::string_view name) {
    auto const upper = upper_case(name);
    for (auto const* symbol : {"CL", "NA", "MG", "ZN"})
        if (upper.starts_with(symbol)) return Element::from_symbol(symbol);
    return Element::from_symbol(std::string_view{upper}.substr(0, 1));
}

// The element of each atom: nothing for extra points, whose number is 0 or -1.
std::vector<std::optional<Element>> elements_of(PrmtopValues const& values, std::vector<std::string> const& names) {
    std::vector<std::optional<Element>> result;
    if (!values.has("ATOMIC_NUMBER")) {
        for (auto const& name : names) result.push_back(guessed_element(name));
        return result;
    }
    for (int const number : values.integers("ATOMIC_NUMBER", names.size()))
        result.push_back(Element::from_atomic_number(number));
    return result;
}

void add_residues(Prmtop& prmtop, PrmtopValues const& values, ResidueNames const& standard) {
    auto const& names = values.texts("ATOM_NAME");
    auto const& labels = values.texts("RESIDUE_LABEL");
    auto const starts = values.integers("RESIDUE_POINTER", labels.size());
    auto const elements = elements_of(values, names);
    auto& topology = prmtop.topology;
    topology.add_chain("1");
    for (std::size_t r = 0; r < labels.size(); ++r) {
        auto const first = static_cast<std::size_t>(starts[r] - 1);
        auto const end = r + 1 < labels.size() ? static_cast<std::size_t>(starts[r + 1] - 1) : names.size();
        if (first != topology.atoms.size() || end <= first || end > names.size())
            refuse(values.where("RESIDUE_POINTER"),
                   fmt::format("residue {} begins with atom {} of {}, but residues must have atoms, in their order",
                               r + 1, starts[r], names.size()));
        auto const name = standard.residue(labels[r]);
        topology.add_residue(name, std::to_string(r + 1));
        topology.residues.back().original_name = labels[r];
        for (std::size_t i = first; i < end; ++i) topology.add_atom(standard.atom(name, names[i]), elements[i]);
    }
}

// The two hydrogens of a water are constrained by a "bond", which is none in the topology.
bool is_bond_inside_water(Topology const& topology, int atom1, int atom2) {
    auto const hydrogen = [&](int atom) { return is_hydrogen(topology.atoms[static_cast<std::size_t>(atom)]); };
    return is_water(topology, atom1) && hydrogen(atom1) && hydrogen(atom2);
}

void add_bonds(Prmtop& prmtop, PrmtopValues const& values) {
    for (std::string_view const name : {"BONDS_INC_HYDROGEN", "BONDS_WITHOUT_HYDROGEN"})
        for (auto const& row : values.rows({name}, 3)) {
            int const atom1 = values.atom(row[0] / 3, name), atom2 = values.atom(row[1] / 3, name);
            if (name == "BONDS_WITHOUT_HYDROGEN" || !is_bond_inside_water(prmtop.topology, atom1, atom2))
                prmtop.topology.add_bond(atom1, atom2);
        }
}

void set_box(Prmtop& prmtop, PrmtopValues const& values) {
    if (values.pointer(PrmtopPointer::ifbox) == 0) return;
    auto const box = values.reals("BOX_DIMENSIONS", 4);
    double const beta = box[0];
    prmtop.box = box_of_cell(box[1] / 10, box[2] / 10, box[3] / 10, beta, beta, beta);
    auto const& made = *prmtop.box;
    if (!(made.a.x > 0 && made.b.y > 0 && made.c.z > 0))
        refuse(values.where("BOX_DIMENSIONS"),
               fmt::format("edges of {}, {}, {} angstrom and angles of {} degrees are no box", box[1], box[2], box[3],
                           beta));
}

}  // namespace

Prmtop read_prmtop(std::string const& path, ResidueNames const& names) {
    Prmtop prmtop;
    prmtop.path = path;
    auto const text = read_file(path);
    SectionReader reader{prmtop};
    for (auto const line : lines(text)) reader.read(line);
    PrmtopValues const values{prmtop};
    auto const count = values.atom_count();
    if (count < 1 || values.texts("ATOM_NAME").size() != static_cast<std::size_t>(count))
        refuse(values.where("ATOM_NAME"),
               fmt::format("%FLAG ATOM_NAME has {} names, but %FLAG POINTERS states {} atoms",
                           values.texts("ATOM_NAME").size(), count));
    add_residues(prmtop, values, names);
    add_bonds(prmtop, values);
    set_box(prmtop, values);
    return prmtop;
}

}  // namespace trotter::app
