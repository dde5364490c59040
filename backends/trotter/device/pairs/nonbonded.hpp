// Lennard-Jones and Coulomb pair interactions on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/common/forces/nonbonded.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/pairs/nonbonded_text.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Adds the interaction to the engine's pairs.
template <DeviceBackend B, Precision P> class NonbondedPairLoop<Engine<B, P>> {
    using EngineType = Engine<B, P>;
    using Q = typename B::Queue;

public:
    NonbondedPairLoop(NonbondedPairs const& pairs, EngineType& engine, Registration who)
        : pairs_(pairs),
          index_(who.index),
          sites_(engine.device.queue, 4 * engine.device.padded, engine.device.types.real_is_double),
          has_charges_(any_charges()) {
        upload(engine.device);
        number_ = engine.device.pairs.add(interaction(engine.device, engine.device.sums.add()));
    }
    NonbondedPairLoop(NonbondedPairLoop const&) = delete;
    NonbondedPairLoop& operator=(NonbondedPairLoop const&) = delete;

    double compute(EngineType&, Request const&) { return 0; }
    double late_energy(EngineType& engine) const {
        return engine.device.total(engine.device.pairs.interaction(number_).energy_accumulator);
    }
    void update(EngineType& engine) {
        auto& pairs = engine.device.pairs;
        if (bool const had = has_charges_; (has_charges_ = had || any_charges()) != had)
            pairs.replace(number_, interaction(engine.device, pairs.interaction(number_).energy_accumulator));
        upload(engine.device);
    }

private:
    device::PairInteraction interaction(device::Engine<Q>& engine, int energy_accumulator) {
        device::PairInteraction result{.force = index_, .group = pairs_.force.force_group};
        result.range = {pairs_.cutoff(), pairs_.force.is_periodic(), exclusions(pairs_.force)};
        result.text = device::nonbonded_pair_text(pairs_.space(), engine.types.real_is_double, has_charges_);
        result.parameters.push_back({"site", "real4", [this] { return sites_.argument(); }});
        result.sees_excluded = false;
        result.energy_accumulator = energy_accumulator;
        return result;
    }
    // Source includes charges once some particle has one, or may have one by an offset.
    bool any_charges() const {
        for (auto const& offset : pairs_.force.particle_offsets)
            if (offset.charge_scale != 0) return true;
        for (auto const& particle : pairs_.particles)
            if (particle.charge != 0) return true;
        return false;
    }
    void upload(device::Engine<Q>& engine) {
        site_numbers_.resize(4 * engine.padded);
        auto to = site_numbers_.begin();
        for (auto const& particle : pairs_.particles) {
            LennardJonesSite const site(particle);
            *to++ = std::sqrt(constants::coulomb) * particle.charge;
            *to++ = site.half_sigma;
            *to++ = site.root;
            *to++ = site.dispersion_charge;
        }
        sites_.upload(engine.queue, site_numbers_);
    }

    NonbondedPairs pairs_;
    int index_, number_ = -1;
    std::vector<double> site_numbers_;
    device::NumberArray<Q> sites_;
    bool has_charges_;
};

}  // namespace trotter
