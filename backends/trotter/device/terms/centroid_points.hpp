// Centroids of particle groups as points for bonded terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/kernels/centroids.hpp>

namespace trotter::device {

/// The groups of all forces of a Context: computes their centroids before terms are evaluated, and distributes the
/// forces on centroids to the particles afterwards.
template <DeviceQueue Q> class CentroidPoints {
public:
    /// Returns the index of the first group.
    std::int32_t add(Centroids const& groups) {
        auto const first = static_cast<std::int32_t>(begins_.size() - 1);
        for (std::size_t n = 0; n < groups.count(); ++n)
            begins_.push_back(static_cast<std::int32_t>(weights_.size()) + groups.begins()[n + 1]);
        particles_.insert(particles_.end(), groups.particles().begin(), groups.particles().end());
        weights_.insert(weights_.end(), groups.weights().begin(), groups.weights().end());
        return first;
    }
    bool empty() const { return begins_.size() == 1; }
    /// Source required before that of terms.
    std::string text() const { return empty() ? std::string() : defines() + kernels::centroid_forces; }

    void prepare(Engine<Q>& engine) {
        std::size_t const count = begins_.size() - 1, least = count == 0 ? 1 : count;  // kernels take no empty array
        bool const is_double = engine.types.coordinate_is_double;
        at_ = NumberArray<Q>(engine.queue, 4 * least, is_double);
        forces_ = Array<Q, mm_ulong>(engine.queue, 7 * least);
        if (empty()) return;
        begin_array_ = Array<Q, std::int32_t>(engine.queue, begins_);
        particle_array_ = Array<Q, std::int32_t>(engine.queue, particles_);
        weight_array_ = NumberArray<Q>(engine.queue, weights_, is_double);
        kernels_.take(engine.compile(kernels::centroids, defines()));
    }
    /// Centroids, four coordinates each, and the forces on them, which `find` clears.
    NumberArray<Q> const& positions() const { return at_; }
    Array<Q, mm_ulong> const& forces() const { return forces_; }

    void find(Engine<Q>& engine) {
        launch<"find_centroids">(engine.queue, kernels_, groups(), engine.positions, begin_array_, particle_array_,
                                 weight_array_, at_, forces_);
    }
    void spread(Engine<Q>& engine) {
        launch<"spread_centroid_forces">(engine.queue, kernels_, groups(), engine.forces, forces_, begin_array_,
                                         particle_array_, weight_array_);
    }

private:
    std::string defines() const { return "#define CENTROIDS " + std::to_string(begins_.size() - 1) + '\n'; }
    LaunchGrid groups() const { return {begins_.size() - 1, 64}; }

    std::vector<std::int32_t> begins_{0}, particles_;
    std::vector<double> weights_;
    NumberArray<Q> at_, weight_array_;
    Array<Q, mm_ulong> forces_;
    Array<Q, std::int32_t> begin_array_, particle_array_;
    SourceKernels<Q, kernels::centroids> kernels_;
};

}  // namespace trotter::device
