// What OpenCL's texts become for a driver: kernels whose arguments are one struct, bounds of their registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>

namespace trotter::opencl {

/// Text in the dialect whose `kernels` take a struct of what their parameters were, in their order: pointers to global
/// memory by their addresses, numbers and vectors as they are. Some drivers give a kernel with many buffers to the
/// device far more slowly than one with none.
struct PackedText {
    std::string text;
    std::set<std::string> kernels;
};

/// A kernel whose parameters are not plain to see stays what it is. Those with bounds in front of their names have
/// NOTE_BOUNDS in their bodies.
PackedText pack_arguments(std::string const& text);

/// The assembly of NVIDIA's compiler with the bounds that NOTE_BOUNDS left in it as directives, which have registers
/// shared out so that as many groups stand side by side.
std::string bound_registers(std::string const& assembly);

}  // namespace trotter::opencl
