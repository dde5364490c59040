// Structures in the JSON that `trotter prepare` writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/app/structure.hpp>

namespace trotter::program {

/// Reads the text of app::to_json(). `path` is its name in messages. Throws InputError with the place in the file, the
/// value and what was expected.
app::Structure parse_structure_json(std::string const& text, std::string const& path);

}  // namespace trotter::program
