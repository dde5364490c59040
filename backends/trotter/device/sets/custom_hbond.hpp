// CustomHbondForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/device/sets/set_energy.hpp>
#include <trotter/forces/custom_hbond.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace device {

/// Acceptors per work-item for a donor: more than one without a cutoff, to add fewer forces on donors.
inline std::size_t acceptors_at_once(CustomHbondForce const& force) { return force.uses_cutoff() ? 1 : 32; }

/// The kernel over donors and their nearby acceptors, up to its body, and all of it.
inline constexpr char const* hbond_head = R"(
KERNEL void add_sets(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                     NEAR_PARAMETERS, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const int* RESTRICT donors,
                     GLOBAL const int* RESTRICT acceptors, GLOBAL const coordinate* RESTRICT donor_fields,
                     GLOBAL const coordinate* RESTRICT acceptor_fields, GLOBAL const coordinate* RESTRICT parameters,
                     GLOBAL const coordinate4* RESTRICT tables, GLOBAL coordinate* RESTRICT kept, int shares,
                     int has_sums) {
)";
std::string hbond_text(CustomHbondForce const& force, RuntimeFormula const& formula, std::string const& suffix);

/// Evaluates pairs of donors and nearby acceptors.
template <DeviceQueue Q> class Hbonds {
public:
    Hbonds(CustomHbondForce const& force, Engine<Q>& engine, Registration who) : sets_(force, engine, who) { upload(engine); }

    void compute(Engine<Q>& engine, Request const& request) {
        if (!sets_.begin(engine, request) || force().donors.empty() || force().acceptors.empty()) return;
        auto const text = [&] { return hbond_text(force(), sets_.formula(), engine.types.coordinate_suffix()); };
        sets_.compile(text, engine);
        sets_.near.find(engine);
        sets_.launch(engine, request, sets_.near.shares(request.energy, acceptors_at_once(force())), donors_, acceptors_,
                     donor_fields_, acceptor_fields_, sets_.parameters(), sets_.tables());
    }
    double late_energy(Engine<Q>& engine, Request const& request) { return sets_.late_energy(engine, request); }
    /// Updates everything but the Context's parameters.
    void update(CustomHbondForce const& force, Engine<Q>& engine) {
        sets_.update(force, engine);
        upload(engine);
    }

private:
    using Site = CustomHbondForce::Site;

    CustomHbondForce const& force() const { return sets_.force(); }
    void upload(Engine<Q>& engine) {
        auto& queue = engine.queue;
        bool const is_fine = engine.types.coordinate_is_double;
        auto const row_of = [](Site const& site) { return site.parameters; };
        auto const donors = particles_of(force().donors), acceptors = particles_of(force().acceptors);
        donors_ = Array<Q, std::int32_t>(queue, donors);
        acceptors_ = Array<Q, std::int32_t>(queue, acceptors);
        donor_fields_ = NumberArray<Q>(
            queue, columns_of(force().donors, force().donor_parameter_names.size(), row_of), is_fine);
        acceptor_fields_ = NumberArray<Q>(
            queue, columns_of(force().acceptors, force().acceptor_parameter_names.size(), row_of), is_fine);
        std::vector<std::vector<std::int32_t>> excluded(force().donors.size());
        for (auto const& [donor, acceptor] : force().exclusions)
            excluded[static_cast<std::size_t>(donor)].push_back(acceptor);
        auto const first_of = [](auto const& particles, std::size_t count) {
            return std::vector(particles.begin(), particles.begin() + static_cast<std::ptrdiff_t>(count));
        };
        sets_.near.upload(engine, first_of(donors, force().donors.size()), first_of(acceptors, force().acceptors.size()),
                          std::move(excluded), force().uses_cutoff());
    }
    // The first particles of all sites, then the second ones, … The formula does not use positions of particles that a
    // site lacks.
    static std::vector<std::int32_t> particles_of(std::vector<Site> const& sites) {
        std::vector<std::int32_t> result;
        for (auto const particle : {&Site::particle1, &Site::particle2, &Site::particle3})
            for (auto const& site : sites)
                result.push_back(site.*particle == -1 ? site.particle1 : site.*particle);
        result.resize(std::max<std::size_t>(result.size(), 1));
        return result;
    }

    SetEnergy<Q, CustomHbondForce, hbond_head> sets_;
    Array<Q, std::int32_t> donors_, acceptors_;
    NumberArray<Q> donor_fields_, acceptor_fields_;
};

}  // namespace device

/// CustomHbondForce on a device.
template <DeviceBackend B, Precision P>
struct Kernel<CustomHbondForce, B, P> : device::LateKernel<device::Hbonds<typename B::Queue>> {
    using Kernel::LateKernel::LateKernel;
};

}  // namespace trotter
