// Sums over all work-items: energies and parameter derivatives.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/sums.hpp>

namespace trotter::device {

/// Accumulators, each with one number per work-group of a launch; summed in a fixed order.
template <DeviceQueue Q> class Accumulators {
public:
    using Element = AnyReal;
    static constexpr std::size_t width = 4096;  ///< maximum work-groups of a launch that adds to accumulators

    /// Adds an accumulator; returns its index.
    int add() { return count_++; }

    /// Call before the first launch of an evaluation. Sums that were not requested are ignored.
    void begin(Engine<Q>& engine, bool is_wanted) {
        auto const count = static_cast<std::size_t>(count_);
        if (groups_.size() != count * width) {
            totals_ = NumberArray<Q>(engine.queue, count, engine.types.coordinate_is_double);
            groups_ = NumberArray<Q>(engine.queue, count * width, engine.types.coordinate_is_double);
        }
        if (count > 0 && is_wanted) groups_.clear(engine.queue);
    }
    /// Array that kernels add to; accumulator s begins at s*width.
    Argument argument() const { return groups_.argument(); }

    /// Returns each accumulator's sum; waits for the device.
    std::vector<double> totals(Engine<Q>& engine) {
        if (count_ == 0) return {};
        if (!is_compiled_) {
            kernels_.take(engine.compile(std::string(kernels::parts) + kernels::sums));
            is_compiled_ = true;
        }
        launch<"add_up">(engine.queue, kernels_, {static_cast<std::size_t>(count_), 64}, groups_, totals_,
                         static_cast<std::int32_t>(width));
        return totals_.download(engine.queue);
    }

private:
    int count_ = 0;
    bool is_compiled_ = false;
    NumberArray<Q> groups_, totals_;
    SourceKernels<Q, kernels::sums> kernels_;
};

}  // namespace trotter::device
