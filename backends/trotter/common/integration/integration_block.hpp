// SIMD loops for kicks, drifts and noise of consecutive particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <trotter/vec3.hpp>

#include <trotter/common/integration/noise.hpp>

namespace trotter {

/// Sequence of operators for particles from `begin` to `end`.
struct IntegrationBlock {
    static constexpr std::size_t max_draws = 4;  ///< maximum number of O's
    struct Action {
        char letter;           ///< V, R or O; others are ignored
        double time;           ///< of a V or R [ps]
        Vec3<> const* forces;  ///< of a V
    };

    Action const* actions;
    std::size_t action_count;
    double decay, spread;  ///< of an O; `spread` for a mass of 1 amu
    RandomStream noise;
    std::uint64_t first_draw;  ///< of the first O; each has its own
    std::size_t begin, end;
    double const *inverse_masses, *inverse_mass_roots;
    Vec3<>*positions, *velocities;
    Vec3<>*start, *moved;  ///< output for this block's positions before and after, or null
};

/// Function table for one instruction set.
struct IntegrationLoops {
    void (*move)(IntegrationBlock const&);
    /// velocities += (positions - before) rate
    void (*correct)(Vec3<>* velocities, Vec3<> const* positions, Vec3<> const* before, double rate, std::size_t count);
};

/// Implementation in SIMD vectors of `bytes`. `Arch` distinguishes functions compiled for different instruction sets.
template <int bytes, class Arch = void> class BlockIntegration {
    template <int size> using Vector = typename VectorLanes<size>::Real;
    /// Vec3 components of as many particles as a SIMD vector has lanes.
    template <class V> struct Three { V at[3]; };

public:
    static void move(IntegrationBlock const& block) {
        NormalBlock noise[IntegrationBlock::max_draws];
        std::size_t draws = 0;
        bool drifts = false;
        for (std::size_t n = 0; n < block.action_count; ++n)
            draws += block.actions[n].letter == 'O', drifts = drifts || block.actions[n].letter == 'R';
        for (std::size_t first = block.begin; first < block.end; first += NormalBlock::size) {
            for (std::size_t n = 0; n < draws; ++n)
                fill_normals<VectorLanes<bytes>, Arch>(block.noise, block.first_draw + n,
                                                       static_cast<std::uint32_t>(first), noise[n]);
            std::size_t const end = std::min(first + NormalBlock::size, block.end);
            constexpr std::size_t width = bytes / sizeof(double);
            std::size_t i = first;
            for (; i + width <= end; i += width) act<Vector<bytes>>(block, drifts, noise, i, i - first);
            for (; i < end; ++i) act<Vector<8>>(block, drifts, noise, i, i - first);
        }
    }
    static void correct(Vec3<>* velocities, Vec3<> const* positions, Vec3<> const* before, double rate,
                        std::size_t count) {
        constexpr std::size_t width = bytes / sizeof(double);
        std::size_t i = 0;
        for (; i + width <= count; i += width) correct<Vector<bytes>>(velocities + i, positions + i, before + i, rate);
        for (; i < count; ++i) correct<Vector<8>>(velocities + i, positions + i, before + i, rate);
    }
    static constexpr IntegrationLoops table() { return {&move, &correct}; }

private:
    template <class V> static constexpr std::size_t width_of = sizeof(V) / sizeof(double);
    template <class V> using LaneIndices = std::make_index_sequence<width_of<V>>;

    template <class V> [[gnu::always_inline]] static void act(IntegrationBlock const& block, bool drifts,
                                                              NormalBlock const* noise, std::size_t i,
                                                              std::size_t drawn) {
        V const inverse_mass = load<V>(block.inverse_masses + i);
        auto const is_massive = inverse_mass != 0.0;
        V const zero{};
        auto x = load3<V>(block.positions + i), v = load3<V>(block.velocities + i);
        if (block.start) store3(x, block.start + (i - block.begin));
        for (std::size_t n = 0; n < block.action_count; ++n) {
            auto const& action = block.actions[n];
            if (action.letter == 'V') {
                auto const force = load3<V>(action.forces + i), factor = for_components<V>(action.time * inverse_mass);
                for (std::size_t k = 0; k < 3; ++k) v.at[k] += force.at[k] * factor.at[k];
            } else if (action.letter == 'R') {
                auto const time = for_components<V>(is_massive ? zero + action.time : zero);
                for (std::size_t k = 0; k < 3; ++k) x.at[k] += v.at[k] * time.at[k];
            } else if (action.letter == 'O') {
                auto const normal = normals<V>(*noise++, drawn);
                auto const decay = for_components<V>(is_massive ? zero + block.decay : zero + 1.0),
                           spread = for_components<V>(block.spread * load<V>(block.inverse_mass_roots + i));
                for (std::size_t k = 0; k < 3; ++k) v.at[k] = v.at[k] * decay.at[k] + normal.at[k] * spread.at[k];
            }
        }
        if (block.moved) store3(x, block.moved + (i - block.begin));
        if (drifts) store3(x, block.positions + i);
        store3(v, block.velocities + i);
    }
    template <class V> [[gnu::always_inline]] static void correct(Vec3<>* velocities, Vec3<> const* positions,
                                                                  Vec3<> const* before, double rate) {
        auto const x = load3<V>(positions), old = load3<V>(before);
        auto v = load3<V>(velocities);
        for (std::size_t k = 0; k < 3; ++k) v.at[k] += (x.at[k] - old.at[k]) * rate;
        store3(v, velocities);
    }

    template <class V> [[gnu::always_inline]] static V load(double const* from) {
        V result;
        std::memcpy(&result, from, sizeof result);
        return result;
    }
    template <class V> [[gnu::always_inline]] static Three<V> load3(Vec3<> const* from) {
        double const* const at = &from->x;
        return {load<V>(at), load<V>(at + width_of<V>), load<V>(at + 2 * width_of<V>)};
    }
    template <class V> [[gnu::always_inline]] static void store3(Three<V> const& values, Vec3<>* to) {
        for (std::size_t k = 0; k < 3; ++k) std::memcpy(&to->x + k * width_of<V>, &values.at[k], sizeof(V));
    }

    /// Repeats each particle's value for its three components.
    template <class V> [[gnu::always_inline]] static Three<V> for_components(V const& numbers) {
        return {spread_out<0>(numbers, LaneIndices<V>{}), spread_out<1>(numbers, LaneIndices<V>{}),
                spread_out<2>(numbers, LaneIndices<V>{})};
    }
    template <std::size_t part, class V, std::size_t... lane>
    [[gnu::always_inline]] static V spread_out(V const& numbers, std::index_sequence<lane...>) {
        return __builtin_shufflevector(numbers, numbers, static_cast<int>((part * width_of<V> + lane) / 3)...);
    }

    /// Normal random numbers of the particles from `first` on.
    template <class V> [[gnu::always_inline]] static Three<V> normals(NormalBlock const& block, std::size_t first) {
        V const x = load<V>(block.x + first), y = load<V>(block.y + first), z = load<V>(block.z + first);
        return {woven<0>(x, y, z, LaneIndices<V>{}), woven<1>(x, y, z, LaneIndices<V>{}),
                woven<2>(x, y, z, LaneIndices<V>{})};
    }
    template <std::size_t part, class V, std::size_t... lane>
    [[gnu::always_inline]] static V woven(V const& x, V const& y, V const& z, std::index_sequence<lane...>) {
        constexpr std::size_t width = width_of<V>, at = part * width;
        V const xy =
            __builtin_shufflevector(x, y, static_cast<int>((at + lane) / 3 + ((at + lane) % 3 == 1 ? width : 0))...);
        return __builtin_shufflevector(xy, z,
                                       static_cast<int>((at + lane) % 3 == 2 ? width + (at + lane) / 3 : lane)...);
    }
};

}  // namespace trotter
