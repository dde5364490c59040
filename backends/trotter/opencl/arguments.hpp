// Rewrites kernel source for OpenCL drivers: kernels with one argument struct, register bounds.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>

namespace trotter::opencl {

/// Source whose `kernels` take a struct of their parameters in order: pointers to global memory as addresses, numbers
/// and vectors by value. Some drivers submit a kernel with many buffers far more slowly than one with none.
struct PackedText {
    std::string text;
    std::set<std::string> kernels;
};

/// Packs the parameters of all kernels but those it cannot parse. Kernels with bounds before their names get
/// NOTE_BOUNDS in their bodies.
PackedText pack_arguments(std::string const& text);

/// Assembly of NVIDIA's compiler with the NOTE_BOUNDS in it as directives, which limit registers so that the given
/// number of work-groups is resident.
std::string bound_registers(std::string const& assembly);

}  // namespace trotter::opencl
