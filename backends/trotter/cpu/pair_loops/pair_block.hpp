// Blocks of j particles for pair loops, as structures of arrays.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/cpu/pair_loops/pair_slots.hpp>
#include <trotter/cpu/pair_loops/step_registers.hpp>

namespace trotter::cpu {

/// Copies of listed particles, their forces and sums, as a structure of arrays with a register of each quantity at a
/// time. Loops over them need no gathers or shuffles.
template <class Real, class Arch, int parameter_count, bool has_charges, bool has_forces, bool has_sums>
struct PairBlock {
    using L = Layout<Real, Arch>;
    using S = StepRegisters<Real, Arch>;
    using B = typename L::B;
    static constexpr int width = L::width;
    static constexpr int at_once = 16;    ///< particles that are loaded together
    static constexpr int capacity = 512;  ///< a block fits in the L1 cache
    static constexpr int stride = parameter_stride(parameter_count);
    static constexpr int sum = has_forces ? 3 : 0;  ///< after the components of the force

    struct alignas(sizeof(B)) Few {
        Real x[3][width], parameters[parameter_count > 0 ? parameter_count : 1][width];
        Real got[sum + has_sums][width];  ///< forces and the sum
    };
    Few few[capacity / width];
    alignas(64) std::uint32_t record[capacity];  ///< offset of each particle's coordinates and force
    int size;                                    ///< number of particles

    /// Takes the particles at entries `from` … of a list; returns how many entries fitted.
    [[gnu::always_inline]] int take(PairView<Real> const& view, std::int32_t from, std::int32_t end) {
        int const room = view.lists_clusters ? capacity / cluster_size : capacity,
                  count = end - from < room ? end - from : room;
        if (view.lists_clusters)
            for (int n = 0; n < count; ++n) set_cluster(n, view.slots[from + n]);
        else
            for (int n = 0; n < count; ++n) record[n] = record_size * static_cast<std::uint32_t>(view.slots[from + n]);
        size = view.lists_clusters ? cluster_size * count : count;
        return count;
    }

    /// Loads coordinates relative to `base`, and parameters of the first `with_parameters` particles; clears forces and
    /// sums.
    void load(ClusterView<Real> const& clusters, Steps const& base, bool uses_minimum_image, int with_parameters) {
        if constexpr (sizeof(Real) == sizeof(std::uint32_t))
            if (uses_minimum_image) return load_points(clusters, base, with_parameters);
        if (clusters.is_triclinic)
            load<true>(clusters, base, with_parameters);
        else
            load<false>(clusters, base, with_parameters);
    }

    /// Adds forces and sums to the task's buffers.
    [[gnu::noinline]] void add(PairView<Real> const& view) const {
        std::uint32_t const mask = record_size * static_cast<std::uint32_t>(view.slot_mask);
        if constexpr (has_forces) {
            Real* const forces = view.forces;
            for (int n = 0; n < size; n += at_once) {
                B columns[4][L::registers];
                unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                    unroll<3>([&](auto axis) __attribute__((always_inline)) {
                        columns[axis][k] = B::load_aligned(few[n / width + k].got[axis]);
                    });
                    columns[3][k] = columns[2][k];  // unused
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

    /// Loads all particles, sixteen at a time, by load_coordinates(n) and then load_parameters(n).
    template <class Coordinates, class Parameters> [[gnu::always_inline]] void load(int with_parameters,
                                                                                    Coordinates const& load_coordinates,
                                                                                    Parameters const& load_parameters) {
        int const filled = (size + at_once - 1) / at_once * at_once;
        // Padding lanes are never in range: they add 0, to other records than the lanes next to them.
        for (int n = size; n < filled; ++n) record[n] = record[n - size];
        for (int n = 0; n < filled; n += at_once) {
            load_coordinates(n);
            if constexpr (parameter_count > (has_charges ? 1 : 0))
                if (n < with_parameters) load_parameters(n);
        }
    }
    template <bool is_triclinic>
    [[gnu::noinline]] void load(ClusterView<Real> const& clusters, Steps const& base, int with_parameters) {
        load(
            with_parameters,
            [&](int n) __attribute__((always_inline)) { load_coordinates<is_triclinic>(clusters, base, n); },
            [&](int n) __attribute__((always_inline)) { load_parameters(clusters.parameters, n); });
    }
    [[gnu::noinline]] void load_points(ClusterView<Real> const& clusters, Steps const& base, int with_parameters) {
        typename S::Integers types[L::registers];
        bool const has_types = clusters.type_table && clusters.type_count <= S::most_in_table;
        load(
            with_parameters, [&](int n) __attribute__((always_inline)) { load_points(clusters, base, n, types); },
            [&](int n) __attribute__((always_inline)) {
                if (has_types)
                    look_up_parameters(clusters, types, n);
                else
                    load_parameters(clusters.parameters, n);
            });
    }
    /// Computes coordinates and types from points.
    [[gnu::always_inline]] void load_points(ClusterView<Real> const& clusters, Steps const& base, int n,
                                            typename S::Integers (&types)[L::registers]) {
        B columns[4][L::registers];
        load_columns(
            [&](int j) __attribute__((always_inline)) { return clusters.points + record[n + j]; }, columns);
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            B x[3];
            types[k] = typename S::Integers{};
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                auto const steps = S::integers(columns[axis][k]);
                types[k] |= (steps & ((1 << type_bits) - 1)) << (type_bits * axis);
                x[axis] = S::numbers(steps, base[axis.value]);
            });
            if (clusters.is_triclinic) {
                B const b = x[1], c = x[2];
                x[0] = multiply_add(b, B(clusters.tilt_of_b[0]), B(x[0] * B(clusters.step[0])));
                x[0] = multiply_add(c, B(clusters.tilt_of_c[0]), x[0]);
                x[1] = multiply_add(c, B(clusters.tilt_of_c[1]), B(b * B(clusters.step[1])));
                x[2] = c * B(clusters.step[2]);
            } else
                unroll<3>([&](auto axis) __attribute__((always_inline)) { x[axis] *= B(clusters.step[axis]); });
            set(few[n / width + k], x, columns[3][k]);
        });
    }
    /// Looks up parameters by the types of particles n …; JIT-compiled loops may ask for more of them than there are.
    [[gnu::always_inline]] void look_up_parameters(ClusterView<Real> const& clusters,
                                                   typename S::Integers const (&types)[L::registers], int n) {
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            unroll<parameter_count>([&](auto m) __attribute__((always_inline)) {
                if constexpr (!(has_charges && m == 0))
                    if (m < clusters.parameters_per_type)
                        S::of_table(clusters.type_table + m * max_types, types[k])
                            .store_aligned(few[n / width + k].parameters[m]);
            });
        });
    }
    /// Loads records of sixteen particles as columns.
    template <class RecordOf>
    [[gnu::always_inline]] static void load_columns(RecordOf const& record_of, B (&columns)[4][L::registers]) {
        typename L::Records records[4];
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            records[k] = L::load([&](int j) __attribute__((always_inline)) { return record_of(4 * j + k); });
        });
        L::to_columns(records, columns);
    }
    /// Stores coordinates and charges; clears forces and sums.
    [[gnu::always_inline]] static void set(Few& to, B const (&x)[3], B const& charge) {
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            x[axis].store_aligned(to.x[axis]);
            if constexpr (has_forces) B(Real(0)).store_aligned(to.got[axis]);
        });
        if constexpr (has_charges) charge.store_aligned(to.parameters[0]);
        if constexpr (has_sums) B(Real(0)).store_aligned(to.got[sum]);
    }
    template <bool is_triclinic>
    [[gnu::always_inline]] void load_coordinates(ClusterView<Real> const& clusters, Steps const& base, int n) {
        typename L::Records records[4];
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            auto const at = [&](int j) __attribute__((always_inline)) { return record[n + 4 * j + k]; };
            auto const away = L::differences(
                [&](int j) __attribute__((always_inline)) { return clusters.references + at(j); }, base);
            auto const coordinates =
                L::load([&](int j) __attribute__((always_inline)) { return clusters.coordinates + at(j); });
            records[k] = moved<Real, Arch>(clusters, is_triclinic, coordinates, away);
        });
        B columns[4][L::registers];
        L::to_columns(records, columns);
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            B const x[3] = {columns[0][k], columns[1][k], columns[2][k]};
            set(few[n / width + k], x, columns[3][k]);
        });
    }
    [[gnu::always_inline]] void load_parameters(Real const* parameters, int n) {
        constexpr int records = stride / record_size;
        unroll<records>([&](auto part) __attribute__((always_inline)) {
            B columns[4][L::registers];
            load_columns(
                [&](int j) __attribute__((always_inline)) {
                    return parameters + std::ptrdiff_t{records} * record[n + j] + part * record_size;
                },
                columns);
            unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
                unroll<record_size>([&](auto m) __attribute__((always_inline)) {
                    constexpr int number = part * record_size + m;
                    if constexpr (number < parameter_count && !(has_charges && number == 0))
                        columns[m][k].store_aligned(few[n / width + k].parameters[number]);
                });
            });
        });
    }
};

}  // namespace trotter::cpu
