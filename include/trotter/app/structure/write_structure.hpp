// Structures as PDB, mmCIF and JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Text of a PDB file with one model. Chains of one letter and numbers of residues keep them; numbers beyond the width
/// of their columns are hexadecimal, from A000 and A0000 on. CONECT records tell the bonds that do not follow from the
/// names of residues. Throws InputError for coordinates that do not fit into their columns or are not finite.
std::string to_pdb(Structure const& structure);

/// Text of an mmCIF file with one model, coordinates to 1e-7 nm. Chains keep their names where there is one that is
/// not blank. Records of struct_conn tell the bonds that do not follow from the names of residues. Throws InputError
/// for coordinates that are not finite and for names that the format cannot hold.
std::string to_mmcif(Structure const& structure);

/// Text of a JSON object `{"chains": [{"id", "residues": [{"name", "id", "icode", "atoms": [{"name", "element",
/// "formal_charge"}]}]}], "bonds": [[i, j, order]], "box": [a, b, c], "positions": [[x, y, z]]}`; lengths in nm, null
/// where there is nothing.
std::string to_json(Structure const& structure);

/// Writes the format that the end of the name tells: `.pdb`, `.cif`, `.gro` or `.json`, compressed if `.gz` follows. Throws
/// InputError for another name, OutputError if the file cannot be written.
void write_structure(std::string const& path, Structure const& structure);

/// The text that write_structure writes into a file of this name.
std::string structure_text(std::string const& path, Structure const& structure);

}  // namespace trotter::app
