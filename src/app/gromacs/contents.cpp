// SPDX-License-Identifier: MIT
#include "contents.hpp"

#include <fmt/format.h>

namespace trotter::app {
namespace gromacs {

double Line::real(std::size_t place, std::string_view what) const {
    if (place >= words.size()) refuse(where, fmt::format("{} is missing: the line has {} values", what, words.size()));
    return to_real(words[place], where, what);
}
int Line::integer(std::size_t place, std::string_view what) const {
    if (place >= words.size()) refuse(where, fmt::format("{} is missing: the line has {} values", what, words.size()));
    return to_integer(words[place], where, what);
}

void Line::need(std::size_t count, std::string_view section) const {
    if (words.size() < count)
        refuse(where,
               fmt::format("a line of [ {} ] must have {} values or more, but has {}", section, count, words.size()));
}

int MoleculeType::atom(Line const& line, std::size_t place) const {
    int const number = line.integer(place, "the number of an atom");
    if (number < 1 || static_cast<std::size_t>(number) > atoms.size())
        refuse(line.where, fmt::format("atom {} does not exist: the molecule {} has {} atoms", number, in_quotes(name),
                                       atoms.size()));
    return number - 1;
}

}  // namespace gromacs

gromacs::AtomType const& GromacsTopContents::type_of(gromacs::Line const& atom) const {
    auto const found = atom_types.find(atom.words[1]);
    if (found == atom_types.end())
        refuse(atom.where, fmt::format("the atom type {} is not defined in [ atomtypes ]", in_quotes(atom.words[1])));
    return found->second;
}

}  // namespace trotter::app
