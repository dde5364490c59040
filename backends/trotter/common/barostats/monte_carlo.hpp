// Shared parts of the Monte Carlo barostats: trial schedule, acceptance, adaptive trial size, and current pressure.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <trotter/base/not_set.hpp>
#include <trotter/common/barostats/box_change.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/error.hpp>
#include <trotter/registration.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Largest trial change of a box. Adapts after ten or more trials: shrinks below an acceptance of 1/4, grows above 3/4.
struct TrialSize {
    double size = 0;  ///< 0 until the first trial
    std::int64_t tried = 0, accepted = 0;

    void record(bool was_accepted, double largest) {
        ++tried;
        accepted += was_accepted;
        if (tried < 10) return;
        bool const too_few = 4 * accepted<tried, too_many = 4 * accepted> 3 * tried;
        if (!too_few && !too_many) return;
        size = too_few ? size / 1.1 : std::min(size * 1.1, largest);
        tried = accepted = 0;
    }
    template <class Archive> void save(Archive& archive) const {
        archive.put(size);
        archive.put(tried);
        archive.put(accepted);
    }
    template <class Archive> void load(Archive& archive) {
        size = archive.template get<double>();
        tried = archive.template get<std::int64_t>();
        accepted = archive.template get<std::int64_t>();
    }
};

/// Trials of a barostat: their schedule, random numbers and acceptance.
template <class EngineType> class MonteCarloMoves {
public:
    template <class Barostat> MonteCarloMoves(Barostat const& barostat, EngineType& engine, Registration who)
        : change(barostat.scale_molecules_as_rigid),
          trial_change_(barostat.scale_molecules_as_rigid, engine),
          frequency_(barostat.frequency),
          random_(engine.host.random_stream(barostat.seed, who.stream)) {
        HostState const& host = engine.host;
        if (frequency_ < 0) refuse("frequency", std::to_string(frequency_), "0 or more steps");
        require_set(barostat.name, "temperature", barostat.temperature);
        if (!(barostat.temperature >= 0)) refuse("temperature", std::to_string(barostat.temperature), "0 or more");
        if (!host.is_periodic)
            throw InputError("a barostat needs a periodic System, but none of its forces takes periodic images");
    }

    /// Counts a step; returns true if a trial is due.
    bool is_due() {
        if (frequency_ == 0 || ++steps_since_ < frequency_) return false;
        steps_since_ = 0;
        ++tries_;
        return true;
    }
    /// The state, ready for a trial.
    HostState& hold(EngineType& engine) const { return trial_change_.hold(engine); }
    /// Random numbers of this trial, uniform in (0, 1), in blocks of four; the last of block 0 is for the acceptance.
    std::array<double, 4> uniforms(std::uint32_t block = 0) const { return random_.uniforms(tries_, block); }

    /// Changes to `box` with probability min(1, exp(-(ΔU + work)/kT + ln weight)); returns whether it was accepted.
    bool attempt(HostState& host, ForceEvaluator const& evaluate, Box const& box, double work, double log_weight,
                 double kT) {
        double const before = evaluate({host.integration_groups, true});
        trial_change_.apply(host, box);
        double const after = evaluate({host.integration_groups, true});
        double const cost = after - before + work - kT * log_weight;
        bool const accepted = cost <= 0 || uniforms()[3] < std::exp(-cost / kT);
        if (!accepted) trial_change_.undo(host);
        return accepted;
    }

    /// Tries to change the volume by up to the size of trial `which`. `scale_of(ratio)` returns the scale factors of
    /// the axes for that volume ratio, `work_of(change, scale)` the work [kJ/mol].
    template <class ScaleOf, class WorkOf> void try_volume(HostState& host, ForceEvaluator const& evaluate, double kT,
                                                           std::size_t which, ScaleOf const& scale_of,
                                                           WorkOf const& work_of) {
        TrialSize& trial = trials[which];
        double const volume = host.box.volume();
        if (trial.size == 0) trial.size = 0.01 * volume;
        double const change_of_volume = trial.size * (2 * uniforms()[0] - 1), ratio = 1 + change_of_volume / volume;
        bool accepted = false;
        if (ratio > 0) {
            Vec3<> const scale = scale_of(ratio);
            accepted = attempt(host, evaluate, scaled(host.box, scale), work_of(change_of_volume, scale),
                               change.mover_count(host) * std::log(scale.x * scale.y * scale.z), kT);
        }
        trial.record(accepted, 0.3 * host.box.volume());
    }

    template <class Archive> void save(Archive& archive) const {
        archive.put(steps_since_);
        archive.put(tries_);
        for (auto const& trial : trials) trial.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        steps_since_ = archive.template get<int>();
        tries_ = archive.template get<std::uint64_t>();
        for (auto& trial : trials) trial.load(archive);
    }

    BoxChange change;                 ///< for states on the host
    std::array<TrialSize, 3> trials;  ///< of the volume [nm³], one for each kind of trial

private:
    [[noreturn]] static void refuse(char const* what, std::string const& value, char const* wanted) {
        throw InputError("the " + std::string(what) + " of a barostat is " + value + ", expected " + wanted);
    }

    typename BoxChangeOf<EngineType>::Type trial_change_;
    int frequency_;
    RandomStream random_;
    int steps_since_ = 0;
    std::uint64_t tries_ = 0;
};

inline double kT_of(HostState const& host, std::string_view temperature_parameter) {
    return constants::gas_constant * host.parameters.value(temperature_parameter);
}
inline double pressure_of(HostState const& host, std::string_view pressure_parameter) {
    return constants::bar * host.parameters.value(pressure_parameter);
}

/// Strain for finite-difference derivatives of the energy.
inline constexpr double pressure_strain = 1e-3;

/// (Σ M V² - dU/dε)/V for strains ε of single axes [bar], from the stored velocities.
inline Vec3<> pressure_of_axes(HostState& host, ForceEvaluator const& evaluate, BoxChange& change) {
    auto const kinetic = change.kinetic_tensor(host);
    Box const box = host.box;
    Vec3<> result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3<> longer{1, 1, 1}, shorter{1, 1, 1};
        longer[axis] += pressure_strain;
        shorter[axis] -= pressure_strain;
        double const slope = change.energy_in(scaled(box, longer), host, evaluate)
                             - change.energy_in(scaled(box, shorter), host, evaluate);
        result[axis] = (kinetic[axis] - slope / (2 * pressure_strain)) / (box.volume() * constants::bar);
    }
    return result;
}

}  // namespace trotter
