// AmoebaVdwForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/device/vdw_text.hpp>
#include <trotter/amoeba/vdw.hpp>
#include <trotter/amoeba/vdw/dispersion_correction.hpp>
#include <trotter/amoeba/vdw/pair_parameters.hpp>
#include <trotter/amoeba/vdw/sites.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/pairs/pair_stage.hpp>
#include <trotter/device/runtime/changing_number.hpp>

namespace trotter::amoeba {

/// A loop over the pairs of particles within the cutoff, whose energy depends on the distance of their sites; the forces
/// on sites are then split between particles and parents.
template <device::DeviceQueue Q> class DeviceVdw {
    using Engine = device::Engine<Q>;
    using Numbers = device::NumberArray<Q>;

public:
    /// Parameters of pairs of types are in a table, which has a limit.
    static bool can_compute(AmoebaVdwForce const& force) { return PairParameters(force).type_count() <= 2048; }

    DeviceVdw(AmoebaVdwForce const& force, Engine& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          first_sum_(engine.add_particle_sum()),
          sites_(engine.queue, 4 * engine.padded, engine.types.real_is_double),
          factors_(engine.queue, 2 * engine.padded, engine.types.real_is_double),
          shares_(engine.queue, engine.padded, engine.types.real_is_double),
          types_(engine.queue.version()),
          soft_epsilon_(engine.queue.version(), engine.types.real_is_double),
          soft_shift_(engine.queue.version(), engine.types.real_is_double) {
        engine.add_particle_sum(), engine.add_particle_sum();
        engine.host.parameters.declare(AmoebaVdwForce::lambda, 1);
        accumulator_ = engine.sums.add();
        upload(engine);
        stage_.emplace(interaction(engine), engine);
    }
    DeviceVdw(DeviceVdw const&) = delete;
    DeviceVdw& operator=(DeviceVdw const&) = delete;

    void compute(Engine& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        stage_->prepare(device::PairSums::forces, engine);
        if (request.energy) stage_->prepare(device::PairSums::energies, engine);
        if (!is_compiled_) compile(engine);
        double const lambda = engine.host.parameters.value(AmoebaVdwForce::lambda);
        soft_epsilon_ = std::pow(lambda, force_.softcore_power);
        soft_shift_ = force_.softcore_alpha * (1 - lambda) * (1 - lambda);
        auto const grid = device::grid_for(engine.queue.properties(), engine.host.size());
        device::launch<"place_sites">(engine.queue, kernels_, grid, engine.positions, parents_, shares_, sites_);
        stage_->launch(device::PairSums::forces, engine);
        if (request.energy) stage_->launch(device::PairSums::energies, engine);
        device::launch<"split_forces">(engine.queue, kernels_, grid, engine.forces, engine.forces, parents_, shares_);
    }
    double late_energy(Engine& engine, Request const& request) const {
        if (!request.energy || !request.wants(index_, force_.force_group)) return 0;
        return engine.total(accumulator_) + (force_.is_periodic() ? correction_ / engine.host.box.volume() : 0);
    }
    /// Updates parameters of particles, types and pairs. Throws InputError if more has changed.
    void update(AmoebaVdwForce const& force, Engine& engine) {
        checked(force, engine);
        auto const same = [](auto const& a, auto const& b) { return a == b; };
        if (!same(force.method, force_.method) || !same(force.potential, force_.potential) || !same(force.alchemy, force_.alchemy)
            || !same(force.cutoff_distance, force_.cutoff_distance) || partners_of(force) != partners_
            || !can_compute(force))
            throw InputError("more than the parameters of particles has changed; a new Context is needed");
        force_ = force;
        upload(engine);
    }

private:
    static AmoebaVdwForce const& checked(AmoebaVdwForce const& force, Engine& engine) {
        check(force, engine.host.particles.count(), engine.host.box);
        if (engine.host.copies > 1) throw UnsupportedError("a batch of replicas has no AmoebaVdwForce");
        return force;
    }
    static std::vector<std::vector<int>> partners_of(AmoebaVdwForce const& force) {
        std::vector<std::vector<int>> result(force.particles.size());
        for (std::size_t i = 0; i < result.size(); ++i)
            for (int const j : force.particles[i].exclusions)
                if (j != static_cast<int>(i)) {
                    result[i].push_back(j);
                    result[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
                }
        for (auto& partners : result) {
            std::ranges::sort(partners);
            partners.erase(std::ranges::unique(partners).begin(), partners.end());
        }
        return result;
    }

    void upload(Engine& engine) {
        PairParameters const parameters(force_);
        types_ = static_cast<std::int32_t>(parameters.type_count());
        partners_ = partners_of(force_);
        correction_ = dispersion_correction(force_, parameters, engine.host.threads);
        std::vector<double> table, sites(4 * engine.padded), factors(2 * engine.padded), shares(engine.padded);
        std::vector<std::int32_t> parents(engine.padded);
        for (int type1 = 0; type1 < types_; ++type1)
            for (int type2 = 0; type2 < types_; ++type2) {
                auto const pair = parameters(type1, type2);
                table.insert(table.end(), {pair.sigma, pair.epsilon});
            }
        for (std::size_t i = 0; i < force_.particles.size(); ++i) {
            auto const& particle = force_.particles[i];
            sites[4 * i + 3] = parameters.types_of_particles()[i];
            factors[2 * i] = particle.scale;
            factors[2 * i + 1] = particle.is_alchemical;
            shares[i] = share_in_site(particle, i);
            parents[i] = particle.parent;
        }
        table_ = Numbers(engine.queue, table, engine.types.real_is_double);
        sites_.upload(engine.queue, sites);
        factors_.upload(engine.queue, factors);
        shares_.upload(engine.queue, shares);
        parents_ = device::Array<Q, std::int32_t>(engine.queue, parents);
    }
    device::PairInteraction interaction(Engine& engine) {
        device::PairInteraction result{.force = index_, .group = force_.force_group};
        result.range = {force_.is_periodic() ? force_.cutoff_distance : 0, force_.is_periodic(), partners_};
        result.text = vdw_pair_text(force_, engine.types);
        result.parameters = {{"site", "real4", [this] { return sites_.argument(); }, {}, {}},
                             {"factors", "real2", [this] { return factors_.argument(); }, {}, {}}};
        result.arguments = {{"int", "types", [this] { return types_.argument(); }},
                            {"GLOBAL const real2* RESTRICT", "pair_table", [this] { return table_.argument(); }},
                            {"real", "soft_epsilon", [this] { return soft_epsilon_.argument(); }},
                            {"real", "soft_shift", [this] { return soft_shift_.argument(); }}};
        for (int n = 0; n < 3; ++n) result.sums.push_back({std::string("f") + "xyz"[n], first_sum_ + n});
        result.has_forces = false;
        result.sees_excluded = false;
        result.energy_accumulator = accumulator_;
        return result;
    }
    void compile(Engine& engine) {
        kernels_.take(engine.compile("#define FIRST_SUM " + std::to_string(first_sum_) + '\n' + vdw_sites_text));
        is_compiled_ = true;
    }

    int index_;
    Box system_box_;
    AmoebaVdwForce force_;
    int first_sum_, accumulator_ = -1;
    std::vector<std::vector<int>> partners_;
    double correction_ = 0;  // times the volume
    Numbers sites_, factors_, shares_, table_;  // sites_: displacement from the particle, and type
    device::Array<Q, std::int32_t> parents_;
    device::ChangingNumber<std::int32_t> types_;
    device::ChangingReal soft_epsilon_, soft_shift_;
    std::optional<device::PairStage<Q>> stage_;
    bool is_compiled_ = false;
    device::SourceKernels<Q, vdw_sites_text> kernels_;
};

}  // namespace trotter::amoeba
