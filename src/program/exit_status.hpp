// Exit status of the program.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::program {

/// Interruption by a signal adds the signal's number to 128, as shells do.
enum ExitStatus : int {
    done = 0,
    defect = 1,
    wrong_input = 2,
    simulation_failed = 3,
    unsupported = 4,
    output_failed = 5,
    interrupted = 128
};

}  // namespace trotter::program
