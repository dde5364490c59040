// What the forces of one Context on a device share: arrays, the box, sums, terms, pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/force_sums.hpp>
#include <trotter/device/host_forces.hpp>
#include <trotter/device/integration/virtual_sites.hpp>
#include <trotter/device/kinetic_energy.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/numbers.hpp>
#include <trotter/device/pair_forces.hpp>
#include <trotter/device/pairs/pairs.hpp>
#include <trotter/device/reciprocal_sum.hpp>
#include <trotter/device/state.hpp>
#include <trotter/device/step_begin.hpp>
#include <trotter/device/sums.hpp>
#include <trotter/device/terms.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/host/integrators/common.hpp>
#include <trotter/kernel.hpp>
#include <trotter/kernels/common.hpp>

namespace trotter {

/// A backend whose tag opens a queue on one of its devices.
template <class B>
concept DeviceBackend = HostBackend<B> && device::DeviceQueue<typename B::Queue> && requires(B const& backend) {
    { backend.open() } -> std::same_as<typename B::Queue>;
};

namespace device {

/// How exactly forces are summed up, which the text of all kernels knows. In units of 2^-32, a force of 0.001 kJ/mol/nm
/// has 7 digits.
struct Accuracy {
    bool keeps_rests = false;  ///< to 2^-64 kJ/mol/nm: for a container that multiplies them
    /// Pairs with a cutoff that are close to each other have the difference of their positions, not of places in float:
    /// for a container, whose energy may depend on such a pair alone.
    bool are_close_pairs_exact = false;
};

/// One implementation for all queues and precisions: which types numbers have is a matter of the text.
template <DeviceQueue Q> class Engine {
public:
    Engine(Q open_queue, NumberTypes (*types_on)(DeviceFacts const&), Particles const& particles, Box const& system_box,
           std::uint64_t seed, int copies = 1, Accuracy how_exact = {})
        : host(particles, system_box, 1, seed),
          queue(std::move(open_queue)),
          types(types_on(queue.facts())),
          accuracy(how_exact),
          padded(static_cast<std::size_t>(copies) * ((host.size() / static_cast<std::size_t>(copies) + 31) / 32 * 32)),
          state(host, padded, types, queue),
          forces(padded, accuracy.keeps_rests, queue),
          failures(queue, std::vector<std::int32_t>{0}),
          sites(host.particles) {
        host.copies = copies;
    }

    HostEngine host;
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
    Sums<Q> sums;
    Terms<Q> terms;
    Pairs<Q> pairs;
    VirtualSites<Q> sites;
    HostForces<Q> host_forces;
    KineticEnergy<Q> kinetic;

    /// Copies the state into `host`; the device keeps it.
    void refresh_host() {
        state.refresh_clock();
        catch_up();
        if (!state.is_copy_old()) return;
        forces.download(host.forces);
        state.copy_to_host();
    }
    /// `host` becomes the state.
    void give_state() {
        refresh_host();
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
                                  + "\n#define SUM_WIDTH " + std::to_string(Sums<Q>::width) + '\n' + forces.defines()
                                  + "#define EXACT_CLOSE_PAIRS " + (accuracy.are_close_pairs_exact ? "1\n" : "0\n");
        std::string const whole = types.preamble() + sizes + defines + kernels::common + text;
        if constexpr (CompilesBeside<Q>)
            return queue.compile_beside(whole);
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
    double total(int slot) const { return totals_.empty() ? 0 : totals_[static_cast<std::size_t>(slot)]; }

private:
    std::vector<std::function<void()>> after_pairs_;  // of the evaluation that has begun
    std::vector<double> totals_;
    std::uint64_t interruptions_ = 0;
};

}  // namespace device

/// The engine of a device backend: that of its queue, with the types that the precision says.
template <DeviceBackend B, Precision P> class Engine<B, P> {
public:
    Engine(B const& tag, Particles const& particles, Box const& box, std::uint64_t seed, device::Accuracy accuracy = {})
        : backend(tag),
          device(opened(backend), types_on(backend), particles, box, seed, copies_on(backend), accuracy),
          host(device.host) {}

    B backend;
    double opening_seconds = 0;  ///< that the device took to open: to start its driver and make a queue
    device::Engine<typename B::Queue> device;
    HostEngine& host;

    void begin(Request const& request) { device.begin(request); }
    void finish(Request const& request) { device.finish(request); }
    /// The name of the one that was chosen, which the tag need not know.
    std::string_view precision() const {
        auto const& types = device.types;
        return types.real_is_double ? Double::name : types.mixed_is_double ? Mixed::name : Single::name;
    }
    /// What a sentence says of forces behind "a finite number".
    static constexpr std::string_view range_of_forces = " within the 10^9 kJ/mol/nm that a device can add up";
    /// Of the numbers that forces are computed in.
    double real_epsilon() const {
        return device.types.real_is_double ? std::numeric_limits<double>::epsilon()
                                           : std::numeric_limits<float>::epsilon();
    }
    double memory() const { return static_cast<double>(device.queue.facts().memory); }  ///< of the device [bytes]
    /// `host` holds the state afterwards, and may be changed.
    void bring_home() { device.give_state(); }
    /// `host` has a copy of the state afterwards, or of time and step size alone.
    void refresh_host() { device.refresh_host(); }
    void refresh_clock() { device.state.refresh_clock(); }
    bool is_away() const { return device.state.is_on_device(); }
    /// Wherever the state is.
    void set_box(Box const& box) { device.state.set_box(box); }
    void abandon() { device.abandon(); }
    /// Of the engine of a container's forces, which a formula may multiply.
    device::Accuracy accuracy_inside(bool are_multiplied) const {
        return {are_multiplied || device.accuracy.keeps_rests, true};
    }
    /// A particle where a step on the device found no finite number or could not satisfy constraints, or -1.
    int failed_particle() { return device.failed_particle(); }

    /// The terms of a force, which wait for `finish` to be launched with all others.
    template <HasTerms F> struct TermsOf {
        F force;
        int number;
    };
    template <HasTerms F> TermsOf<F> register_part(F const& force, Registration who) {
        return {force, device.terms.add(force, device, who)};
    }
    template <HasTerms F> double compute_part(TermsOf<F> const&, Request const&) { return 0; }
    template <HasTerms F> void update_part(TermsOf<F>& terms, F const& force) {
        check_same_terms(terms.force, force);
        check_term_numbers(force);
        device.terms.update(terms.number, terms.force = force, device);
    }
    /// Other terms.
    template <HasTerms F> void replace_part(TermsOf<F>& terms, F const& force, Registration) {
        device.terms.replace(terms.number, terms.force = force);
    }
    template <HasTerms F> double late_energy(TermsOf<F> const& terms, Request const& request) {
        auto const& kind = device.terms.kind(terms.number);
        if (request.parameter_derivatives)
            for (auto const& [name, slot] : kind.derivative_slots)
                host.parameter_derivatives[name] += device.total(slot);
        return device.total(kind.energy_slot);
    }

    /// The pairs of a force, likewise.
    template <HasPairs F> using PairsOf = device::PairForces<typename B::Queue, F>;
    template <HasPairs F> PairsOf<F> register_part(F const& force, Registration who) { return {force, device, who}; }
    template <class F> double compute_part(device::PairForces<typename B::Queue, F>& pairs, Request const& request) {
        pairs.compute(device, request);
        return 0;
    }
    template <HasPairs F> void update_part(PairsOf<F>& pairs, F const& force) { pairs.update(force, device); }

    /// Charges on a mesh, likewise.
    using ReciprocalSum = device::ReciprocalSum<typename B::Queue>;
    ReciprocalSum register_part(ReciprocalCharges const& charges, Registration who) { return {charges, device, who}; }
    double compute_part(ReciprocalSum& sum, Request const& request) {
        sum.compute(device, request);
        return 0;
    }
    void update_part(ReciprocalSum& sum, ReciprocalCharges const& charges) { sum.update(charges, device); }
    void update_part(ReciprocalSum& sum, std::vector<double> charges) { sum.set_charges(std::move(charges), device); }
    double late_energy(ReciprocalSum& sum, Request const& request) { return sum.late_energy(device, request); }
    template <class F> double late_energy(device::PairForces<typename B::Queue, F>& pairs, Request const& request) {
        return pairs.late_energy(device, request);
    }

    /// The state is at home, and the device has a copy of it at most.
    template <class Archive> void save(Archive& archive) {
        host.save(archive);
        device.pairs.save(device, archive);
    }
    template <class Archive> void load(Archive& archive) {
        host.load(archive);
        device.pairs.load(device, archive);
    }

private:
    auto opened(B const& backend) {
        auto const start = std::chrono::steady_clock::now();
        auto queue = backend.open();
        opening_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return queue;
    }
    /// A backend whose precision is chosen at run time says what numbers are.
    static auto types_on(B const& backend) {
        if constexpr (requires { backend.types_on; })
            return backend.types_on;
        else
            return &device::NumberTypes::of<P>;
    }
    static int copies_on(B const& backend) {
        if constexpr (requires { backend.copies; })
            return backend.copies;
        else
            return 1;
    }
};

}  // namespace trotter
