// Compiles kernel source for NVIDIA GPUs with NVRTC; needs no device.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::cuda {

/// Loads NVRTC (milliseconds) if it is not loaded. If it is not installed, `Compilation::run` reports it.
void load_compiler() noexcept;

/// Whether kernels compiled for the architecture wait for the previous kernel themselves, and so may be launched while
/// it still runs.
bool waits_for_kernel_before(int architecture);

/// Compiles source in the dialect for an architecture (90: sm_90).
struct Compilation {
    /// `text` follows the dialect's preamble.
    Compilation(std::string const& text, int architecture);

    std::string source, option;  ///< for an architecture newer than the compiler, PTX that the driver compiles
    std::string identity;        ///< the cache key: everything the result depends on

    /// Returns the program for cuModuleLoadData. Throws UnsupportedError with the compiler's log.
    std::string run() const;
};

}  // namespace trotter::cuda
