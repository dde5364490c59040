// Device text compiled for NVIDIA's processors, by NVRTC; needs no device.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::cuda {

/// Loads NVRTC, which takes milliseconds, unless it has been. Where it is not installed, a Compilation will say so.
void load_compiler() noexcept;

/// Whether kernels compiled for the architecture wait for the one before them by themselves, and so may be launched while that one
/// still runs.
bool waits_for_kernel_before(int architecture);

/// Text in the dialect, on its way to a program for an architecture (90: sm_90).
struct Compilation {
    /// `text` is what stands behind the preamble of the dialect.
    Compilation(std::string const& text, int architecture);

    std::string source, option;  ///< an architecture newer than the compiler gets PTX, which the driver finishes
    std::string identity;        ///< all that decides about the result

    /// The program as cuModuleLoadData takes it. Throws UnsupportedError with the compiler's log.
    std::string run() const;
};

}  // namespace trotter::cuda
