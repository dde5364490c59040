// CustomManyParticleForce on devices.
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
#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace device {

/// The kernel, up to its body and all of it, loops over the sets that begin with a particle and one of its neighbors.
/// `suffix` ends literals.
inline constexpr char const* many_particle_head = R"(
KERNEL void add_sets(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                     NEAR_PARAMETERS, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate* RESTRICT fields,
                     GLOBAL const coordinate* RESTRICT parameters, GLOBAL const coordinate4* RESTRICT tables,
                     GLOBAL const int* RESTRICT begins, GLOBAL const int* RESTRICT excluded,
                     GLOBAL const int* RESTRICT allowed, GLOBAL coordinate* RESTRICT kept, int shares, int has_sums) {
)";
std::string many_particle_text(CustomManyParticleForce const& force, RuntimeFormula const& formula,
                               std::string const& suffix);

/// Evaluates particle sets from neighbor lists. Particles that no type filter allows are in no list.
template <DeviceQueue Q> class ManyParticle {
public:
    ManyParticle(CustomManyParticleForce const& force, Engine<Q>& engine, Registration who) : sets_(force, engine, who) {
        upload(engine);
    }

    void compute(Engine<Q>& engine, Request const& request) {
        if (!sets_.begin(engine, request) || sets_.near.sites() == 0) return;
        auto const text = [&] { return many_particle_text(force(), sets_.formula(), engine.types.coordinate_suffix()); };
        sets_.compile(text, engine);
        bool const are_single = force().particles_per_set == 1;
        if (!are_single) sets_.near.find(engine);
        sets_.launch(engine, request, are_single ? 1 : sets_.near.shares(request.energy), fields_, sets_.parameters(),
                     sets_.tables(), exclusions_.begins(), exclusions_.partners(), allowed_);
    }
    double late_energy(Engine<Q>& engine, Request const& request) { return sets_.late_energy(engine, request); }
    /// Updates everything but the Context's parameters.
    void update(CustomManyParticleForce const& force, Engine<Q>& engine) {
        sets_.update(force, engine);
        upload(engine);
    }

private:
    CustomManyParticleForce const& force() const { return sets_.force(); }
    void upload(Engine<Q>& engine) {
        auto& queue = engine.queue;
        std::size_t const count = force().particles.size(),
                          places = static_cast<std::size_t>(force().particles_per_set);
        std::vector<std::int32_t> allowed(std::max<std::size_t>(count, 1));
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t place = 0; place < places; ++place)
                if (force().allows(place, force().particles[i].type)) allowed[i] |= 1 << place;
        allowed_ = Array<Q, std::int32_t>(queue, allowed);
        fields_ = NumberArray<Q>(queue,
                                 columns_of(force().particles, force().parameter_names.size(),
                                            [](auto const& particle) { return particle.parameters; }),
                                 engine.types.coordinate_is_double);
        auto const excluded = excluded_partners(force().exclusions, count);
        exclusions_.upload(queue, excluded);
        bool const is_central = force().permutations == CustomManyParticleForce::Permutations::unique_central;
        auto sites = allowed_at(allowed, is_central || places == 1 ? 1 : ~0),
             others = allowed_at(allowed, is_central ? ~1 : ~0);
        auto excluded_others = excluded_of(sites, others, excluded);
        sets_.near.upload(engine, std::move(sites), std::move(others), std::move(excluded_others), force().uses_cutoff());
    }
    // Particles allowed at any of the set positions whose bits are set.
    std::vector<std::int32_t> allowed_at(std::vector<std::int32_t> const& allowed, std::int32_t places) const {
        std::vector<std::int32_t> result;
        for (std::size_t i = 0; i < force().particles.size(); ++i)
            if (allowed[i] & places) result.push_back(static_cast<std::int32_t>(i));
        return result;
    }
    // For each site, the indices of excluded others, including itself.
    std::vector<std::vector<std::int32_t>> excluded_of(std::vector<std::int32_t> const& sites,
                                                       std::vector<std::int32_t> const& others,
                                                       std::vector<std::vector<std::int32_t>> const& excluded) const {
        std::vector<std::int32_t> number(force().particles.size(), -1);
        for (std::size_t n = 0; n < others.size(); ++n)
            number[static_cast<std::size_t>(others[n])] = static_cast<std::int32_t>(n);
        std::vector<std::vector<std::int32_t>> result;
        for (auto const site : sites) {
            auto& numbers = result.emplace_back();
            auto const add = [&](std::int32_t particle) {
                if (auto const n = number[static_cast<std::size_t>(particle)]; n >= 0) numbers.push_back(n);
            };
            add(site);
            for (auto const particle : excluded[static_cast<std::size_t>(site)]) add(particle);
        }
        return result;
    }

    SetEnergy<Q, CustomManyParticleForce, many_particle_head> sets_;
    Array<Q, std::int32_t> allowed_;
    NumberArray<Q> fields_;
    PartnerLists<Q> exclusions_;
};

}  // namespace device

/// CustomManyParticleForce on a device.
template <DeviceBackend B, Precision P>
struct Kernel<CustomManyParticleForce, B, P> : device::LateKernel<device::ManyParticle<typename B::Queue>> {
    using Kernel::LateKernel::LateKernel;
};

}  // namespace trotter
