// Device text of the kernels that transform a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/device/mesh/fft_plan.hpp>

namespace trotter::device {

/// The caller's text, and the parameters that it needs in the kernel (each behind a comma).
struct FftHooks {
    std::string load_parameters{}, load{};  ///< an expression: the real number at `at` of the mesh, asked for once
    /// Declarations at the kernel's scope; FFT_GROUP is the group's size.
    std::string middle_parameters{}, before_middle{};
    std::string middle{};  ///< changes `value`, the transform at `x` and `column` = y·(nz/2 + 1) + z
    std::string after_middle{};
    std::string store_parameters{}, store{};  ///< a statement that takes the real `value` at `at` of the mesh
};

/// Kernels fft_load, fft_forward (only where planes are not whole), fft_middle, fft_backward (likewise), fft_store. The way
/// back is the way forward with real and imaginary parts swapped: the spectrum is kept swapped after fft_middle.
std::string fft_text(FftPlan const& plan, FftHooks const& hooks, std::string const& suffix);

}  // namespace trotter::device
