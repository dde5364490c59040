// Steps of a ring polymer that stay on a device: to be included for OpenCl and Cuda.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/context/abandon.hpp>
#include <trotter/context/checked_evaluation.hpp>
#include <trotter/core/request.hpp>
#include <trotter/device/integration/recorded_step.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/kernels/noise.hpp>
#include <trotter/rpmd/device_text.hpp>
#include <trotter/rpmd/matrix.hpp>
#include <trotter/rpmd/ring.hpp>
#include <trotter/rpmd/ring_on_device.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>

namespace trotter::rpmd {

/// Takes the same steps as Ring, with normal modes on the device of a Context of all copies. Its noise differs from the
/// host's by rounding.
template <class Q> class DeviceRing {
public:
    DeviceRing(device::Engine<Q>& engine, RandomStream noise)
        : copies_(static_cast<std::size_t>(engine.host.copies)),
          particles_(engine.host.size() / copies_),
          noise_(noise),
          positions_(engine.queue, 3 * engine.host.size(), true),
          velocities_(engine.queue, 3 * engine.host.size(), true),
          forces_(engine.queue, 3 * engine.host.size(), true),
          numbers_(engine.queue, numbers_of_mode * copies_ + 1, true),
          matrix_(engine.queue, normal_modes(engine.host.copies).elements, true),
          inverse_masses_(engine.queue, engine.host.inverse_masses, true),
          counter_(engine.queue, 1) {}

    /// Whether the device has double precision, and memory for a particle in all copies in each work-group.
    static bool can_step(device::Engine<Q> const& engine) {
        return engine.types.coordinate_is_double
               && 3 * sizeof(double) * static_cast<std::size_t>(engine.host.copies)
                      <= engine.queue.properties().local_memory / 2;
    }

    /// Takes steps from a state with its forces. `is_stopping(step)`: whether the center of mass is stopped in this
    /// step.
    template <class ContextType, class IsStopping>
    void step(ContextType& context, Ring& ring, RPMDIntegrator const& integrator, ForceGroups const& groups,
              std::int64_t first, std::int64_t steps, IsStopping const& is_stopping, Threads& threads) {
        auto& engine = context.engine().device;
        context.set_step_count(first);
        context.set_positions(ring.positions());
        or_abandon(context.engine(), [&] {
            prepare(engine, ring.modes(threads), integrator, first);
            for (std::int64_t n = 0; n < steps; ++n) {
                take_step(context, engine, groups, is_stopping(first + n));
                ++engine.host.step_count;
                if (n % steps_between_checks == 0) check_device(context);
            }
            check_device(context);
        });
        Modes modes;
        for (auto const& [array, to] : {std::pair{&positions_, &modes.positions},
                                        std::pair{&velocities_, &modes.velocities}, std::pair{&forces_, &modes.forces}})
            *to = vectors(array->download(engine.queue));
        ring.take_state(std::move(modes), context.positions());
    }

private:
    static constexpr std::int64_t steps_between_checks = 64;  // each waits for the device

    static std::vector<double> numbers(CopyVectors const& vectors) {
        double const* const first = &vectors.data()->x;
        return {first, first + 3 * vectors.size()};
    }
    static CopyVectors vectors(std::vector<double> const& numbers) {
        CopyVectors result(numbers.size() / 3);
        for (std::size_t n = 0; n < result.size(); ++n)
            result[n] = {numbers[3 * n], numbers[3 * n + 1], numbers[3 * n + 2]};
        return result;
    }
    /// Particles of a work-group of 64: all their copies are in local memory.
    std::size_t particles_of_group() const { return std::max<std::size_t>(1, 64 / copies_); }

    void prepare(device::Engine<Q>& engine, Modes const& modes, RPMDIntegrator const& integrator, std::int64_t step) {
        if (!is_compiled_) compile(engine);
        positions_.upload(engine.queue, numbers(modes.positions));
        velocities_.upload(engine.queue, numbers(modes.velocities));
        forces_.upload(engine.queue, numbers(modes.forces));
        numbers_.set(engine.queue, mode_numbers(integrator));
        counter_.upload(engine.queue, {2 * static_cast<device::mm_ulong>(step)});
    }
    void compile(device::Engine<Q>& engine) {
        kernels_.take(engine.compile(kernels::noise + std::string(ring_kernels),
                                     "#define RING_ATOMS " + std::to_string(particles_of_group()) + "\n#define NUMBERS "
                                         + std::to_string(numbers_of_mode) + '\n'));
        is_compiled_ = true;
    }
    /// For each mode those that the kernels read, and half a step.
    std::vector<double> mode_numbers(RPMDIntegrator const& integrator) const {
        std::vector<double> result;
        for (int mode = 0; mode < static_cast<int>(copies_); ++mode) {
            auto const [decay, spread, cosine, advance, back] =
                mode_motion(mode, static_cast<int>(copies_), integrator);
            result.insert(result.end(), {decay, spread, cosine, advance, back});
        }
        result.push_back(integrator.step_size / 2);
        return result;
    }

    template <class ContextType>
    void take_step(ContextType& context, device::Engine<Q>& engine, ForceGroups const& groups, bool is_stopping) {
        engine.state.moving_positions();
        if (engine.pairs.sort_is_due(engine.host.step_count)) engine.pairs.sort(engine);  // not recorded
        engine.forces.make_clear();
        auto const as_it_comes = [&] { give(context, engine, groups, is_stopping); };
        if (engine.step_begin.is_unusual() || engine.host_forces.are_expected()) return as_it_comes();
        recorded_[is_stopping ? 1 : 0].give(engine, as_it_comes);
        engine.state.moving_positions();  // as in the recorded step
    }
    template <class ContextType>
    void give(ContextType& context, device::Engine<Q>& engine, ForceGroups const& groups, bool is_stopping) {
        std::size_t const groups_of_work = (particles_ + particles_of_group() - 1) / particles_of_group();
        device::LaunchGrid const grid{std::min<std::size_t>(groups_of_work, 65535), 64};
        auto const& positions = engine.state.moving_positions();
        device::launch<"begin_ring">(engine.queue, kernels_, grid, positions, positions_, velocities_, forces_,
                                     numbers_, matrix_, inverse_masses_, counter_, noise_.seed, noise_.stream);
        engine.sites.place(engine);
        if (is_stopping)
            device::launch<"stop_ring">(engine.queue, kernels_, {copies_, 64}, velocities_, inverse_masses_);
        context.evaluate_unchecked({groups, false});
        engine.forces.cleared_by([&] {
            device::launch<"end_ring">(engine.queue, kernels_, grid, engine.forces, velocities_, forces_, numbers_,
                                       matrix_, inverse_masses_, counter_, noise_.seed, noise_.stream, engine.failures);
        });
        device::launch<"count_ring">(engine.queue, kernels_, {1, 1}, counter_);
    }

    std::size_t copies_, particles_;
    RandomStream const noise_;
    device::NumberArray<Q> positions_, velocities_, forces_;  // by mode
    device::UploadedNumbers<Q> numbers_;
    device::NumberArray<Q> matrix_, inverse_masses_;
    device::Array<Q, device::mm_ulong> counter_;  // draws of noise
    device::SourceKernels<Q, ring_kernels> kernels_;
    device::RecordedStep<Q> recorded_[2];  // without and with stop_ring
    bool is_compiled_ = false;
};

}  // namespace trotter::rpmd
