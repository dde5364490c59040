// Accumulates forces on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// Fixed-point accumulators, zero at the start of every evaluation: forces, a mark for non-finite forces, and other
/// per-particle sums over partners; see kernels/common.hpp. With residuals (three per-particle sums), forces are
/// summed to 2^-64 kJ/mol/nm.
template <DeviceQueue Q> class ForceSums {
public:
    using Element = mm_ulong;

    ForceSums(std::size_t padded, bool keeps_residuals, Q& queue)
        : queue_(queue), padded_(padded), keeps_residuals_(keeps_residuals), particle_sums_(keeps_residuals ? 3 : 0) {
        allocate();
    }

    Argument argument() const { return sums_.argument(); }
    /// Adds a per-particle sum; returns its index among the PARTICLE_SUMs of kernel source. Call when a kernel is
    /// constructed.
    int add_particle_sum() {
        int const number = particle_sums_++;
        allocate();
        return number;
    }
    std::string defines() const {
        return "#define PARTICLE_SUMS " + std::to_string(particle_sums_) + "\n#define KEEPS_RESIDUALS "
               + (keeps_residuals_ ? "1\n" : "0\n");
    }

    void clear() {
        sums_.clear(queue_);
        are_clear_ = true;
    }
    void make_clear() {
        if (!are_clear_) clear();
    }
    /// Starts an evaluation.
    void begin() {
        make_clear();
        are_clear_ = false;
    }
    /// Calls `launch`, whose kernels clear the sums after use; this saves the next evaluation a launch.
    template <class Launch> void cleared_by(Launch const& launch) {
        launch();
        are_clear_ = true;
    }
    /// Call after an exception: the contents are unknown.
    void forget() { are_clear_ = false; }

    /// Forces [kJ/mol/nm]; NaN for a marked particle.
    void download(std::vector<Vec3<>>& forces) const {
        auto const numbers = sums_.download(queue_);
        constexpr double unit = 1.0 / 4294967296.0, nan = std::numeric_limits<double>::quiet_NaN();
        auto const number = [&](std::size_t n) {
            return unit * static_cast<double>(static_cast<std::int64_t>(numbers[n]));
        };
        for (std::size_t i = 0; i < forces.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::size_t const at = i + axis * padded_;
                forces[i][axis] = number(at) + (keeps_residuals_ ? unit * number(3 * padded_ + 32 + at) : 0);
            }
        if (auto const failed = numbers[3 * padded_]; failed != 0)
            forces[static_cast<std::size_t>(failed - 1)] = {nan, nan, nan};
    }

private:
    // The mark may be read before the first evaluation.
    void allocate() {
        sums_ = Array<Q, mm_ulong>(queue_, 3 * padded_ + 32 + static_cast<std::size_t>(particle_sums_) * padded_);
        clear();
    }

    Q& queue_;
    std::size_t padded_;
    bool keeps_residuals_;
    int particle_sums_;
    Array<Q, mm_ulong> sums_;
    bool are_clear_ = false;
};

}  // namespace trotter::device
