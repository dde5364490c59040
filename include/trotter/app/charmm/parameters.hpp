// Parameters of CHARMM: rtf, par, prm and str files.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace trotter::app {

struct CharmmParameterTables;

/// Parameters by the types of atoms.
struct CharmmParameters {
    std::shared_ptr<CharmmParameterTables const> tables;  ///< by types of atoms
};

/// Reads rtf, par, prm and str files, plain or gzip, in this order; later parameters replace earlier ones. Throws
/// InputError with file, line and what was expected.
CharmmParameters read_charmm_parameters(std::vector<std::string> const& paths);

}  // namespace trotter::app
