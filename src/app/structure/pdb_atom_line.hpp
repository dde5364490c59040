// Lines of atoms in PDB files.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include <trotter/app/element.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// A line of a file, for messages.
struct PdbLine {
    std::string const& path;
    std::size_t number;  ///< from 1
    std::string_view text;

    /// Columns, counted from 1 as the format does; fewer where the line is shorter.
    std::string_view columns(std::size_t first, std::size_t last) const {
        return first > text.size() ? std::string_view{} : text.substr(first - 1, last - first + 1);
    }
    char column(std::size_t at) const { return at > text.size() ? ' ' : text[at - 1]; }

    /// A finite number. Throws InputError that names the columns and `what` they mean.
    double number_in(std::size_t first, std::size_t last, std::string_view what) const;
    /// Throws the InputError `FILE, line N: WHAT`.
    [[noreturn]] void fail(std::string const& what) const;
};

/// What a line of the record ATOM or HETATM says. Names keep their blanks, by which some atoms differ (CA, calcium).
struct PdbAtomLine {
    explicit PdbAtomLine(PdbLine const& line);

    std::string_view name;  // 4 characters
    char alternate_location;
    std::string_view residue_name;  // 3 or 4 characters
    char chain;
    std::string_view residue_number;
    char insertion_code;
    std::string_view serial;
    Vec3<> position;  // [nm]
    double occupancy;
    std::string_view element;  // without blanks; may be empty
    std::optional<int> formal_charge;
};

/// A number of an atom: decimal, or hexadecimal from A0000 = 100000 on. Nothing for other texts.
std::optional<int> parse_pdb_serial(std::string_view text);

/// A number of a residue: decimal, or hexadecimal from A000 = 10000 on. Nothing for other texts.
std::optional<int> parse_pdb_residue_number(std::string_view text);

}  // namespace trotter::app
