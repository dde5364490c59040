// The tag of the Cpu backend; the instruction set is part of the type.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <type_traits>

#include <trotter/cpu/simd/xsimd.hpp>

namespace trotter {

namespace cpu {
/// Selects at run time the inner loops of the best linked instruction set that the machine supports.
struct DynamicDispatch {};

/// The instruction set of inline code: that of the including file, unless `Arch` names another.
template <class Arch> using FileArch =
    std::conditional_t<std::same_as<Arch, DynamicDispatch>, xsimd::default_arch, Arch>;
}  // namespace cpu

/// SIMD and threads. `Arch` is an instruction set of xsimd, for which the including file must be compiled, or
/// `cpu::DynamicDispatch`. Objects compiled for different instruction sets never define the same symbols.
template <class Arch> struct BasicCpu {
    static constexpr std::string_view name = "Cpu";  ///< in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: the integrators of the host run on it

    int threads = 0;  ///< 0: as many as the process may use
    /// The fraction of the pairs within a cutoff that lists may be expected to miss, from displacements, before they
    /// are rebuilt. 0: none is ever missed. Ignored in double, where lists are always exact.
    double missed_pairs = 1e-5;
    /// Buffer of pair lists beyond the cutoff [nm], at most 1; all other list parameters scale with it. 0: the default,
    /// 0.2, or 0.25 for exact lists. It affects speed and, by the order of sums, the last bits.
    double list_buffer = 0;
};

/// Uses the best loops that the machine can run, whatever the including file is compiled for; they are in the library
/// `Trotter::cpu`. `BasicCpu<xsimd::default_arch>` uses those of the file's own instruction set.
using Cpu = BasicCpu<cpu::DynamicDispatch>;

}  // namespace trotter
