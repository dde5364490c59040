// Coordinates by the format of their file.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/app/coordinates.hpp>

namespace trotter::app {

///@{
/// Reads the text of a file; `path` is its name in messages. Throws InputError.
Coordinates read_inpcrd(std::string_view text, std::string_view path);
Coordinates read_netcdf_restart(std::string_view bytes, std::string_view path);
Coordinates read_gro(std::string_view text, std::string_view path);
Coordinates read_charmm_crd(std::string_view text, std::string_view path);
///@}

/// Whether a line of a gro file has an atom: its number and three coordinates in their columns.
bool is_gro_atom(std::string_view line);

/// A box of a file: nothing if it is one of zeros. Throws InputError if it is not positive.
std::optional<Box> checked_box(Box const& box, bool is_zero, std::string_view path, int line);

}  // namespace trotter::app
