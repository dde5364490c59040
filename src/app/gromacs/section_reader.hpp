// Sections of a top file.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "contents.hpp"

namespace trotter::app::gromacs {

/// Sorts preprocessed lines into the contents of a top file. Throws InputError with file and line.
class SectionReader {
public:
    explicit SectionReader(GromacsTopContents& contents) : contents_(contents) {}

    void read(std::string_view line, Location where);
    /// Sections that were passed over.
    std::set<std::string> const& ignored() const { return ignored_; }

private:
    void read_defaults(Line const& line);
    void read_molecule_type(Line const& line);
    void read_molecules(Line const& line);
    void read_atom_type(Line line);
    void read_dihedral_type(Line line);
    void read_map_type(Line const& line);
    void read_settles(Line const& line);
    bool read_types(Line const& line);
    bool read_term(Line const& line);
    bool read_sites(Line const& line);
    MoleculeType& molecule(Line const& line);

    GromacsTopContents& contents_;
    MoleculeType* molecule_ = nullptr;
    std::string section_;
    std::set<std::string> ignored_;
};

}  // namespace trotter::app::gromacs
