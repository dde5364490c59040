// Systems from files of GROMACS.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/gromacs/top.hpp>
#include <trotter/app/system_options.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// The System of a top file, as OpenMM 8.6's `GromacsTopFile.createSystem` makes it: water is rigid unless asked
/// otherwise, and pairs three bonds apart are scaled by the fudge factors whether `[ pairs ]` lists them or not.
/// Throws InputError for terms without parameters and for options that do not go together.
StandardSystem create_system(GromacsTop const& top, SystemOptions const& options = {});

}  // namespace trotter::app
