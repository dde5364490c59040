// The tag of the Cpu backend; the instruction set is part of the type.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <type_traits>

#include <trotter/cpu/simd/xsimd.hpp>

namespace trotter {

namespace cpu {
/// Inner loops are those of the best instruction set that the machine has, out of the ones that are linked.
struct DynamicDispatch {};

/// What is compiled where it is used: for the instruction set of the including file, unless the type names another.
template <class Arch> using FileArch =
    std::conditional_t<std::same_as<Arch, DynamicDispatch>, xsimd::default_arch, Arch>;
}  // namespace cpu

/// SIMD and threads. `Arch` is an instruction set of xsimd, for which the including file must be compiled, or
/// `cpu::DynamicDispatch`. Objects compiled for different instruction sets never define the same symbols.
template <class Arch> struct BasicCpu {
    static constexpr std::string_view name = "Cpu";  ///< in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the integrators of the host run on it

    int threads = 0;  ///< 0: as many as the process may use
    /// The fraction of the pairs within a cutoff that lists may be expected to miss before they are made anew, from how
    /// far particles have moved. 0: none is ever missed. In double none is, whatever stands here.
    double missed_pairs = 1e-5;
    /// How much farther than the cutoff pair lists reach [nm], 1 at most; all else about them goes with it. 0: 0.2, and
    /// 0.25 where no pair is missed. It decides on speed, and by the order of sums on the last bits.
    double list_buffer = 0;
};

/// With the best loops that the machine can run, whatever the including file is compiled for: the library
/// `Trotter::cpu` has them. `BasicCpu<xsimd::default_arch>` has those of the file's own instruction set.
using Cpu = BasicCpu<cpu::DynamicDispatch>;

}  // namespace trotter
