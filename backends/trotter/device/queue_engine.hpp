// Data and services shared by the forces of one Context on a device: arrays, box, sums, terms, pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/integration/common.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/core/request.hpp>
#include <trotter/device/force_sums.hpp>
#include <trotter/device/host_forces.hpp>
#include <trotter/device/integration/kinetic_energy.hpp>
#include <trotter/device/pairs/pairs.hpp>
#include <trotter/device/runtime/accumulators.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/device/state.hpp>
#include <trotter/device/step_begin.hpp>
#include <trotter/device/terms/terms.hpp>
#include <trotter/device/virtual_sites/virtual_sites.hpp>
#include <trotter/kernels/common.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// Accuracy of force sums, compiled into all kernels. In units of 2^-32, a force of 0.001 kJ/mol/nm has 7 digits.
struct Accuracy {
    bool keeps_residuals = false;  ///< to 2^-64 kJ/mol/nm: for a container that multiplies them
    /// Computes the distance vector of close pairs within a cutoff from exact positions, not from float: for a
    /// container, whose energy may depend on such a pair alone.
    bool are_close_pairs_exact = false;
};

/// The engine for all queues and precisions; number types are defined in kernel source.
template <DeviceQueue Q> class Engine {
public:
    Engine(Q open_queue, NumberTypes (*types_on)(DeviceProperties const&), Particles const& particles,
           Box const& system_box, std::uint64_t seed, int copies = 1, Accuracy how_exact = {})
        : host(particles, system_box, 1, seed),
          queue(std::move(open_queue)),
          types(types_on(queue.properties())),
          accuracy(how_exact),
          padded(static_cast<std::size_t>(copies) * ((host.size() / static_cast<std::size_t>(copies) + 31) / 32 * 32)),
          state(host, padded, types, queue),
          forces(padded, accuracy.keeps_residuals, queue),
          failures(queue, std::vector<std::int32_t>{0}),
          sites(host.particles) {
        host.copies = copies;
    }

    HostState host;
    Q queue;
    NumberTypes types;
    Accuracy const accuracy;
    std::size_t padded;  ///< particle count, each copy's rounded up to a multiple of 32
    State<Q> state;
    NumberArray<Q> const &positions = state.positions(), &velocities = state.velocities(), &box = state.box();
    Array<Q, mm_ulong> const& step_counter = state.step_counter();
    ForceSums<Q> forces;
    Array<Q, std::int32_t> failures;  ///< one plus a particle whose constraints could not be satisfied, or 0
    StepBegin step_begin;
    Accumulators<Q> sums;
    Terms<Q> terms;
    Pairs<Q> pairs;
    VirtualSites<Q> sites;
    HostComputedForces<Q> host_forces;
    KineticEnergy<Q> kinetic;

    /// Copies the state to `host`; the device keeps it.
    void sync_to_host() {
        state.sync_clock();
        catch_up();
        if (!state.is_copy_old()) return;
        forces.download(host.forces);
        state.copy_to_host();
    }
    /// Makes `host` own the state.
    void move_state_to_host() {
        sync_to_host();
        state.release();
    }
    /// Launches work deferred to the next step and joins concurrent work; call before the state is read.
    void catch_up() {
        step_begin.give(*this);
        join();
    }
    /// Σ m v²/2 [kJ/mol] of the velocities as stored, on host or device.
    double stored_kinetic_energy() {
        if (!state.is_on_device()) return trotter::stored_kinetic_energy(host);
        catch_up();
        return kinetic.sum(*this, velocities);
    }
    /// Copies the present positions, from host or device.
    void copy_positions(std::vector<Vec3<>>& to) {
        if (state.is_on_device())
            state.copy_positions(to);
        else
            to = host.positions;
    }
    int failed_particle() {
        int const particle = failures.download(queue).front() - 1;
        if (particle >= 0) failures.upload(queue, {0});
        return particle;
    }
    /// Call after an exception: drops work deferred to the next step and invalidates what is cached on the device,
    /// including recorded steps.
    void abandon() {
        ++interruptions_;
        queue.version().advance();
        step_begin.drop();
        forces.forget();
        ++host.evaluations;
        if (state.is_on_device()) state.moving_positions();
    }
    /// Number of calls of `abandon`: an array cleared by its last launch may be clear only while this is unchanged.
    std::uint64_t interruptions() const { return interruptions_; }

    int add_particle_sum() { return forces.add_particle_sum(); }

    /// Adds launches that need the sums of all pairs; they run once, after the pairs.
    void after_pairs(std::function<void()> work) { after_pairs_.push_back(std::move(work)); }

    /// Runs launches concurrently with the work that follows until `join`; in order if the queue cannot branch.
    template <class Work> void beside(Work&& work) {
        if constexpr (HasGraphs<Q>)
            queue.fork(std::forward<Work>(work));
        else
            std::forward<Work>(work)();
    }
    /// Makes the work that follows wait for concurrent work.
    void join() {
        if constexpr (HasGraphs<Q>) queue.join();
    }

    /// Compiles source in the dialect, concurrently if the queue can; `defines` are inserted before it.
    typename Q::Program compile(std::string const& text, std::string const& defines = {}) {
        std::string const sizes = "#define NUM_ATOMS " + std::to_string(host.size()) + "\n#define PADDED_NUM_ATOMS "
                                  + std::to_string(padded) + "\n#define COPIES " + std::to_string(host.copies)
                                  + "\n#define SUM_WIDTH " + std::to_string(Accumulators<Q>::width) + '\n'
                                  + forces.defines() + "#define EXACT_CLOSE_PAIRS "
                                  + (accuracy.are_close_pairs_exact ? "1\n" : "0\n");
        std::string const whole = types.preamble() + sizes + defines + kernels::common + text;
        if constexpr (CompilesAsync<Q>)
            return queue.compile_async(whole);
        else
            return queue.compile(whole);
    }

    void begin(Request const& request) {
        ++host.evaluations;
        after_pairs_.clear();
        host_forces.begin();
        state.show();
        // Start all compilations before the first launch waits for one.
        terms.prepare(*this);
        pairs.prepare(*this, request);
        forces.begin();
        sums.begin(*this, request.energy || request.parameter_derivatives);
    }
    /// Completes an evaluation: downloads forces to `host.forces` if the host holds the state, and sums for `total`.
    void finish(Request const& request) {
        terms.launch_wanted(*this, request);
        pairs.launch_wanted(*this, request);
        for (auto const& work : std::exchange(after_pairs_, {})) work();
        host_forces.finish(*this);
        join();
        sites.distribute_forces(*this);
        totals_ = request.energy || request.parameter_derivatives ? sums.totals(*this) : std::vector<double>{};
        state.forces_are_new();
        if (!state.is_on_device()) forces.download(host.forces);
    }
    /// An accumulator's sum in the last evaluation; 0 if sums were not requested.
    double total(int accumulator) const { return totals_.empty() ? 0 : totals_[static_cast<std::size_t>(accumulator)]; }

private:
    std::vector<std::function<void()>> after_pairs_;  // of the current evaluation
    std::vector<double> totals_;
    std::uint64_t interruptions_ = 0;
};

}  // namespace trotter::device
