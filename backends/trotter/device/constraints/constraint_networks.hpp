// Constraint networks on the device: arrays, and launches for all of them.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <trotter/device/constraints/network_layout.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/constraint_networks.hpp>

namespace trotter::device {

/// The macro NETWORK_PARAMETERS, and its name: the last parameters of every kernel for `launch_concurrently`.
inline constexpr char const
    *network_definitions =
        "#define NETWORK_PARAMETERS GLOBAL const int* RESTRICT batches, GLOBAL const int* RESTRICT slots, "
        "GLOBAL const int2* RESTRICT pairs, GLOBAL const coordinate* RESTRICT squares, "
        "GLOBAL const int* RESTRICT color_ends, GLOBAL coordinate4* moves, GLOBAL coordinate4* frees, "
        "GLOBAL coordinate4* rates, GLOBAL coordinate4* directions, GLOBAL int* RESTRICT failures, int first_batch, "
        "int end_batch\n",
    *network_parameters = "NETWORK_PARAMETERS";

template <DeviceQueue Q> class ConstraintNetworks {
public:
    ConstraintNetworks(std::vector<std::vector<TiedPair>> const& networks, Engine<Q>& engine) {
        if (networks.empty()) return;
        NetworkLayout const layout(networks);
        small_count_ = layout.small_count;
        count_ = layout.count;
        slots_ = Array<Q, std::int32_t>(engine.queue, layout.slots);
        pairs_ = Array<Q, mm_int2>(engine.queue, layout.pairs);
        color_ends_ = Array<Q, std::int32_t>(engine.queue, layout.color_ends);
        batches_ = Array<Q, std::int32_t>(engine.queue, layout.batches);
        bool const is_double = engine.types.coordinate_is_double;
        squares_ = NumberArray<Q>(engine.queue, layout.squares, is_double);
        for (auto* array : {&moves_, &frees_, &rates_})
            *array = NumberArray<Q>(engine.queue, 4 * layout.slots.size(), is_double);
        directions_ = NumberArray<Q>(engine.queue, 4 * layout.pairs.size(), is_double);
    }

    bool empty() const { return count_ == 0; }

    /// Calls `launch(groups, first..., …)` for all batches concurrently with the work that follows until `engine.join`:
    /// small ones in groups of 64, others in groups of 512, whose work-items may have 128 registers and use some 80.
    void launch_concurrently(Engine<Q>& engine, auto const& launch, auto const&... first) {
        give(engine, launch, 0, small_count_, 64, first...);
        give(engine, launch, small_count_, count_, 512, first...);
    }

private:
    void give(Engine<Q>& engine, auto const& launch, std::size_t begin, std::size_t end, std::size_t size,
              auto const&... first) {
        if (begin == end) return;
        auto const& properties = engine.queue.properties();
        LaunchGrid const groups{std::min<std::size_t>(end - begin, 4096), std::min(size, properties.largest_group)};
        engine.beside([&] {
            launch(groups, first..., batches_, slots_, pairs_, squares_, color_ends_, moves_, frees_, rates_,
                   directions_, engine.failures, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
        });
    }

    std::size_t small_count_ = 0, count_ = 0;
    Array<Q, std::int32_t> slots_, color_ends_, batches_;
    Array<Q, mm_int2> pairs_;
    NumberArray<Q> squares_, moves_, frees_, rates_, directions_;
};

}  // namespace trotter::device
