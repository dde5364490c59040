// SPDX-License-Identifier: MIT
#include "section_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace trotter::app::gromacs {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// A section of terms of a molecule: the place of the function's kind, and the kinds that are supported.
struct TermSection {
    std::string_view name;
    std::vector<Line> MoleculeType::*list;
    std::size_t needed, function_place;  // 0: none
    std::string_view functions;
};
constexpr std::array term_sections{
    TermSection{"atoms", &MoleculeType::atoms, 5, 0, ""},
    TermSection{"bonds", &MoleculeType::bonds, 3, 2, "12"},
    TermSection{"angles", &MoleculeType::angles, 4, 3, "125"},
    TermSection{"dihedrals", &MoleculeType::dihedrals, 5, 4, "123459"},
    TermSection{"exclusions", &MoleculeType::exclusions, 2, 0, ""},
    TermSection{"pairs", &MoleculeType::pairs, 3, 2, "1"},
    TermSection{"constraints", &MoleculeType::constraints, 4, 2, "12"},
    TermSection{"cmap", &MoleculeType::maps, 6, 5, "1"},
    TermSection{"virtual_sites2", &MoleculeType::sites2, 5, 3, "1"},
    TermSection{"dummies2", &MoleculeType::sites2, 5, 3, "1"},
    TermSection{"virtual_sites3", &MoleculeType::sites3, 7, 4, "134"},
    TermSection{"dummies3", &MoleculeType::sites3, 7, 4, "134"},
};

void check_function(Line const& line, std::size_t place, std::string_view supported, std::string_view section) {
    auto const& function = line.words[place];
    if (function.size() != 1 || supported.find(function[0]) == supported.npos)
        refuse(line.where, fmt::format("function {} of [ {} ] is not supported: {} is", in_quotes(function), section,
                                       fmt::join(supported, ", ")));
}

}  // namespace

void SectionReader::read(std::string_view line, Location where) {
    if (line.starts_with('[')) {
        if (!line.ends_with(']')) refuse(where, "the title of a section must end with ]");
        section_ = stripped(line.substr(1, line.size() - 2));
        return;
    }
    Line data{{}, where};
    for (auto const word : words(line)) data.words.emplace_back(word);
    if (data.words.empty()) return;
    if (section_.empty()) refuse(where, "data stand before the first [ section ]");
    if (section_ == "defaults") return read_defaults(data);
    if (section_ == "moleculetype") return read_molecule_type(data);
    if (section_ == "molecules") return read_molecules(data);
    if (!read_types(data) && !read_term(data) && !read_sites(data) && section_ != "system") ignored_.insert(section_);
}

void SectionReader::read_defaults(Line const& line) {
    if (line.words.size() != 3) line.need(5, section_);
    if (line.words[0] != "1")
        refuse(line.where, fmt::format("the kind of nonbonded function is {}, but 1 (Lennard-Jones) alone is supported",
                                       in_quotes(line.words[0])));
    int const rule = line.integer(1, "the combination rule");
    if (rule < 1 || rule > 3)
        refuse(line.where, fmt::format("the combination rule is {}, but must be 1, 2 or 3", rule));
    contents_.rule = static_cast<CombinationRule>(rule);
    if (upper_case(line.words[2]) == "NO") contents_.generates_pairs = false;
    if (line.words.size() == 3) return;
    contents_.fudge_lj = line.real(3, "fudgeLJ");
    contents_.fudge_qq = line.real(4, "fudgeQQ");
}

void SectionReader::read_molecule_type(Line const& line) {
    line.need(2, section_);
    auto& made = contents_.molecule_types[line.words[0]];
    made = {};
    made.name = line.words[0];
    made.exclusion_distance = line.integer(1, "nrexcl");
    molecule_ = &made;
}

void SectionReader::read_molecules(Line const& line) {
    line.need(2, section_);
    auto const found = contents_.molecule_types.find(line.words[0]);
    if (found == contents_.molecule_types.end())
        refuse(line.where,
               fmt::format("the molecule {} is not defined by a [ moleculetype ]", in_quotes(line.words[0])));
    int const count = line.integer(1, "the number of molecules");
    if (count < 0) refuse(line.where, fmt::format("the number of molecules is {}, but must be 0 or more", count));
    contents_.molecules.emplace_back(&found->second, count);
}

// The bonded type and the atomic number may be left out; the letter of the particle's kind tells.
void SectionReader::read_atom_type(Line line) {
    line.need(6, section_);
    AtomType type;
    type.name = line.words[0];
    auto const& w = line.words;
    std::size_t mass = 3;
    if (w[3].size() == 1) {
        mass = 1;
    } else if (w[4].size() == 1 && is_letter(w[4][0])) {
        mass = 2;
        (is_letter(w[1][0]) ? type.bonded : type.atomic_number) = w[1];
    } else {
        type.bonded = w[1], type.atomic_number = w[2];
    }
    line.words.erase(line.words.begin(), line.words.begin() + static_cast<std::ptrdiff_t>(mass));
    type.rest = std::move(line);
    contents_.atom_types[type.name] = std::move(type);
}

// Lines of one key add up for function 9, and replace each other for the others.
void SectionReader::read_dihedral_type(Line line) {
    line.need(3, section_);
    if (line.words[2].size() == 1 && std::isdigit(static_cast<unsigned char>(line.words[2][0])) != 0) {
        line.words.insert(line.words.begin(), "X");
        line.words.insert(line.words.begin() + 3, "X");
    }
    line.need(7, section_);
    check_function(line, 4, "123459", section_);
    Key key(line.words.begin(), line.words.begin() + 5);
    auto& types = contents_.dihedral_types;
    auto const [place, is_new] = types.places.try_emplace(key, types.all.size());
    if (is_new) types.all.push_back({key, {}});
    auto& list = types.all[place->second].second;
    if (key[4] != "9") list.clear();
    list.push_back(std::move(line));
}

void SectionReader::read_map_type(Line const& line) {
    line.need(8, section_);
    check_function(line, 5, "1", section_);
    auto const rows = line.integer(6, "the size of a map"), columns = line.integer(7, "the size of a map");
    if (rows < 1 || columns < 1 || rows > 1000 || columns > 1000)
        refuse(line.where, fmt::format("a map of {} × {} points is not supported", rows, columns));
    line.need(8 + static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), section_);
    contents_.map_types[Key(line.words.begin(), line.words.begin() + 5)] = line;
}

bool SectionReader::read_types(Line const& line) {
    auto const read = [&](std::map<Key, Line>& types, std::size_t needed, std::size_t place, std::string_view functions,
                          std::size_t key_size) {
        line.need(needed, section_);
        check_function(line, place, functions, section_);
        types[Key(line.words.begin(), line.words.begin() + static_cast<std::ptrdiff_t>(key_size))] = line;
    };
    if (section_ == "atomtypes")
        read_atom_type(line);
    else if (section_ == "bondtypes")
        read(contents_.bond_types, 5, 2, "12", 3);
    else if (section_ == "angletypes")
        read(contents_.angle_types, 6, 3, "125", 3);
    else if (section_ == "pairtypes")
        read(contents_.pair_types, 5, 2, "1", 2);
    else if (section_ == "dihedraltypes")
        read_dihedral_type(line);
    else if (section_ == "cmaptypes")
        read_map_type(line);
    else if (section_ == "nonbond_params") {
        auto sorted = line;
        if (sorted.words.size() > 1 && sorted.words[1] < sorted.words[0]) std::swap(sorted.words[0], sorted.words[1]);
        sorted.need(5, section_);
        check_function(sorted, 2, "1", section_);
        contents_.nonbonded_types[Key(sorted.words.begin(), sorted.words.begin() + 2)] = sorted;
    } else
        return false;
    return true;
}

MoleculeType& SectionReader::molecule(Line const& line) {
    if (!molecule_) refuse(line.where, fmt::format("[ {} ] stands before the first [ moleculetype ]", section_));
    return *molecule_;
}

// Three distances of a water: its oxygen is named, the hydrogens follow.
void SectionReader::read_settles(Line const& line) {
    line.need(4, section_);
    int const oxygen = line.integer(0, "the number of an atom");
    if (oxygen > 1000000000) refuse(line.where, fmt::format("atom {} does not exist", oxygen));
    auto const add = [&](int first, int second, std::string const& length) {
        molecule(line).constraints.push_back(
            {{std::to_string(first), std::to_string(second), line.words[1], length}, line.where});
    };
    add(oxygen, oxygen + 1, line.words[2]);
    add(oxygen, oxygen + 2, line.words[2]);
    add(oxygen + 1, oxygen + 2, line.words[3]);
}

bool SectionReader::read_term(Line const& line) {
    if (section_ == "settles") return read_settles(line), true;
    auto const found = std::find_if(term_sections.begin(), term_sections.end(),
                                    [&](TermSection const& section) { return section.name == section_; });
    if (found == term_sections.end()) return false;
    line.need(found->needed, section_);
    if (found->function_place > 0) check_function(line, found->function_place, found->functions, section_);
    (molecule(line).*found->list).push_back(line);
    return true;
}

// Kinds of virtual site that are refused once a molecule with them is used.
bool SectionReader::read_sites(Line const& line) {
    if (!section_.starts_with("virtual_sites") && !section_.starts_with("dummies")) return false;
    molecule(line).unsupported_sites = line;
    return true;
}

}  // namespace trotter::app::gromacs
