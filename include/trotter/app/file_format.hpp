// Formats of files, told by their content.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace trotter::app {

/// What a file is.
enum class FileFormat {
    unknown,
    pdb,
    mmcif,
    gro,      ///< of GROMACS
    json,     ///< a topology as `trotter prepare` writes it
    state,    ///< XML with the root `<State>`
    xml,      ///< other XML
    netcdf,   ///< NetCDF-3: a trajectory or restart of AMBER
    dcd,      ///< a trajectory
    xtc,      ///< a trajectory
    prmtop,   ///< of AMBER
    top,      ///< of GROMACS
    psf,      ///< of CHARMM
    crd,      ///< coordinates of CHARMM
    inpcrd,   ///< coordinates of AMBER, as far as the second line tells
};

/// The format of a text, which is the whole of a file, without gzip. `unknown` if it is none of these.
FileFormat recognize_format(std::string_view text);

}  // namespace trotter::app
