// What the forces of one Context on a device share: arrays, the box, sums, terms, pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/numbers.hpp>
#include <trotter/device/sums.hpp>
#include <trotter/device/terms.hpp>
#include <trotter/host/engine.hpp>
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
           std::uint64_t seed)
        : host(particles, system_box, 1, seed),
          queue(std::move(open_queue)),
          types(types_on(queue.facts())),
          padded((host.size() + 31) / 32 * 32),
          positions(queue, 4 * padded, types.coordinate_is_double),
          box(queue, 12, types.coordinate_is_double),
          forces(queue, 3 * padded) {}

    HostEngine host;
    Q queue;
    NumberTypes types;
    std::size_t padded;          ///< number of particles, rounded up to a multiple of 32
    NumberArray<Q> positions;    ///< four coordinates for each particle, the last is 0
    NumberArray<Q> box;          ///< three vectors, four coordinates each
    Array<Q, mm_ulong> forces;   ///< fixed-point: see kernels/common.hpp
    Sums<Q> sums;
    Terms<Q> terms;

    /// Compiles text in the dialect; `defines` are lines in front of it.
    typename Q::Program compile(std::string const& text, std::string const& defines = {}) {
        std::string const sizes = "#define NUM_ATOMS " + std::to_string(host.size()) + "\n#define PADDED_NUM_ATOMS "
                                  + std::to_string(padded) + "\n#define SUM_WIDTH " + std::to_string(Sums<Q>::width) + '\n';
        return queue.compile(types.preamble() + sizes + defines + kernels::common + text);
    }

    void begin(Request const&) {
        upload_state();
        forces.clear(queue);
        sums.begin(*this);
    }
    /// Afterwards `host.forces` holds the forces, and `energy` knows the energy of each force.
    void finish(Request const& request) {
        terms.launch_wanted(*this, request);
        totals_ = request.energy || request.parameter_derivatives ? sums.totals(*this) : std::vector<double>{};
        download_forces();
        if (!host.virtual_sites.empty()) host.virtual_sites.distribute_forces(host.positions, host.forces, host.box);
    }
    /// The sum of a slot of the last evaluation, 0 where nobody asked for sums.
    double total(int slot) const { return totals_.empty() ? 0 : totals_[static_cast<std::size_t>(slot)]; }

private:
    void upload_state() {
        std::vector<double> numbers(4 * padded);
        for (std::size_t i = 0; i < host.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) numbers[4 * i + axis] = host.positions[i][axis];
        positions.upload(queue, numbers);
        auto const& b = host.box;
        box.upload(queue, {b.a.x, b.a.y, b.a.z, 0, b.b.x, b.b.y, b.b.z, 0, b.c.x, b.c.y, b.c.z, 0});
    }
    void download_forces() {
        auto const numbers = forces.download(queue);
        constexpr double unit = 1.0 / 4294967296.0;
        for (std::size_t i = 0; i < host.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                host.forces[i][axis] = unit * static_cast<double>(static_cast<std::int64_t>(numbers[i + axis * padded]));
    }

    std::vector<double> totals_;
};

}  // namespace device

/// The engine of a device backend: that of its queue, with the types that the precision says.
template <DeviceBackend B, Precision P> class Engine<B, P> {
public:
    Engine(B const& backend, Particles const& particles, Box const& box, std::uint64_t seed)
        : device(backend.open(), device::NumberTypes::of<P>, particles, box, seed), host(device.host) {}

    device::Engine<typename B::Queue> device;
    HostEngine& host;

    void begin(Request const& request) { device.begin(request); }
    void finish(Request const& request) { device.finish(request); }

    /// The terms of a force, which wait for `finish` to be launched with all others.
    template <HasTerms F> struct TermsOf {
        F force;
        int number;
    };
    template <HasTerms F> TermsOf<F> register_parts(F const& force) { return {force, device.terms.add(force, device)}; }
    template <HasTerms F> double compute_parts(TermsOf<F> const&, Request const&) { return 0; }
    template <HasTerms F> void update_parts(TermsOf<F>& terms, F const& force) {
        check_terms(force, host.particles.count());
        check_same_terms(terms.force, force);
        device.terms.update(terms.number, terms.force = force);
    }
    template <HasTerms F> double late_energy(TermsOf<F> const& terms, Request const& request) {
        auto const& kind = device.terms.kind(terms.number);
        if (request.parameter_derivatives)
            for (auto const& [name, slot] : kind.derivative_slots) host.parameter_derivatives[name] += device.total(slot);
        return device.total(kind.energy_slot);
    }

    template <class Archive> void save(Archive& archive) const { host.save(archive); }
    template <class Archive> void load(Archive& archive) { host.load(archive); }
};

}  // namespace trotter
