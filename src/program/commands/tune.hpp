// `--tune`: chooses threads and list buffer by measurements on this machine.
// SPDX-License-Identifier: MIT
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "program/input/inputs.hpp"
#include "program/input/options.hpp"

namespace trotter::program {

/// A measurement with these choices.
struct Trial {
    int threads = 0;
    double list_buffer = 0;  ///< [nm]; 0: the backend's choice
    double ms_per_step = 0;
};

struct Tuned {
    Options options;  ///< with the fastest `threads` and `list_buffer`
    std::vector<Trial> trials;

    /// One line about the choice and its speedup.
    std::string text() const;
};

/// Tries fewer threads than allowed and other list buffers from the start of this simulation, each for at least half a
/// second and 60 steps, and keeps choices at least 2 % faster than the best so far: neither changes the physics beyond
/// rounding. A stop request ends it with the best so far. Throws UnsupportedError if the Context is not on `cpu`.
Tuned tuned(Inputs const& inputs, Options const& options, std::stop_token stop = {});

}  // namespace trotter::program
