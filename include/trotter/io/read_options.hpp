// Options for reading files.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/io/file.hpp>

namespace trotter {

/// Limits on reading a file.
struct ReadOptions {
    std::uint64_t max_bytes = default_max_input;  ///< of the expanded file
};

}  // namespace trotter
