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
#include <trotter/device/host_forces.hpp>
#include <trotter/device/integration/virtual_sites.hpp>
#include <trotter/device/kinetic_energy.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/numbers.hpp>
#include <trotter/device/pair_forces.hpp>
#include <trotter/device/pairs/pairs.hpp>
#include <trotter/device/reciprocal_sum.hpp>
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

/// One implementation for all queues and precisions: which types numbers have is a matter of the text.
template <DeviceQueue Q> class Engine {
public:
    Engine(Q open_queue, NumberTypes (*types_on)(DeviceFacts const&), Particles const& particles, Box const& system_box,
           std::uint64_t seed, int copies = 1)
        : host(particles, system_box, 1, seed),
          queue(std::move(open_queue)),
          types(types_on(queue.facts())),
          padded(static_cast<std::size_t>(copies) * ((host.size() / static_cast<std::size_t>(copies) + 31) / 32 * 32)),
          positions(queue, 4 * padded, types.coordinate_is_double),
          velocities(queue, 4 * padded, types.mixed_is_double),
          box(queue, 12, types.coordinate_is_double),
          forces(queue, 3 * padded + 32),
          step_counter(queue, 1),
          failures(queue, std::vector<std::int32_t>{0}),
          sites(host.particles) {
        host.copies = copies;
        forces.clear(queue);  // some look for its mark of failure before the first evaluation
    }

    HostEngine host;
    Q queue;
    NumberTypes types;
    std::size_t padded;         ///< number of particles, that of each copy rounded up to a multiple of 32
    NumberArray<Q> positions;   ///< four coordinates for each particle, the last is 0
    NumberArray<Q> velocities;  ///< likewise, the last is the inverse mass
    NumberArray<Q> box;         ///< three vectors, four coordinates each
    Array<Q, mm_ulong> forces;  ///< fixed-point, a mark of one that is none, and sums: see kernels/common.hpp
    Array<Q, mm_ulong> step_counter;  ///< steps begun
    Array<Q, std::int32_t> failures;  ///< one more than a particle whose constraints could not be satisfied, or 0
    Sums<Q> sums;
    Terms<Q> terms;
    Pairs<Q> pairs;
    VirtualSites<Q> sites;
    HostForces<Q> host_forces;
    KineticEnergy<Q> kinetic;

    /// The device's arrays become the state: what `host` holds is out of date until `refresh_host` or `give_state`.
    void take_state() {
        if (is_on_device_) return;
        upload_positions();
        upload_velocities();
        is_on_device_ = true;
        ++arrivals_;
    }
    /// How often the state has come from `host`.
    std::uint64_t arrivals() const { return arrivals_; }
    /// Copies the state into `host`; the device keeps it.
    void refresh_host() {
        refresh_clock();
        give_step_begin();
        join();
        if (is_host_fresh_) return;
        download_vectors(positions, host.positions);
        download_vectors(velocities, host.velocities);
        download_forces();
        is_host_fresh_ = true;
    }
    /// `host` becomes the state.
    void give_state() {
        refresh_host();
        is_on_device_ = false;
    }
    /// Where the device chooses the sizes of steps: `fetch` is called once, when time or step size of `host` are
    /// needed.
    void clock_is_ahead(std::function<void()> fetch) { fetch_clock_ = std::move(fetch); }
    bool is_clock_ahead() const { return static_cast<bool>(fetch_clock_); }
    void refresh_clock() {
        if (auto const fetch = std::exchange(fetch_clock_, {})) fetch();
    }
    /// Σ m v²/2 [kJ/mol] with velocities as they are, wherever the state is.
    double stored_kinetic_energy() {
        if (!is_on_device_) return trotter::stored_kinetic_energy(host);
        give_step_begin();
        join();
        return kinetic.sum(*this, velocities);
    }
    /// Positions as they are now, wherever the state is.
    void copy_positions(std::vector<Vec3<>>& to) {
        to = host.positions;
        if (is_on_device_) download_vectors(positions, to);
    }
    /// To be called by what changes positions or forces on the device.
    void host_is_out_of_date() {
        is_host_fresh_ = false;
        are_places_made_ = false;
    }
    /// To be called by what changes velocities alone, or takes care that places are right again.
    void velocities_have_changed() { is_host_fresh_ = false; }
    /// A step that puts the particles it moves into their slots saves the next evaluation a launch; it says so here,
    /// last of all.
    void places_were_made() { are_places_made_ = true; }
    void places_are_old() { are_places_made_ = false; }
    bool are_places_made() const { return are_places_made_; }
    bool is_on_device() const { return is_on_device_; }
    int failed_particle() {
        int const particle = failures.download(queue).front() - 1;
        if (particle >= 0) failures.upload(queue, {0});
        return particle;
    }

    /// One more fixed-point number for each particle that is 0 when an evaluation begins; returns its number, which
    /// texts know as that of a PARTICLE_SUM. For kernels when they are made.
    int add_particle_sum() {
        forces = Array<Q, mm_ulong>(queue, 3 * padded + 32 + static_cast<std::size_t>(particle_sums_ + 1) * padded);
        forces.clear(queue);
        return particle_sums_++;
    }

    /// From now on forces are summed to 2^-64 kJ/mol/nm, for a container that multiplies them: in units of 2^-32, a
    /// force of 0.001 kJ/mol/nm has 7 digits. For an engine whose state stays on the host, before its kernels are made.
    void keep_rests() {
        keeps_rests_ = true;
        for (int axis = 0; axis < 3; ++axis) add_particle_sum();
    }
    bool keeps_rests() const { return keeps_rests_; }
    /// From now on pairs with a cutoff that are close to each other have the difference of their positions, not of places
    /// in float: for a container, whose energy may depend on such a pair alone. Before kernels are made.
    void make_close_pairs_exact() { are_close_pairs_exact_ = true; }

    /// A step that clears the forces when it has used them saves the next evaluation a launch; it says so here.
    void forces_were_cleared() { forces_are_clear_ = true; }
    void make_forces_clear() {
        if (!std::exchange(forces_are_clear_, true)) forces.clear(queue);
    }

    /// Launches that need what pairs add up, to be given once, when all pairs have been.
    void after_pairs(std::function<void()> work) { after_pairs_.push_back(std::move(work)); }

    /// Launches that every step begins with, to be given once beside the forces of the next step, one after the other.
    void begin_step_with(std::function<void()> work) { at_step_begin_.push_back(std::move(work)); }
    /// Launches that only this step begins with, after those that it has by now: a recorded step cannot have them.
    template <class Work> void begin_this_step_with(Work&& work) {
        if (at_step_begin_.empty()) return std::forward<Work>(work)();
        is_step_unusual_ = true;
        begin_step_with(std::forward<Work>(work));
    }
    bool is_step_unusual() const { return is_step_unusual_; }
    /// Gives them.
    void give_step_begin() {
        is_step_unusual_ = false;
        if (at_step_begin_.empty()) return;
        beside([works = std::exchange(at_step_begin_, {})] {
            for (auto const& work : works) work();
        });
    }
    /// Drops them where a recorded step has them.
    void drop_step_begin() { at_step_begin_.clear(); }

    /// Gives `work`, launches alone, beside what follows until `join`; in line where the queue cannot branch.
    template <class Work> void beside(Work&& work) {
        if constexpr (HasGraphs<Q>) {
            queue.fork(std::forward<Work>(work));
            is_forked_ = true;
        } else
            std::forward<Work>(work)();
    }

    /// What follows waits for what was given beside it.
    void join() {
        if constexpr (HasGraphs<Q>)
            if (std::exchange(is_forked_, false)) queue.join();
    }

    /// Compiles text in the dialect, beside other work where the queue can; `defines` are lines in front of it.
    typename Q::Program compile(std::string const& text, std::string const& defines = {}) {
        std::string const sizes = "#define NUM_ATOMS " + std::to_string(host.size()) + "\n#define PADDED_NUM_ATOMS "
                                  + std::to_string(padded) + "\n#define COPIES " + std::to_string(host.copies)
                                  + "\n#define SUM_WIDTH " + std::to_string(Sums<Q>::width) + "\n#define PARTICLE_SUMS "
                                  + std::to_string(particle_sums_) + "\n#define KEEPS_RESTS "
                                  + (keeps_rests_ ? "1\n" : "0\n") + "#define EXACT_CLOSE_PAIRS "
                                  + (are_close_pairs_exact_ ? "1\n" : "0\n");
        std::string const whole = types.preamble() + sizes + defines + kernels::common + text;
        if constexpr (CompilesBeside<Q>)
            return queue.compile_beside(whole);
        else
            return queue.compile(whole);
    }

    void begin(Request const& request) {
        ++host.evaluations;
        if (!is_on_device_) upload_positions();
        // All texts are on their way before the first launch waits for one.
        terms.prepare(*this);
        pairs.prepare(*this, request);
        make_forces_clear();
        forces_are_clear_ = false;
        sums.begin(*this, request.energy || request.parameter_derivatives);
        after_pairs_.clear();
        host_forces.begin();
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
        if (is_on_device_) return host_is_out_of_date();
        download_forces();
    }
    /// The sum of a slot of the last evaluation, 0 where nobody asked for sums.
    double total(int slot) const { return totals_.empty() ? 0 : totals_[static_cast<std::size_t>(slot)]; }

    /// To be called by what changes the box of a state on the device.
    void upload_box() {
        auto const& b = host.box;
        box.upload(queue, {b.a.x, b.a.y, b.a.z, 0, b.b.x, b.b.y, b.b.z, 0, b.c.x, b.c.y, b.c.z, 0});
    }

private:
    void upload_positions() {
        are_places_made_ = false;
        upload_vectors(positions, host.positions, [](std::size_t) { return 0.0; });
        upload_box();
    }
    void upload_velocities() {
        upload_vectors(velocities, host.velocities, [this](std::size_t i) { return host.inverse_masses[i]; });
        step_counter.upload(queue, {static_cast<mm_ulong>(host.step_count)});
    }
    template <class Fourth>
    void upload_vectors(NumberArray<Q>& to, std::vector<Vec3<>> const& from, Fourth const& fourth) {
        std::vector<double> numbers(4 * padded);
        for (std::size_t i = 0; i < from.size(); ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis) numbers[4 * i + axis] = from[i][axis];
            numbers[4 * i + 3] = fourth(i);
        }
        to.upload(queue, numbers);
    }
    void download_vectors(NumberArray<Q>& from, std::vector<Vec3<>>& to) {
        auto const numbers = from.download(queue);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2]};
    }
    void download_forces() {
        auto const numbers = forces.download(queue);
        constexpr double unit = 1.0 / 4294967296.0, nan = std::numeric_limits<double>::quiet_NaN();
        auto const number = [&](std::size_t n) {
            return unit * static_cast<double>(static_cast<std::int64_t>(numbers[n]));
        };
        for (std::size_t i = 0; i < host.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::size_t const at = i + axis * padded;
                host.forces[i][axis] = number(at) + (keeps_rests_ ? unit * number(3 * padded + 32 + at) : 0);
            }
        if (auto const failed = numbers[3 * padded]; failed != 0)
            host.forces[static_cast<std::size_t>(failed - 1)] = {nan, nan, nan};
    }

    bool is_on_device_ = false, is_host_fresh_ = true, is_forked_ = false, forces_are_clear_ = false,
         are_places_made_ = false, is_step_unusual_ = false, keeps_rests_ = false, are_close_pairs_exact_ = false;
    std::uint64_t arrivals_ = 0;
    int particle_sums_ = 0;
    std::function<void()> fetch_clock_;
    std::vector<std::function<void()>> at_step_begin_, after_pairs_;
    std::vector<double> totals_;
};

}  // namespace device

/// The engine of a device backend: that of its queue, with the types that the precision says.
template <DeviceBackend B, Precision P> class Engine<B, P> {
public:
    Engine(B const& tag, Particles const& particles, Box const& box, std::uint64_t seed)
        : backend(tag),
          device(opened(backend), types_on(backend), particles, box, seed, copies_on(backend)),
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
    /// `host` holds the state afterwards, and may be changed.
    void bring_home() { device.give_state(); }
    /// `host` has a copy of the state afterwards, or of time and step size alone.
    void refresh_host() { device.refresh_host(); }
    void refresh_clock() { device.refresh_clock(); }
    bool is_away() const { return device.is_on_device(); }
    /// Wherever the state is.
    void set_box(Box const& box) {
        host.box = box;
        if (is_away()) device.upload_box();
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
