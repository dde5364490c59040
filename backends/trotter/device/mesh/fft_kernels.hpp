// Generates the FFT kernels of a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/mesh/fft_plan.hpp>

namespace trotter::device {

/// Code inserted into the FFT kernels.
struct FftHooks {
    std::string load{};           ///< an expression, evaluated once: the real number at `at` of the mesh
    std::string before_middle{};  ///< declarations in the kernel's scope; FFT_GROUP is the work-group size
    std::string middle{};         ///< changes `value`, the transform at `x` and `column` = y·(nz/2 + 1) + z
    std::string after_middle{};
    std::string store{};  ///< a statement that stores the real `value` at `at` of the mesh
};

/// Parameters of the FFT kernels; those of the hooks follow.
inline constexpr char const
    *fft_load_parameters =
        "GLOBAL real2* RESTRICT spectrum, GLOBAL const real2* RESTRICT roots_z, GLOBAL const real2* RESTRICT roots_y",
    *fft_store_parameters =
        "GLOBAL const real2* RESTRICT spectrum, GLOBAL const real2* RESTRICT roots_z, GLOBAL const real2* RESTRICT "
        "roots_y",
    *fft_line_parameters = "GLOBAL real2* RESTRICT spectrum, GLOBAL const real2* RESTRICT roots";

/// Complete parameter lists of the kernels with hooks.
struct FftParameters {
    std::string load, middle, store;
};

/// Returns kernels fft_load, fft_forward and fft_backward (only if planes do not fit into local memory), fft_middle,
/// fft_store. The inverse is the forward transform with real and imaginary parts swapped: the spectrum is stored
/// swapped after fft_middle.
std::string fft_text(FftPlan const& plan, FftHooks const& hooks, FftParameters const& parameters,
                     std::string const& suffix);

}  // namespace trotter::device
