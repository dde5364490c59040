// A small language that selects atoms: `protein and not element H`, `water and within 0.5 of resname LIG`.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Values of atoms that a structure does not hold, where they are known.
struct SelectionData {
    std::vector<double> charges;                     ///< [e], one for each atom, or none
    std::vector<double> masses;                      ///< [amu], one for each atom; or none: those of the elements
    std::vector<std::string> types;                  ///< of the force field, one for each atom, or none
    std::map<std::string, std::vector<int>> groups{};  ///< indices of atoms by name, for `@NAME`
};

/// An expression that selects atoms. Its grammar is in docs/how-to/selections.md. A copy shares the parsed expression.
class Selection {
public:
    /// Throws InputError that gives the column and what was expected there, for a text that is no expression or is
    /// nested more than 200 levels deep.
    static Selection parse(std::string const& text);

    /// Indices of the atoms, ascending. Distances [nm] are to the nearest image if the structure has a box. Throws
    /// InputError if the expression needs data that are not there, or a group that is not defined.
    std::vector<int> atoms(Structure const& structure, SelectionData const& data = {}) const;

    std::string const& text() const { return text_; }  ///< as it was parsed
    /// The parsed expression with all its parentheses.
    std::string tree() const;

    struct Node;  ///< of the parsed expression

private:
    Selection(std::string text, std::shared_ptr<Node const> root) : text_(std::move(text)), root_(std::move(root)) {}

    std::string text_;
    std::shared_ptr<Node const> root_;
};

}  // namespace trotter::app
