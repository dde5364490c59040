// The engine of a device backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

#include <trotter/box.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/core/request.hpp>
#include <trotter/device/mesh/reciprocal_sum.hpp>
#include <trotter/device/pairs/pair_forces.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/kernel.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/parts/pairs/pairs.hpp>
#include <trotter/parts/terms/terms.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/precision.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// A backend whose tag opens a queue on one of its devices.
template <class B>
concept DeviceBackend = HostBackend<B> && device::DeviceQueue<typename B::Queue> && requires(B const& backend) {
    { backend.open() } -> std::same_as<typename B::Queue>;
};

/// The engine of a device backend: its queue's engine, with the number types of the precision.
template <DeviceBackend B, Precision P> class Engine<B, P> {
public:
    Engine(B const& tag, Particles const& particles, Box const& box, std::uint64_t seed, device::Accuracy accuracy = {})
        : backend(tag),
          device(opened(backend), types_on(backend), particles, box, seed, copies_on(backend), accuracy),
          host(device.host) {}

    B backend;
    double opening_seconds = 0;  ///< time to open the device: starting its driver and making a queue
    device::Engine<typename B::Queue> device;
    HostState& host;

    void begin(Request const& request) { device.begin(request); }
    void finish(Request const& request) { device.finish(request); }
    /// Name of the precision in use, which the tag need not know.
    std::string_view precision() const {
        auto const& types = device.types;
        return types.real_is_double ? Double::name : types.mixed_is_double ? Mixed::name : Single::name;
    }
    /// Follows "a finite number" in messages about forces.
    static constexpr std::string_view range_of_forces = " within the 10^9 kJ/mol/nm that a device can add up";
    /// Machine epsilon of the type that forces are computed in.
    double real_epsilon() const {
        return device.types.real_is_double ? std::numeric_limits<double>::epsilon()
                                           : std::numeric_limits<float>::epsilon();
    }
    double memory() const { return static_cast<double>(device.queue.properties().memory); }  ///< device memory [bytes]
    /// Makes `host` own the state, which may then be changed.
    void move_state_to_host() { device.move_state_to_host(); }
    /// Copies the state to `host`; `sync_clock` copies time and step size alone.
    void sync_to_host() { device.sync_to_host(); }
    void sync_clock() { device.state.sync_clock(); }
    bool is_state_on_device() const { return device.state.is_on_device(); }
    /// Sets the box, on host or device.
    void set_box(Box const& box) { device.state.set_box(box); }
    void abandon() { device.abandon(); }
    /// Accuracy of the inner engine of a container's forces, which a formula may multiply.
    device::Accuracy accuracy_inside(bool are_multiplied) const {
        return {are_multiplied || device.accuracy.keeps_residuals, true};
    }
    /// Particle for which a step on the device found a non-finite number or unsatisfiable constraints, or -1.
    int failed_particle() { return device.failed_particle(); }

    /// The terms of a force; `finish` launches them together with all others.
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
    /// Replaces the terms of a force.
    template <HasTerms F> void replace_part(TermsOf<F>& terms, F const& force, Registration) {
        device.terms.replace(terms.number, terms.force = force);
    }
    template <HasTerms F> double late_energy(TermsOf<F> const& terms, Request const& request) {
        auto const& kind = device.terms.kind(terms.number);
        if (request.parameter_derivatives)
            for (auto const& [name, accumulator] : kind.derivative_accumulators)
                host.parameter_derivatives[name] += device.total(accumulator);
        return device.total(kind.energy_accumulator);
    }

    /// The pairs of a force, likewise launched by `finish`.
    template <HasPairs F> using PairsOf = device::PairForces<typename B::Queue, F>;
    template <HasPairs F> PairsOf<F> register_part(F const& force, Registration who) { return {force, device, who}; }
    template <class F> double compute_part(device::PairForces<typename B::Queue, F>& pairs, Request const& request) {
        pairs.compute(device, request);
        return 0;
    }
    template <HasPairs F> void update_part(PairsOf<F>& pairs, F const& force) { pairs.update(force, device); }

    /// Charges on a mesh.
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

    /// The host must hold the state; the device has a copy at most.
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
    /// A backend whose precision is chosen at run time provides the number types.
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
