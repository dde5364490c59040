// Leaves out statements whose results are not used.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::amoeba {

/// The source without definitions and assignments of variables that no later line names. Their names are letters and a
/// number, and each is on a line of its own, as `Statements` writes them.
std::string used_statements(std::string const& source);

}  // namespace trotter::amoeba
