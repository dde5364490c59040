// What the reader of a structure decided, as changes.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/structure/read_structure.hpp>

namespace trotter::program {

/// Adds what a file's reader warned of, the alternate locations taken, names made standard (of all waters together) and
/// disulfides. `structure` is that of the file.
void log_reading(app::ChangeLog& log, app::StructureFile const& file, app::Structure const& structure,
                 app::AlternateLocation alternate_location);

}  // namespace trotter::program
