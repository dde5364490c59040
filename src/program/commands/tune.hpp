// `--tune`: what no cost model knows is measured on the machine at hand.
// SPDX-License-Identifier: MIT
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "program/input/inputs.hpp"
#include "program/input/options.hpp"

namespace trotter::program {

/// What was measured with these choices.
struct Trial {
    int threads = 0;
    double list_buffer = 0;  ///< [nm]; 0: the backend's choice
    double ms_per_step = 0;
};

struct Tuned {
    Options options;  ///< with the fastest `threads` and `list_buffer`
    std::vector<Trial> trials;

    /// One line about what was chosen, and how much it gains.
    std::string text() const;
};

/// Tries fewer threads than allowed and pair lists of other widths on the start of this simulation, each for at least
/// half a second and 60 steps, and keeps what is 2 % faster than what would be used otherwise: neither touches the
/// physics beyond rounding. A request to stop ends it with what is known by then. Throws UnsupportedError where the
/// Context is not on `cpu`.
Tuned tuned(Inputs const& inputs, Options const& options, std::stop_token stop = {});

}  // namespace trotter::program
