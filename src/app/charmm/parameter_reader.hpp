// Reads sections of CHARMM's parameter files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include "../text/text.hpp"
#include "tables.hpp"

namespace trotter::app::charmm {

/// A line without its comment, and its place.
struct NumberedLine {
    std::string_view text;
    int number;
};

/// Takes the types of atoms (MASS) of a topology file into the tables; the rest is not needed for a System.
void read_masses(std::vector<NumberedLine> const& text, std::string_view path, CharmmParameterTables& tables);

/// Takes a parameter file, or such a part of a stream file, into the tables. Later entries replace earlier ones.
class ParameterReader {
public:
    ParameterReader(std::string_view path, CharmmParameterTables& tables) : path_(path), tables_(tables) {}

    void read(std::vector<NumberedLine> const& text);

private:
    enum class Section { none, atoms, bonds, angles, dihedrals, impropers, maps, nonbonded, nbfix };
    using Words = std::vector<std::string>;

    void read_line(std::string const& line);
    bool begin_section(std::string const& line);
    void read_nonbonded_options(Words const& words);
    void read_bond(Words const& words);
    void read_angle(Words const& words);
    void read_dihedral(Words const& words);
    void read_improper(Words const& words);
    void read_map(Words const& words);
    void end_map();
    void read_nonbonded(Words const& words);
    void read_nbfix(Words const& words);
    void assign_wells();
    double real(Words const& words, std::size_t place, std::string_view what) const;
    Location here() const { return {path_, line_}; }

    std::string_view path_;
    CharmmParameterTables& tables_;
    int line_ = 0;
    Section section_ = Section::none;
    bool has_nonbonded_ = false;  // entries, behind the options of the section
    Key map_key_;                 // of the map that is being read
    MapType map_{};
    std::vector<std::pair<std::string, Wells>> wells_;
};

}  // namespace trotter::app::charmm
