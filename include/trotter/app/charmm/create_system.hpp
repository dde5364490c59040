// Systems from files of CHARMM.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/charmm/parameters.hpp>
#include <trotter/app/charmm/psf.hpp>
#include <trotter/app/system_options.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// The System of a PSF, as OpenMM 8.6's `CharmmPsfFile.createSystem` makes it: water is rigid and constrained bonds
/// keep their harmonic terms unless asked otherwise. Throws InputError for terms without parameters and for options
/// that do not go together.
StandardSystem create_system(Psf const& psf, CharmmParameters const& parameters, SystemOptions const& options = {});

}  // namespace trotter::app
