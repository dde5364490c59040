// Atom types: particles with equal parameters share a column of one table.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/xsimd.hpp>

namespace trotter::cpu {

template <class T> using Aligned = std::vector<T, xsimd::aligned_allocator<T, 64>>;

/// Parameters of each slot, in one or several records, and of each atom type; see ClusterView. Types are not used if
/// there would be too many. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch, class Real> struct SlotParameters {
    Aligned<Real> records, type_table;
    int type_count = 0;
};

/// The atom type of each particle. There are none if there would be more than `max_types`, and in double, whose loops
/// do not use types.
template <class Arch, class Real> struct AtomTypes {
    std::vector<std::uint8_t> of_particle;
    Aligned<Real> type_table;  ///< see ClusterView
    int count = 0;             ///< of types

    AtomTypes() = default;
    /// `put(p, to)` writes the `numbers` parameters of particle p.
    template <class Put> AtomTypes(std::size_t particles, std::size_t numbers, Put const& put) {
        if (sizeof(Real) != sizeof(std::uint32_t)) return;
        std::vector<std::vector<Real>> types;
        std::vector<Real> present(numbers);
        of_particle.reserve(particles);
        for (std::size_t p = 0; p < particles; ++p) {
            put(p, present.data());
            // Compared bitwise, since NaNs have a type too.
            auto const found = std::find_if(types.begin(), types.end(), [&](auto const& type) {
                return numbers == 0 || std::memcmp(type.data(), present.data(), numbers * sizeof(Real)) == 0;
            });
            of_particle.push_back(static_cast<std::uint8_t>(found - types.begin()));
            if (found == types.end()) types.push_back(present);
            if (types.size() > max_types) {
                of_particle.clear();
                return;
            }
        }
        count = static_cast<int>(types.size());
        type_table.assign(max_types * std::max<std::size_t>(numbers, 1), Real(0));
        for (std::size_t type = 0; type < types.size(); ++type)
            for (std::size_t m = 0; m < numbers; ++m) type_table[max_types * m + type] = types[type][m];
    }
};

}  // namespace trotter::cpu
