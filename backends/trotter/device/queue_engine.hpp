// What the forces of one Context on a device share: arrays, the box, sums, terms, pairs.
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

/// How exactly forces are summed up, which the text of all kernels knows. In units of 2^-32, a force of 0.001 kJ/mol/nm
/// has 7 digits.
struct Accuracy {
    bool keeps_residuals = false;  ///< to 2^-64 kJ/mol/nm: for a container that multiplies them
    /// Pairs with a cutoff that are close to each other have the difference of their positions, not of places in float:
    /// for a container, whose energy may depend on such a pair alone.
    bool are_close_pairs_exact = false;
};

/// One implementation for all queues and precisions: which types numbers have is a matter of the text.
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
    std::size_t padded;  ///< number of particles, that of each copy rounded up to a multiple of 32
    State<Q> state;
    NumberArray<Q> const &positions = state.positions(), &velocities = state.velocities(), &box = state.box();
    Array<Q, mm_ulong> const& step_counter = state.step_counter();
    ForceSums<Q> forces;
    Array<Q, std::int32_t> failures;  ///< one more than a particle whose constraints could not be satisfied, or 0
    StepBegin step_begin;
    Accumulators<Q> sums;
    Terms<Q> terms;
    Pairs<Q> pairs;
    VirtualSites<Q> sites;
    HostComputedForces<Q> host_forces;
    KineticEnergy<Q> kinetic;

    /// Copies the state into `host`; the device keeps it.
    void sync_to_host() {
        state.sync_clock();
        catch_up();
        if (!state.is_copy_old()) return;
        forces.download(host.forces);
        state.copy_to_host();
    }
    /// `host` becomes the state.
    void move_state_to_host() {
        sync_to_host();
        state.release();
    }
    /// Gives what waits for the next step, and joins what was given beside: before somebody looks at the state.
    void catch_up() {
        step_begin.give(*this);
        join();
    }
    /// Σ m v²/2 [kJ/mol] with velocities as they are, wherever the state is.
    double stored_kinetic_energy() {
        if (!state.is_on_device()) return trotter::stored_kinetic_energy(host);
        catch_up();
        return kinetic.sum(*this, velocities);
    }
    /// Positions as they are now, wherever the state is.
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
    /// After an exception: what waits for the next step is dropped, and what is on the device is taken for granted no more,
    /// nor by a recorded step.
    void abandon() {
        ++interruptions_;
        queue.version().advance();
        step_begin.drop();
        forces.forget();
        ++host.evaluations;
        if (state.is_on_device()) state.moving_positions();
    }
    /// How often that has been: an array that the last launch to use it leaves clear may be so only while this stays.
    std::uint64_t interruptions() const { return interruptions_; }

    int add_particle_sum() { return forces.add_particle_sum(); }

    /// Launches that need what pairs add up, to be given once, when all pairs have been.
    void after_pairs(std::function<void()> work) { after_pairs_.push_back(std::move(work)); }

    /// Gives `work`, launches alone, beside what follows until `join`; in line where the queue cannot branch.
    template <class Work> void beside(Work&& work) {
        if constexpr (HasGraphs<Q>)
            queue.fork(std::forward<Work>(work));
        else
            std::forward<Work>(work)();
    }
    /// What follows waits for what was given beside it.
    void join() {
        if constexpr (HasGraphs<Q>) queue.join();
    }

    /// Compiles text in the dialect, beside other work where the queue can; `defines` are lines in front of it.
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
        // All texts are on their way before the first launch waits for one.
        terms.prepare(*this);
        pairs.prepare(*this, request);
        forces.begin();
        sums.begin(*this, request.energy || request.parameter_derivatives);
    }
    /// Afterwards `host.forces` holds the forces where the host holds the state, and `total` knows what was summed.
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
    /// The sum of a slot of the last evaluation, 0 where nobody asked for sums.
    double total(int accumulator) const { return totals_.empty() ? 0 : totals_[static_cast<std::size_t>(accumulator)]; }

private:
    std::vector<std::function<void()>> after_pairs_;  // of the evaluation that has begun
    std::vector<double> totals_;
    std::uint64_t interruptions_ = 0;
};

}  // namespace trotter::device
