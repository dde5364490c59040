// The j particles of pair loops, by columns.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/cpu/pair_places.hpp>

namespace trotter::cpu {

/// Copies of particles that a list names: what each number of them is stands side by side, a register of it at a time,
/// and so does what they get. Loops over them need neither to gather nor to shuffle.
template <class Real, class Arch, int parameter_count, bool has_charges, bool has_forces, bool has_sums>
struct PairBlock {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr int width = L::width;
    static constexpr int at_once = 16;    ///< particles that are loaded together
    static constexpr int capacity = 512;  ///< so many that a block stays in the first cache
    static constexpr int stride = parameter_stride(parameter_count);
    static constexpr int sum = has_forces ? 3 : 0;  ///< behind the components of the force

    struct alignas(sizeof(B)) Few {
        Real x[3][width], parameters[parameter_count > 0 ? parameter_count : 1][width];
        Real got[sum + has_sums][width];  ///< forces and the sum
    };
    Few few[capacity / width];
    alignas(64) std::uint32_t record[capacity];  ///< of each particle: where its coordinates begin, and its force
    int size;                                    ///< how many there are

    /// Takes the particles at entries `from` … of a list; returns how many entries fitted.
    [[gnu::always_inline]] int take(PairView<Real> const& view, std::int32_t from, std::int32_t end) {
        int const room = view.lists_clusters ? capacity / cluster_size : capacity,
                  count = end - from < room ? end - from : room;
        if (view.lists_clusters)
            for (int n = 0; n < count; ++n) set_cluster(n, view.places[from + n]);
        else
            for (int n = 0; n < count; ++n) record[n] = record_size * static_cast<std::uint32_t>(view.places[from + n]);
        size = view.lists_clusters ? cluster_size * count : count;
        return count;
    }

    /// Coordinates relative to `base`; parameters of the first `with_parameters` particles. Nothing has any force yet.
    void load(ClusterView<Real> const& clusters, Steps const& base, int with_parameters) {
        if (clusters.is_slanted)
            load<true>(clusters, base, with_parameters);
        else
            load<false>(clusters, base, with_parameters);
    }

    /// Adds what the particles got to the task's buffers.
    [[gnu::noinline]] void add(PairView<Real> const& view) const {
        std::uint32_t const mask = record_size * static_cast<std::uint32_t>(view.place_mask);
        if constexpr (has_forces) {
            Real* const forces = view.forces;
            for (int n = 0; n < size; n += at_once) {
                B columns[4][L::registers];
                unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                    unroll<3>([&](auto axis) __attribute__((always_inline)) {
                        columns[axis][k] = B::load_aligned(few[n / width + k].got[axis]);
                    });
                    columns[3][k] = columns[2][k];  // means nothing
                });
                typename L::Records records[4];
                L::to_records(columns, records);
                unroll<4>([&](auto k) __attribute__((always_inline)) {
                    L::add(
                        records[k], [&](int j) __attribute__((always_inline)) {
                            return forces + (record[n + 4 * j + k] & mask);
                        });
                });
            }
        }
        if constexpr (has_sums)
            for (int n = 0; n < size; ++n)
                view.sums[(record[n] & mask) / record_size] += few[n / width].got[sum][n % width];
    }

private:
    [[gnu::always_inline]] void set_cluster(int n, std::int32_t cluster) {
        std::uint32_t const first = record_size * cluster_size * static_cast<std::uint32_t>(cluster);
        for (std::uint32_t k = 0; k < cluster_size; ++k)
            record[static_cast<std::uint32_t>(cluster_size * n) + k] = first + record_size * k;
    }

    template <bool is_slanted>
    [[gnu::noinline]] void load(ClusterView<Real> const& clusters, Steps const& base, int with_parameters) {
        int const filled = (size + at_once - 1) / at_once * at_once;
        // No lane that is filled up is near anything; it gets 0, at another place than the lanes beside it.
        for (int n = size; n < filled; ++n) record[n] = record[n - size];
        for (int n = 0; n < filled; n += at_once) {
            load_coordinates<is_slanted>(clusters, base, n);
            if constexpr (parameter_count > (has_charges ? 1 : 0))
                if (n < with_parameters)
                    unroll<stride / record_size>([&](auto of_parameters) __attribute__((always_inline)) {
                        load_parameters<of_parameters>(clusters.parameters, n);
                    });
        }
    }
    template <bool is_slanted>
    [[gnu::always_inline]] void load_coordinates(ClusterView<Real> const& clusters, Steps const& base, int n) {
        typename L::Records records[4];
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            auto const at = [&](int j) __attribute__((always_inline)) { return record[n + 4 * j + k]; };
            auto const away = L::differences(
                [&](int j) __attribute__((always_inline)) { return clusters.references + at(j); }, base);
            auto const coordinates =
                L::load([&](int j) __attribute__((always_inline)) { return clusters.coordinates + at(j); });
            records[k] = moved<Real, Arch>(clusters, is_slanted, coordinates, away);
        });
        B columns[4][L::registers];
        L::to_columns(records, columns);
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            Few& to = few[n / width + k];
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                columns[axis][k].store_aligned(to.x[axis]);
                if constexpr (has_forces) B(Real(0)).store_aligned(to.got[axis]);
            });
            if constexpr (has_charges) columns[3][k].store_aligned(to.parameters[0]);
            if constexpr (has_sums) B(Real(0)).store_aligned(to.got[sum]);
        });
    }
    template <int of_parameters> [[gnu::always_inline]] void load_parameters(Real const* parameters, int n) {
        typename L::Records records[4];
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            records[k] = L::load([&](int j) __attribute__((always_inline)) {
                return parameters + std::ptrdiff_t{stride / record_size} * record[n + 4 * j + k]
                       + of_parameters * record_size;
            });
        });
        B columns[4][L::registers];
        L::to_columns(records, columns);
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            unroll<record_size>([&](auto m) __attribute__((always_inline)) {
                constexpr int number = of_parameters * record_size + m;
                if constexpr (number < parameter_count && !(has_charges && number == 0))
                    columns[m][k].store_aligned(few[n / width + k].parameters[number]);
            });
        });
    }
};

}  // namespace trotter::cpu
