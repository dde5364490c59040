// What a user may say about the reading of a file.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/io/file.hpp>

namespace trotter {

struct ReadOptions {
    std::uint64_t max_bytes = default_max_input;  ///< of the expanded file
};

}  // namespace trotter
