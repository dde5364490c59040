// SPDX-License-Identifier: MIT
#include "mmcif_sequences.hpp"

#include <map>
#include <memory>

namespace trotter::app {

std::vector<PolymerSequence> polymer_sequences(StarFile const& star) {
    std::vector<PolymerSequence> found_sequences;
    auto const *sequences = star.find("entity_poly_seq"), *chains = star.find("struct_asym");
    if (sequences == nullptr || chains == nullptr) return {};
    std::map<std::string_view, std::shared_ptr<std::vector<std::string>>> residues_of;
    auto const list_of = [&](std::string_view entity) -> std::vector<std::string>& {
        auto& list = residues_of[entity];
        if (!list) list = std::make_shared<std::vector<std::string>>();
        return *list;
    };
    auto const entity = sequences->column("entity_id"), residue = sequences->column("mon_id");
    for (std::size_t row = 0; row < sequences->row_count(); ++row)
        list_of(sequences->value(row, entity)).emplace_back(sequences->value(row, residue));
    for (std::size_t row = 0; row < chains->row_count(); ++row)
        if (auto const found = residues_of.find(chains->value(row, chains->column("entity_id")));
            found != residues_of.end())
            found_sequences.push_back({std::string(chains->value(row, chains->column("id"))), found->second});
    return found_sequences;
}

std::vector<ModifiedResidue> modified_residues(StarFile const& star) {
    std::vector<ModifiedResidue> residues;
    auto const* table = star.find("pdbx_struct_mod_residue");
    if (table == nullptr) return {};
    auto const text = [&](std::size_t row, char const* column) {
        return std::string(table->value(row, table->column(column)));
    };
    for (std::size_t row = 0; row < table->row_count(); ++row)
        residues.push_back({text(row, "label_asym_id"), text(row, "auth_seq_id"), text(row, "label_comp_id"),
                            text(row, "parent_comp_id")});
    return residues;
}

}  // namespace trotter::app
