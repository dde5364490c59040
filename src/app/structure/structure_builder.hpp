// What the readers of PDB and mmCIF files share.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <trotter/app/structure/read_structure.hpp>
#include <trotter/app/structure/residue_names.hpp>
#include <trotter/app/structure/standard_bonds.hpp>
#include <trotter/app/unit_cell.hpp>

#include "../text/text.hpp"

namespace trotter::app {

/// Text of a file with what its reader needs.
struct StructureSource {
    std::string const& path;  ///< for messages
    std::string_view text;
    ReadStructureOptions const& options;
    ResidueNames const& names;
    StandardBonds const& bonds;
};

/// Reads a PDB or mmCIF file, told apart by content.
StructureFile read_structure_text(StructureSource source);

StructureFile read_pdb(StructureSource const& source);
StructureFile read_mmcif(StructureSource const& source);

/// Whether the first word is a data block of the STAR format, which mmCIF is.
bool begins_with_data_block(std::string_view text);
/// Whether a line begins with a record of atoms or of a cell.
bool has_pdb_records(std::string_view text);

/// Whether all are printable ASCII, as names must be.
bool is_printable(std::string_view text);

/// `model 3 of 2` as an InputError.
[[noreturn]] void refuse_model(std::string const& path, int model, std::size_t count);

/// Adds a warning for each bond between residues that is too long for one: there the chain has a gap.
void warn_of_gaps(StructureFile& file);

/// Removes bonds to the next residue of a chain that are too long for one, with a warning for each.
void remove_bonds_over_gaps(StructureFile& file);

}  // namespace trotter::app
