// The Reference backend: plain loops in double, against which every other backend is tested.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/common/forces/box_virial.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/kernel.hpp>
#include <trotter/precision.hpp>
#include <trotter/reference/mesh/reciprocal_sum.hpp>
#include <trotter/reference/pairs.hpp>
#include <trotter/reference/terms.hpp>

namespace trotter {

/// Serial, double precision, written for clarity.
struct Reference {
    static constexpr std::string_view name = "Reference";  ///< in messages
    static constexpr bool keeps_state_on_host = true;  ///< a `HostBackend`: uses the host integrators
};

/// Whether backends without their own kernel for `F` use that of Reference, by `reference/fallback_forces.hpp`.
/// Specialized in the kernel's header.
template <class F> inline constexpr bool uses_reference_fallback = false;

/// Forces are added to `host.forces` serially.
template <> class Engine<Reference, Double> {
public:
    Engine(Reference const& tag, Particles const& particles, Box const& box, std::uint64_t seed)
        : backend(tag), host(particles, box, 1, seed) {}

    Reference backend;
    HostState host;

    void begin(Request const&) {
        ++host.evaluations;
        host.forces.assign(host.size(), {});
        if (host.box_virial) host.box_virial.emplace();
    }
    void finish(Request const&) {
        if (host.virtual_sites.empty()) return;
        host.virtual_sites.distribute_forces(host.positions, host.forces, host.box);
        if (host.box_virial) *host.box_virial += host.virtual_sites.box_virial(host.positions, host.forces, host.box);
    }

    template <HasTerms F> reference::Terms<F> register_part(F const& force, Registration who) { return {force, host, who}; }
    template <HasTerms F> double compute_part(reference::Terms<F> const& terms, Request const& request) {
        return terms.compute(host, request);
    }
    /// Throws InputError if more than the parameters of the terms has changed.
    template <HasTerms F> void update_part(reference::Terms<F>& terms, F const& force) { terms.update(force, host); }
    /// Replaces the terms.
    template <HasTerms F> void replace_part(reference::Terms<F>& terms, F const& force, Registration who) {
        terms = register_part(force, who);
    }

    template <HasPairs F> reference::Pairs<F> register_part(F const& force, Registration who) { return {force, host, who}; }
    template <HasPairs F> double compute_part(reference::Pairs<F>& pairs, Request const& request) {
        return pairs.compute(host, request);
    }
    template <HasPairs F> void update_part(reference::Pairs<F>& pairs, F const& force) { pairs.update(force, host); }

    reference::ReciprocalSum register_part(ReciprocalCharges const& charges, Registration who) {
        return {charges, host, who};
    }
    double compute_part(reference::ReciprocalSum& sum, Request const& request) { return sum.compute(host, request); }
    void update_part(reference::ReciprocalSum& sum, ReciprocalCharges const& charges) { sum.update(charges, host); }
    void update_part(reference::ReciprocalSum& sum, std::vector<double> charges) { sum.set_charges(std::move(charges)); }

    template <class Archive> void save(Archive& archive) const { host.save(archive); }
    template <class Archive> void load(Archive& archive) { host.load(archive); }
};

}  // namespace trotter
