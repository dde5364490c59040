// Systems from files of AMBER.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/amber/prmtop.hpp>
#include <trotter/app/system_options.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// The System of a prmtop file, as OpenMM 8.6's `AmberPrmtopFile.createSystem` makes it: water is rigid unless asked
/// otherwise. Throws InputError for options that do not go together and for what is not supported: caps,
/// perturbations, 10-12 terms, extra points outside of water.
StandardSystem create_system(Prmtop const& prmtop, SystemOptions const& options = {});

}  // namespace trotter::app
