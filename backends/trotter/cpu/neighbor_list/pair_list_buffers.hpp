// Buffers of pair lists, and the displacements that end their use.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/cpu/arch.hpp>
#include <trotter/error.hpp>

namespace trotter::cpu {

/// List buffers beyond the cutoff, and the displacements of any particle after which lists are rebuilt [nm].
struct PairListBuffers {
    double outer, inner, outer_limit, inner_limit;
    double missed_pairs;  ///< lists are rebuilt if expected to miss a larger fraction of the pairs
};

/// Displacement limits of half a buffer: no pair is missed, however fast particles are.
template <class Arch> inline constexpr PairListBuffers exact_lists = {0.25, 0.055, 0.125, 0.0275, 1};

/// Returns thinner buffers with longer lifetimes, since few particles move straight towards each other; the limits are
/// for those much faster than the others. Exact in double (in float, rounding hides a small fraction of missed pairs),
/// and for so few particles that less than one pair may be missed, for which an expectation over many means nothing.
/// Throws InputError if the backend's `list_buffer` is not between 0 and 1.
template <class Real, class Arch>
PairListBuffers pair_list_buffers(BasicCpu<Arch> const& backend, std::size_t particles) {
    double const count = static_cast<double>(particles), pairs = count * (count - 1) / 2;
    bool const are_exact = sizeof(Real) == 8 || backend.missed_pairs * pairs < 1;
    auto result = are_exact ? exact_lists<Arch> : PairListBuffers{0.2, 0.06, 0.25, 0.1, backend.missed_pairs};
    if (!(backend.list_buffer >= 0 && backend.list_buffer <= 1))
        throw InputError("Cpu: list_buffer is " + std::to_string(backend.list_buffer) + ", expected 0 to 1 nm");
    double const stretch = backend.list_buffer > 0 ? backend.list_buffer / result.outer : 1;
    for (double* length : {&result.outer, &result.inner, &result.outer_limit, &result.inner_limit}) *length *= stretch;
    return result;
}

}  // namespace trotter::cpu
