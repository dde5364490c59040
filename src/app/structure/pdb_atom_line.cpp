// SPDX-License-Identifier: MIT
#include "pdb_atom_line.hpp"

#include <charconv>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "structure_builder.hpp"

namespace trotter::app {
namespace {

/// An integer with an optional sign and nothing else but blanks around it.
std::optional<int> parse_whole(std::string_view text, int base) {
    text = stripped(text);
    if (text.starts_with('+')) text.remove_prefix(text.size() > 1 && text[1] != '-' ? 1 : 0);
    int value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

/// Decimal, or hexadecimal so that the first number with a letter follows the last one of `digits` decimal digits.
std::optional<int> parse_decimal_or_shifted(std::string_view text, int first_hexadecimal, int first_decimal) {
    if (auto const number = parse_whole(text, 10)) return number;
    if (auto const number = parse_whole(text, 16)) return *number - first_hexadecimal + first_decimal;
    return {};
}

/// `2+`, `+2` or `2`.
std::optional<int> parse_charge(std::string_view text) {
    if (text.ends_with('+') || text.ends_with('-')) {
        char const turned[] = {text.back(), text.size() > 1 ? text.front() : ' ', '\0'};
        return parse_whole(turned, 10);
    }
    return parse_whole(text, 10);
}

}  // namespace

double PdbLine::number_in(std::size_t first, std::size_t last, std::string_view what) const {
    auto const field = columns(first, last);
    if (auto const value = parse_number(field)) return *value;
    fail("\"" + std::string(field) + "\" in columns " + std::to_string(first) + " to " + std::to_string(last)
         + ", expected " + std::string(what));
}

void PdbLine::fail(std::string const& what) const {
    throw InputError(path + ", line " + std::to_string(number) + ": " + what);
}

PdbAtomLine::PdbAtomLine(PdbLine const& line)
    : name(line.columns(13, 16)),
      alternate_location(line.column(17)),
      residue_name(line.columns(18, 20)),
      chain(line.column(22)),
      residue_number(line.columns(23, 26)),
      insertion_code(line.column(27)),
      serial(line.columns(7, 11)),
      occupancy(1) {
    if (!is_printable(line.columns(13, 27)))
        line.fail("unprintable characters in columns 13 to 27, expected names and numbers");
    if (line.column(21) != ' ') {
        if (stripped(residue_name).size() != 3)
            line.fail("the name of the residue in columns 18 to 21 is \"" + std::string(line.columns(18, 21))
                      + "\", expected three characters from column 18 on, and a fourth only behind them");
        residue_name = line.columns(18, 21);
    }
    constexpr double angstrom = 0.1;  // nm
    position = {line.number_in(31, 38, "x [angstrom]") * angstrom, line.number_in(39, 46, "y [angstrom]") * angstrom,
                line.number_in(47, 54, "z [angstrom]") * angstrom};
    if (auto const given = parse_number(line.columns(55, 60))) occupancy = *given;
    element = stripped(line.columns(77, 78));
    formal_charge = parse_charge(line.columns(79, 80));
}

std::optional<int> parse_pdb_serial(std::string_view text) { return parse_decimal_or_shifted(text, 0xA0000, 100000); }

std::optional<int> parse_pdb_residue_number(std::string_view text) {
    return parse_decimal_or_shifted(text, 0xA000, 10000);
}

}  // namespace trotter::app
