// The simulation state, on host or device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// Either the host holds the state, and the arrays serve to evaluate forces; or the device does, and `host` has a copy,
/// which may be out of date. Functions that return an array for writing make the device hold the state and the copy out
/// of date. Exceptions leave the state where it was.
template <DeviceQueue Q> class State {
public:
    State(HostState& host, std::size_t padded, NumberTypes const& types, Q& queue)
        : host_(host),
          queue_(queue),
          positions_(queue, 4 * padded, types.coordinate_is_double),
          velocities_(queue, 4 * padded, types.mixed_is_double),
          box_(queue, 12, types.coordinate_is_double),
          step_counter_(queue, 1) {}
    State(State const&) = delete;
    State& operator=(State const&) = delete;

    /// For kernels that read: four coordinates per particle, of which the last is 0 or the inverse mass.
    NumberArray<Q> const& positions() const { return positions_; }
    NumberArray<Q> const& velocities() const { return velocities_; }
    NumberArray<Q> const& box() const { return box_; }                        ///< three vectors, four coordinates each
    Array<Q, mm_ulong> const& step_counter() const { return step_counter_; }  ///< steps begun

    bool is_on_device() const { return is_on_device_; }
    /// Number of uploads from `host`.
    std::uint64_t arrivals() const { return arrivals_; }
    /// Number of changes of positions or box in the arrays.
    std::uint64_t motions() const { return motions_; }

    /// Moves the state to the device.
    void take() {
        if (is_on_device_) return;
        upload_positions();
        velocities_.upload(queue_,
                           numbers(host_.velocities, [this](std::size_t i) { return host_.inverse_masses[i]; }));
        step_counter_.upload(queue_, {static_cast<mm_ulong>(host_.step_count)});
        is_on_device_ = true;
        ++arrivals_;
    }
    /// For kernels that write.
    NumberArray<Q> const& moving_positions() {
        take();
        is_copy_old_ = true;
        ++motions_;
        return positions_;
    }
    NumberArray<Q> const& changing_velocities() {
        take();
        is_copy_old_ = true;
        return velocities_;
    }
    /// Marks the forces in `host` as out of date if the device holds the state.
    void forces_are_new() { is_copy_old_ = is_on_device_; }
    void set_box(Box const& box) {
        if (is_on_device_) upload_box(box);
        host_.box = box;
    }

    /// Uploads positions and box for a force evaluation.
    void show() {
        if (!is_on_device_) upload_positions();
    }
    /// Uploads other values than those of `host`, valid until `host` releases the state or uploads its own.
    void show(std::vector<double> const& positions, std::vector<double> const& box) {
        ++motions_;
        positions_.upload(queue_, positions);
        box_.upload(queue_, box);
    }

    bool is_copy_old() const { return is_copy_old_; }
    /// Copies the state to `host`; the device may keep it.
    void copy_to_host() {
        copy_positions(host_.positions);
        copy(velocities_, host_.velocities);
        is_copy_old_ = false;
    }
    void copy_positions(std::vector<Vec3<>>& to) const { copy(positions_, to); }
    /// Makes the host hold the state; its copy must be up to date.
    void release() { is_on_device_ = false; }

    /// For step sizes chosen on the device: calls `fetch` once, when time or step size of `host` are needed.
    void clock_is_ahead(std::function<void()> fetch) { fetch_clock_ = std::move(fetch); }
    bool is_clock_ahead() const { return static_cast<bool>(fetch_clock_); }
    void sync_clock() {
        if (auto const fetch = std::exchange(fetch_clock_, {})) fetch();
    }

private:
    void upload_positions() {
        ++motions_;
        positions_.upload(queue_, numbers(host_.positions, [](std::size_t) { return 0.0; }));
        upload_box(host_.box);
    }
    void upload_box(Box const& b) {
        ++motions_;
        box_.upload(queue_, {b.a.x, b.a.y, b.a.z, 0, b.b.x, b.b.y, b.b.z, 0, b.c.x, b.c.y, b.c.z, 0});
    }
    template <class Fourth> std::vector<double> numbers(std::vector<Vec3<>> const& from, Fourth const& fourth) const {
        std::vector<double> result(positions_.size());
        for (std::size_t i = 0; i < from.size(); ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis) result[4 * i + axis] = from[i][axis];
            result[4 * i + 3] = fourth(i);
        }
        return result;
    }
    void copy(NumberArray<Q> const& from, std::vector<Vec3<>>& to) const {
        auto const numbers = from.download(queue_);
        to.resize(host_.size());
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2]};
    }

    HostState& host_;
    Q& queue_;
    NumberArray<Q> positions_, velocities_, box_;
    Array<Q, mm_ulong> step_counter_;
    bool is_on_device_ = false, is_copy_old_ = false;
    std::uint64_t arrivals_ = 0, motions_ = 0;
    std::function<void()> fetch_clock_;
};

}  // namespace trotter::device
