// How far pair lists reach, and how long they are used.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/cpu/arch.hpp>
#include <trotter/error.hpp>

namespace trotter::cpu {

/// How much farther than the cutoff lists reach, and how far any particle may move before they are made anew [nm].
struct PairListBuffers {
    double outer, inner, outer_limit, inner_limit;
    double missed_pairs;  ///< lists are made anew where they are expected to miss a larger fraction of the pairs
};

/// Limits of half a buffer: no pair is missed, however fast particles are.
template <class Arch> inline constexpr PairListBuffers exact_lists = {0.25, 0.055, 0.125, 0.0275, 1};

/// Longer lives for thinner buffers: particles would have to move straight towards each other, and few do. The limits
/// are for those that are much faster than the others. Exact for double, since rounding of float hides a small fraction
/// of pairs, and for so few particles that less than one of all their pairs may be missed: what is expected of many
/// says nothing of one pair. Throws InputError where the backend's `list_buffer` is not between 0 and 1.
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
