// SPDX-License-Identifier: MIT
#include <array>
#include <map>
#include <unordered_map>

#include <trotter/io/number_text.hpp>

#include "mmcif_atoms.hpp"

namespace trotter::app {
namespace {

/// Rows of a residue with several locations.
class ResidueRows {
public:
    ResidueRows(StarTable const& atoms, AtomColumns const& columns, std::vector<std::size_t> const& rows)
        : atoms_(atoms), columns_(columns), rows_(rows) {}

    void mark(std::vector<bool>& not_taken) const {
        auto const letter = most_occupied_letter();
        if (!letter) return;
        std::unordered_map<std::string_view, std::size_t> taken;  // row by name of the atom
        std::string_view residue_name;
        for (auto const row : rows_)
            if (alternate(row) == *letter) {
                taken.emplace(atoms_.value(row, *columns_.name), row);
                residue_name = atoms_.value(row, *columns_.residue_name);
            }
        for (auto const row : rows_) {
            bool const is_of_other = alternate(row) != "." && atoms_.value(row, *columns_.residue_name) != residue_name;
            if (is_of_other || taken.emplace(atoms_.value(row, *columns_.name), row).first->second != row)
                not_taken[row] = true;
        }
    }

private:
    std::string_view alternate(std::size_t row) const { return atoms_.value(row, columns_.alternate); }

    std::optional<std::string_view> most_occupied_letter() const {
        struct Seen {
            std::string_view letter;
            double occupancy = 0;
            int count = 0;
        };
        std::vector<Seen> seen;  // in the order of the file
        std::unordered_map<std::string_view, std::size_t> index;
        for (auto const row : rows_) {
            if (alternate(row) == ".") continue;
            auto const [found, is_new] = index.emplace(alternate(row), seen.size());
            if (is_new) seen.push_back({alternate(row)});
            seen[found->second].occupancy += parse_number(atoms_.value(row, columns_.occupancy)).value_or(1);
            ++seen[found->second].count;
        }
        std::optional<std::string_view> best;
        double highest = -1;
        for (auto const& letter : seen)
            if (double const mean = letter.occupancy / letter.count; mean > highest) {
                highest = mean;
                best = letter.letter;
            }
        return best;
    }

    StarTable const& atoms_;
    AtomColumns const& columns_;
    std::vector<std::size_t> const& rows_;
};

}  // namespace

std::vector<bool> less_occupied_rows(StarTable const& atoms, AtomColumns const& columns) {
    std::vector<bool> not_taken(atoms.row_count());
    if (!columns.alternate) return not_taken;
    std::map<std::array<std::string_view, 5>, std::vector<std::size_t>> residues;
    for (std::size_t row = 0; row < atoms.row_count(); ++row)
        residues[{atoms.value(row, columns.model), atoms.value(row, *columns.chain),
                  atoms.value(row, columns.other_chain), atoms.value(row, *columns.number),
                  atoms.value(row, columns.insertion_code)}]
            .push_back(row);
    for (auto const& [key, rows] : residues) ResidueRows(atoms, columns, rows).mark(not_taken);
    return not_taken;
}

}  // namespace trotter::app
