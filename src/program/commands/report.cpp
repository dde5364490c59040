// `trotter report`: a page about a run.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include <trotter/app/report/write_report.hpp>
#include <trotter/error.hpp>

#include "commands.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"

namespace trotter::program {

int report(Options const& options, KnownForces const&) {
    if (options.input.empty()) throw InputError("the folder of a run is missing (see `trotter help report`)");
    PrepareFile beside;
    beside.folder = options.input;
    app::write_report(options.input, {.data_folders = data_folders(beside, options.force_field_folders)});
    return done;
}

}  // namespace trotter::program
