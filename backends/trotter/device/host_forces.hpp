// Forces computed on the host concurrently with the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/kernels/host_forces.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// Host work of one evaluation. Positions are copied before any device work is launched; forces are added, in the order
/// of the work, while the device is busy.
template <DeviceQueue Q> class HostComputedForces {
public:
    /// Adds forces [kJ/mol/nm] for the positions [nm].
    using Work = std::function<void(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces)>;

    /// Announces a force with host work; steps are then not recorded.
    void expect() { are_expected_ = true; }
    bool are_expected() const { return are_expected_; }

    void begin() { works_.clear(); }
    void add(Work work, Engine<Q>& engine) {
        if (works_.empty()) engine.copy_positions(positions_);
        works_.push_back(std::move(work));
    }
    /// Call when all device work that can run concurrently has been launched.
    void finish(Engine<Q>& engine) {
        if (works_.empty()) return;
        forces_.assign(positions_.size(), {});
        for (auto const& work : std::exchange(works_, {})) work(positions_, forces_);
        if (on_device_.size() == 0) {
            kernels_.take(engine.compile(kernels::host_forces));
            on_device_ = Array<Q, mm_ulong>(engine.queue, size(engine));
        }
        on_device_.upload(engine.queue, fixed_point(size(engine), engine.padded));
        engine.join();
        launch<"add_host_forces">(engine.queue, kernels_, grid_for(engine.queue.properties(), 3 * engine.padded),
                                  engine.forces, on_device_);
    }

private:
    static std::size_t size(Engine<Q> const& engine) {
        return engine.accuracy.keeps_residuals ? 6 * engine.padded + 32 : 3 * engine.padded + 1;
    }
    std::vector<mm_ulong> fixed_point(std::size_t size, std::size_t padded) const {
        std::vector<mm_ulong> numbers(size);
        for (std::size_t i = 0; i < forces_.size(); ++i) {
            Vec3<> const& f = forces_[i];
            if (!(std::abs(f.x) + std::abs(f.y) + std::abs(f.z) < 1e9)) {
                numbers[3 * padded] = static_cast<mm_ulong>(i + 1);
                continue;
            }
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double const scaled = f[axis] * 4294967296.0, rounded = std::rint(scaled);
                numbers[i + axis * padded] = static_cast<mm_ulong>(std::llrint(rounded));
                if (std::size_t const rest_at = 3 * padded + 32 + i + axis * padded; rest_at < size)
                    numbers[rest_at] = static_cast<mm_ulong>(std::llrint((scaled - rounded) * 4294967296.0));
            }
        }
        return numbers;
    }

    bool are_expected_ = false;
    std::vector<Work> works_;
    std::vector<Vec3<>> positions_, forces_;
    Array<Q, mm_ulong> on_device_;
    SourceKernels<Q, kernels::host_forces> kernels_;
};

}  // namespace trotter::device
