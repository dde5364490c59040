// Generalized hybrid Monte Carlo: splittings whose deterministic part is a Metropolis trial.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <trotter/common/integration/splitting.hpp>
#include <trotter/common/saved_state.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// The initial O partially refreshes the velocities; the rest of the splitting is a trial, accepted with probability
/// min(1, exp(-ΔH/kT)). After rejection, positions are restored and velocities reversed, which preserves the canonical
/// distribution for any step size: A. M. Horowitz, Phys. Lett. B 268, 247 (1991).
template <MetropolizedStep I, HostBackend B, Precision P> struct Kernel<I, B, P> : LiveIntegrator<I> {
    static_assert(I::splitting.letters[0] == 'O' && I::splitting.count('O') == 1,
                  "a metropolized splitting begins with its only O, as \"O V R V\"");
    static constexpr Splitting mix = I::splitting.template part<0, 1>();
    static constexpr Splitting trial = I::splitting.template part<1, I::splitting.letters.size()>();
    static_assert(trial.is_symmetric(), "what follows the O of a metropolized splitting reads the same from both ends");

    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator<I>(integrator),
          noise_(engine.host.random_stream(seed_of(integrator), who.stream)),
          mixing_({mix, integrator.force_groups}, noise_, engine.host.size()),
          trying_({trial, integrator.force_groups}, noise_, engine.host.size()) {}

    void step(HostState& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        auto const numbers = step_numbers(integrator_);
        if (!force_cache_.is_valid(host)) energy_ = evaluate({host.integration_groups, true});
        mixing_.step(host, evaluate, numbers);
        host.constraints.apply_to_velocities(host.positions, host.velocities, integrator_.constraint_tolerance, host.threads);
        double const before = energy_ + stored_kinetic_energy(host);
        before_.save(host);
        double energy = energy_;
        auto evaluate_anew = [&](Request const&) {
            return host.positions == before_.positions() ? energy_ : energy = evaluate({host.integration_groups, true});
        };
        double after = std::numeric_limits<double>::infinity();
        try {
            trying_.step(host, evaluate_anew, numbers);
            if constexpr (trial.letters.back() != 'V') energy = evaluate({host.integration_groups, true});
            after = energy + stored_kinetic_energy(host);
        } catch (SimulationError const&) {  // too long a step: forces or constraints fail
        }
        ++tried_;
        if (is_accepted(after - before, host)) {
            ++accepted_;
            energy_ = energy;
        } else {
            before_.restore(host);
            host.threads.for_each(host.size(), [&](std::size_t i) { host.velocities[i] = -host.velocities[i]; });
        }
        force_cache_.store(host);
        host.time += integrator_.step_size;
    }

    double kinetic_energy(HostState& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0; }
    /// Numbers of steps `tried` and `accepted`.
    std::map<std::string, double> parameters() const {
        return {{"tried", static_cast<double>(tried_)}, {"accepted", static_cast<double>(accepted_)}};
    }
    void set_parameters(std::map<std::string, double> const& parameters) {
        if (auto const found = parameters.find("tried"); found != parameters.end())
            tried_ = static_cast<std::int64_t>(found->second);
        if (auto const found = parameters.find("accepted"); found != parameters.end())
            accepted_ = static_cast<std::int64_t>(found->second);
    }
    // The energy is not saved: the next evaluation reproduces it bitwise.
    template <class Archive> void save(Archive& archive) const {
        LiveIntegrator<I>::save(archive);
        archive.put(tried_);
        archive.put(accepted_);
    }
    template <class Archive> void load(Archive& archive) {
        LiveIntegrator<I>::load(archive);
        tried_ = archive.template get<std::int64_t>();
        accepted_ = archive.template get<std::int64_t>();
        force_cache_ = {};
    }

private:
    bool is_accepted(double cost, HostState const& host) const {
        constexpr std::uint32_t no_particle = std::numeric_limits<std::uint32_t>::max();
        double const kT = constants::gas_constant * integrator_.temperature;
        return cost <= 0 || noise_.uniforms(static_cast<std::uint64_t>(host.step_count), no_particle)[0] < std::exp(-cost / kT);
    }

    using LiveIntegrator<I>::integrator_;
    RandomStream noise_;
    SequenceStepper mixing_, trying_;
    SavedState before_;
    ForceCache force_cache_;  // also for energy_
    double energy_ = 0;
    std::int64_t tried_ = 0, accepted_ = 0;
};

}  // namespace trotter
