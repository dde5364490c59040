// Lists the Contexts available at run time: one for every backend and number type of the build.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <trotter/compiled_contexts.hpp>
#include <trotter/precision.hpp>

namespace trotter {

struct Reference;
struct OpenCl;
struct Cuda;
template <class B> struct RuntimeDevice;
template <class Arch> struct BasicCpu;
namespace cpu {
struct DynamicDispatch;
}
using Cpu = BasicCpu<cpu::DynamicDispatch>;

/// Defined in `compiled_context.hpp`, for the file that compiles the kernels.
template <class List, class B, class P> CompiledContext compiled_context();

template <class List> std::span<CompiledContext const> compiled_contexts() {
    static std::vector<CompiledContext> const all{
        compiled_context<List, Reference, Double>(),
#ifdef TROTTER_HAVE_CPU
        compiled_context<List, Cpu, Mixed>(),
#ifndef TROTTER_NO_CPU_DOUBLE
        compiled_context<List, Cpu, Double>(),
#endif
#endif
#ifdef TROTTER_HAVE_OPENCL
        compiled_context<List, RuntimeDevice<OpenCl>, Mixed>(),
#endif
#ifdef TROTTER_HAVE_CUDA
        compiled_context<List, RuntimeDevice<Cuda>, Mixed>(),
#endif
    };
    return all;
}

}  // namespace trotter
