// Generates the FFT kernels of a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/mesh/fft_plan.hpp>

namespace trotter::device {

/// Code inserted into the FFT kernels, and additional kernel parameters (each after a comma).
struct FftHooks {
    std::string load_parameters{}, load{};  ///< an expression, evaluated once: the real number at `at` of the mesh
    /// Declarations in the kernel's scope; FFT_GROUP is the work-group size.
    std::string middle_parameters{}, before_middle{};
    std::string middle{};  ///< changes `value`, the transform at `x` and `column` = y·(nz/2 + 1) + z
    std::string after_middle{};
    std::string store_parameters{}, store{};  ///< a statement that stores the real `value` at `at` of the mesh
};

/// Returns kernels fft_load, fft_forward and fft_backward (only if planes do not fit into local memory), fft_middle,
/// fft_store. The inverse is the forward transform with real and imaginary parts swapped: the spectrum is stored
/// swapped after fft_middle.
std::string fft_text(FftPlan const& plan, FftHooks const& hooks, std::string const& suffix);

}  // namespace trotter::device
