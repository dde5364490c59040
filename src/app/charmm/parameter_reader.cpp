// SPDX-License-Identifier: MIT
#include "parameter_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <trotter/app/element.hpp>

namespace trotter::app::charmm {
namespace {

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> result;
    for (auto const word : words(line)) result.emplace_back(word);
    return result;
}

// `MASS number name mass [element]`, in upper case.
void read_mass(std::vector<std::string> const& words, Location where, CharmmParameterTables& tables) {
    if (words.size() < 4) refuse(where, "MASS must be followed by a number, a name and a mass");
    int const number = to_integer(words[1], where, "the number of an atom type");
    double const mass = to_real(words[3], where, "the mass of an atom type");
    auto element = words.size() > 4 ? Element::from_symbol(words[4]) : std::nullopt;
    if (!element) element = Element::from_mass(mass);
    // A type that is stated again begins anew, without Lennard-Jones parameters.
    tables.atom_types[words[2]] = {words[2], element ? element->atomic_number() : 0, {}, {}};
    tables.type_names[number] = words[2];
}

}  // namespace

Key key_of(Key names) {
    Key backward(names.rbegin(), names.rend());
    return std::min(std::move(names), std::move(backward));
}

Key map_key_of(Key const& names) {
    auto key = key_of({names.begin(), names.begin() + 4});
    auto const second = key_of({names.begin() + 4, names.end()});
    key.insert(key.end(), second.begin(), second.end());
    return key;
}

void read_masses(std::vector<NumberedLine> const& text, std::string_view path, CharmmParameterTables& tables) {
    for (auto const& [line, number] : text)
        if (auto const upper = upper_case(stripped(line)); upper.starts_with("MASS"))
            read_mass(words_of(upper), {path, number}, tables);
}

void ParameterReader::read(std::vector<NumberedLine> const& text) {
    section_ = Section::none;
    std::string joined;
    for (auto const& [line, number] : text) {
        line_ = number;
        if (joined.size() + line.size() > 100000)
            refuse(here(), "the line and those that it continues are longer than 100000 bytes");
        joined += upper_case(stripped(line));
        if (joined.ends_with('-')) {
            joined.pop_back();
            continue;
        }
        if (!joined.empty()) read_line(joined);
        joined.clear();
    }
    end_map();
    assign_wells();
}

void ParameterReader::read_line(std::string const& line) {
    if (begin_section(line)) return;
    auto const words = words_of(line);
    switch (section_) {
        case Section::none:
            return;
        case Section::atoms:
            if (line.starts_with("MASS")) read_mass(words, here(), tables_);
            return;
        case Section::bonds:
            return read_bond(words);
        case Section::angles:
            return read_angle(words);
        case Section::dihedrals:
            return read_dihedral(words);
        case Section::impropers:
            return read_improper(words);
        case Section::maps:
            return read_map(words);
        case Section::nonbonded:
            return read_nonbonded(words);
        case Section::nbfix:
            return read_nbfix(words);
    }
}

bool ParameterReader::begin_section(std::string const& line) {
    struct Title {
        std::string_view beginning;
        Section section;
    };
    // Sections of hydrogen bonds and of polarizable models have nothing that a System here needs.
    constexpr std::array titles{
        Title{"ATOM", Section::atoms},     Title{"BOND", Section::bonds},     Title{"ANGL", Section::angles},
        Title{"THET", Section::angles},    Title{"DIHE", Section::dihedrals}, Title{"PHI", Section::dihedrals},
        Title{"IMPR", Section::impropers}, Title{"IMPH", Section::impropers}, Title{"CMAP", Section::maps},
        Title{"NONB", Section::nonbonded}, Title{"NBON", Section::nonbonded}, Title{"NBFIX", Section::nbfix},
        Title{"THOLE", Section::none},     Title{"HBOND", Section::none},     Title{"END", Section::none}};
    auto const found = std::find_if(titles.begin(), titles.end(),
                                    [&](Title const& title) { return line.starts_with(title.beginning); });
    if (found == titles.end()) return false;
    section_ = found->section;
    if (section_ == Section::nonbonded) {
        has_nonbonded_ = false;
        read_nonbonded_options(words_of(line));
    }
    return true;
}

double ParameterReader::real(Words const& words, std::size_t place, std::string_view what) const {
    if (place >= words.size()) refuse(here(), fmt::format("{} is missing: the line has {} values", what, words.size()));
    return to_real(words[place], here(), what);
}

void ParameterReader::read_nonbonded_options(Words const& words) {
    auto const value = [&](std::string_view name) {
        auto const found = std::find(words.begin(), words.end(), name);
        return found == words.end() ? words.size() : static_cast<std::size_t>(found - words.begin()) + 1;
    };
    if (auto const place = value("NBXMOD"); place < words.size()) {
        int const mode = to_integer(words[place], here(), "NBXMOD");
        if (mode < -5 || mode > 5) refuse(here(), fmt::format("NBXMOD is {}, but must be -5 to 5", mode));
        tables_.exclusions = mode;
    }
    if (auto const place = value("E14FAC"); place < words.size())
        tables_.one_four_scale = to_real(words[place], here(), "E14FAC");
}

void ParameterReader::read_bond(Words const& words) {
    BondType const type{real(words, 2, "the force constant of a bond"), real(words, 3, "the length of a bond")};
    tables_.bonds[key_of({words[0], words[1]})] = type;
}

void ParameterReader::read_angle(Words const& words) {
    AngleType type{real(words, 3, "the force constant of an angle"), real(words, 4, "an angle"), {}};
    if (words.size() > 6)
        type.urey_bradley = {real(words, 5, "the force constant of a Urey-Bradley term"), real(words, 6, "its length")};
    tables_.angles[key_of({words[0], words[1], words[2]})] = type;
}

// Lines of one key add up, but one of the same periodicity replaces.
void ParameterReader::read_dihedral(Words const& words) {
    double const k = real(words, 4, "the force constant of a dihedral"),
                 repeats = real(words, 5, "the periodicity of a dihedral");
    if (!(std::abs(repeats) < 1000)) refuse(here(), fmt::format("{} is no periodicity of a dihedral", repeats));
    DihedralType const type{k, static_cast<int>(repeats), real(words, 6, "the phase of a dihedral")};
    auto& list = tables_.dihedrals[key_of({words[0], words[1], words[2], words[3]})];
    auto const same = std::find_if(list.begin(), list.end(),
                                   [&](DihedralType const& other) { return other.periodicity == type.periodicity; });
    if (same == list.end())
        list.push_back(type);
    else
        *same = type;
}

void ParameterReader::read_improper(Words const& words) {
    double const k = real(words, 4, "the force constant of an improper dihedral");
    // With seven values the sixth is a dummy.
    double const angle = real(words, words.size() > 6 ? 6 : 5, "the angle of an improper dihedral");
    tables_.impropers[key_of({words[0], words[1], words[2], words[3]})] = {k, angle};
}

void ParameterReader::read_map(Words const& words) {
    std::vector<double> energies;
    for (auto const& word : words) {
        double energy = 0;
        if (!parse(word, energy)) break;
        energies.push_back(energy);
    }
    if (energies.size() == words.size()) {
        if (map_key_.empty()) refuse(here(), "energies of a map stand before its types");
        map_.energies.insert(map_.energies.end(), energies.begin(), energies.end());
        return;
    }
    end_map();
    if (words.size() < 9)
        refuse(here(), fmt::format("a map begins with 8 types and its size, but the line has {} values", words.size()));
    map_key_ = map_key_of(Key(words.begin(), words.begin() + 8));
    map_ = {to_integer(words[8], here(), "the size of a map"), {}};
    if (map_.size < 2 || map_.size > 1000)
        refuse(here(), fmt::format("a map of {} points along each angle is not supported", map_.size));
}

void ParameterReader::end_map() {
    if (map_key_.empty()) return;
    auto const needed = static_cast<std::size_t>(map_.size) * static_cast<std::size_t>(map_.size);
    if (map_.energies.size() != needed)
        refuse(here(), fmt::format("the map of {} that ends before this line has {} energies, but must have {}",
                                   fmt::join(map_key_, " "), map_.energies.size(), needed));
    tables_.maps[map_key_] = std::move(map_);
    map_key_.clear();
}

void ParameterReader::read_nonbonded(Words const& words) {
    double unused = 0;
    bool const is_entry = words.size() > 3 && parse(words[2], unused) && parse(words[3], unused);
    // Options of the section may go on in lines of their own.
    if (!is_entry && !has_nonbonded_) return;
    Wells wells;
    wells.usual = {real(words, 3, "Rmin/2"), real(words, 2, "epsilon")};
    wells.one_four = words.size() > 6
                         ? Well{real(words, 6, "Rmin/2 of 1-4 pairs"), real(words, 5, "epsilon of 1-4 pairs")}
                         : wells.usual;
    wells_.emplace_back(words[0], wells);
    has_nonbonded_ = true;
}

// Entries of types that were not stated are for other files.
void ParameterReader::read_nbfix(Words const& words) {
    Wells wells;
    wells.usual = {real(words, 3, "Rmin of a pair"), std::abs(real(words, 2, "epsilon of a pair"))};
    wells.one_four = words.size() > 5
                         ? Well{real(words, 5, "Rmin of a 1-4 pair"), std::abs(real(words, 4, "epsilon of a 1-4 pair"))}
                         : wells.usual;
    auto const first = tables_.atom_types.find(words[0]), second = tables_.atom_types.find(words[1]);
    if (first == tables_.atom_types.end()) return;
    first->second.nbfix[words[1]] = wells;
    if (second != tables_.atom_types.end()) second->second.nbfix[words[0]] = wells;
}

void ParameterReader::assign_wells() {
    for (auto const& [name, wells] : wells_) {
        auto const found = tables_.atom_types.find(name);
        if (found == tables_.atom_types.end())
            refuse(
                {path_},
                fmt::format("the type {} of NONBONDED is not defined by MASS, here or in a file that was read before",
                            in_quotes(name)));
        found->second.wells = wells;
    }
    wells_.clear();
}

}  // namespace trotter::app::charmm
