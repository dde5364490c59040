// The table of atoms of an mmCIF file.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "star_file.hpp"

namespace trotter::app {

/// Empty for the signs of a value that is unknown or does not apply.
inline std::string_view or_empty(std::string_view value) {
    return value == "." || value == "?" ? std::string_view{} : value;
}

/// Columns of the table of atoms, of which there are two of many: by the author and by the deposition's labels.
struct AtomColumns {
    using Column = std::optional<std::size_t>;
    explicit AtomColumns(StarTable const& atoms)
        : name(first_of(atoms, "auth_atom_id", "label_atom_id")),
          residue_name(first_of(atoms, "auth_comp_id", "label_comp_id")),
          number(first_of(atoms, "auth_seq_id", "label_seq_id")),
          label_number(first_of(atoms, "label_seq_id", "auth_seq_id")),
          insertion_code(atoms.column("pdbx_pdb_ins_code")),
          chain(first_of(atoms, "auth_asym_id", "label_asym_id")),
          element(atoms.column("type_symbol")),
          alternate(atoms.column("label_alt_id")),
          model(atoms.column("pdbx_pdb_model_num")),
          occupancy(atoms.column("occupancy")),
          charge(atoms.column("pdbx_formal_charge")),
          label_chain(first_of(atoms, "label_asym_id", "auth_asym_id")),
          label_name(first_of(atoms, "label_atom_id", "auth_atom_id")),
          x(atoms.column("cartn_x")),
          y(atoms.column("cartn_y")),
          z(atoms.column("cartn_z")) {
        if (!atoms.column("auth_asym_id")) return;
        other_chain = atoms.column("label_asym_id");
        if (other_chain && distinct(atoms, *other_chain) > distinct(atoms, *chain)) std::swap(chain, other_chain);
    }

    static Column first_of(StarTable const& atoms, char const* preferred, char const* other) {
        auto const found = atoms.column(preferred);
        return found ? found : atoms.column(other);
    }
    static std::size_t distinct(StarTable const& atoms, std::size_t column) {
        std::unordered_set<std::string_view> values;
        for (std::size_t row = 0; row < atoms.row_count(); ++row) values.insert(atoms.value(row, column));
        return values.size();
    }

    Column name, residue_name, number, label_number, insertion_code, chain, other_chain, element, alternate, model,
        occupancy, charge, label_chain, label_name, x, y, z;
};

/// For each row whether it is a location of an atom that is not taken when the locations with the highest mean
/// occupancy of each residue are, the first of equal ones.
std::vector<bool> less_occupied_rows(StarTable const& atoms, AtomColumns const& columns);

}  // namespace trotter::app
