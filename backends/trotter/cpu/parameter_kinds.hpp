// Particles of few kinds: what all of a kind have stands in one table.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <trotter/cpu/pair_list.hpp>
#include <trotter/cpu/xsimd.hpp>

namespace trotter::cpu {

template <class T> using Aligned = std::vector<T, xsimd::aligned_allocator<T, 64>>;

/// Parameters of all places, a record or several of each, and the same of each kind; see ClusterView. There are no
/// kinds where parameters are too different. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch, class Real> struct PlacedParameters {
    Aligned<Real> records, of_kind;
    int kind_count = 0;
};

/// Which particles have the same parameters. None has any kind where there would be more kinds than `most_kinds`, and
/// in double, for which no loop looks at them.
template <class Arch, class Real> struct ParameterKinds {
    std::vector<std::uint8_t> of_particle;
    Aligned<Real> of_kind;  ///< see ClusterView
    int count = 0;          ///< of kinds

    ParameterKinds() = default;
    /// `put(p, to)` writes the `numbers` of particle p.
    template <class Put> ParameterKinds(std::size_t particles, std::size_t numbers, Put const& put) {
        if (sizeof(Real) != sizeof(std::uint32_t)) return;
        std::vector<std::vector<Real>> kinds;
        std::vector<Real> present(numbers);
        of_particle.reserve(particles);
        for (std::size_t p = 0; p < particles; ++p) {
            put(p, present.data());
            // By bits, since NaNs have a kind too.
            auto const found = std::find_if(kinds.begin(), kinds.end(), [&](auto const& kind) {
                return numbers == 0 || std::memcmp(kind.data(), present.data(), numbers * sizeof(Real)) == 0;
            });
            of_particle.push_back(static_cast<std::uint8_t>(found - kinds.begin()));
            if (found == kinds.end()) kinds.push_back(present);
            if (kinds.size() > most_kinds) {
                of_particle.clear();
                return;
            }
        }
        count = static_cast<int>(kinds.size());
        of_kind.assign(most_kinds * std::max<std::size_t>(numbers, 1), Real(0));
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            for (std::size_t m = 0; m < numbers; ++m) of_kind[most_kinds * m + kind] = kinds[kind][m];
    }
};

}  // namespace trotter::cpu
