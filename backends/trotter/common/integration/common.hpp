// Parameter checks and kinetic energies for all integrator kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/not_set.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/threads/sums.hpp>
#include <trotter/error.hpp>

namespace trotter {

[[gnu::cold]] inline void require_not_negative(std::string_view owner, char const* what, double value) {
    if (!(value >= 0 && std::isfinite(value)))
        throw InputError("the " + std::string(what) + " of " + std::string(owner) + " is " + std::to_string(value)
                         + ", expected a finite number that is not negative");
}
inline void require_positive(std::string_view owner, char const* what, double value) {
    if (!(value > 0 && std::isfinite(value)))
        throw InputError("the " + std::string(what) + " of " + std::string(owner) + " is " + std::to_string(value)
                         + ", expected a positive number");
}

/// Whether a step depends on temperature and friction, which a splitting without O may lack.
template <class I> constexpr bool needs_heat_bath() {
    if constexpr (requires { I::splitting.is_stochastic(); })
        return I::splitting.is_stochastic();
    else if constexpr (requires { I::nested_splitting.is_stochastic(); })
        return I::nested_splitting.is_stochastic();
    else
        return true;
}
template <class I> inline constexpr bool has_heat_bath = needs_heat_bath<I>();

/// Throws InputError for invalid parameters. The step size may still be 0: it is checked in each step.
template <class I> [[gnu::cold]] void check_integrator(I const& integrator) {
    auto const require_number = [](char const* what, double value) {
        require_set(I::name, what, value);
        require_not_negative(I::name, what, value);
    };
    require_number("step size", integrator.step_size);
    require_positive(I::name, "constraint tolerance", integrator.constraint_tolerance);
    if constexpr (has_heat_bath<I> && requires { integrator.temperature; })
        require_number("temperature", integrator.temperature);
    if constexpr (has_heat_bath<I> && requires { integrator.friction; })
        require_number("friction", integrator.friction);
    if constexpr (requires { integrator.error_tolerance; }) {
        require_positive(I::name, "error tolerance", integrator.error_tolerance);
        require_not_negative(I::name, "maximum step size", integrator.maximum_step_size);
    }
}

/// Copies vectors in parallel.
inline void copy_vectors(Threads& threads, std::vector<Vec3<>> const& from, std::vector<Vec3<>>& to) {
    to.resize(from.size());
    threads.for_each(from.size(), [&](std::size_t i) { to[i] = from[i]; });
}

/// Constrains the positions along the directions at `start`. Errors name the step.
inline void constrain_positions(HostState& host, std::vector<Vec3<>> const& start, double tolerance) {
    try {
        host.constraints.apply_to_positions(start, host.positions, tolerance, host.threads);
    } catch (SimulationError const& error) {
        throw SimulationError("step " + std::to_string(host.step_count) + ": " + error.what());
    }
}

/// Constrains one block of particles; `start` has the block's positions.
inline void constrain_positions(HostState& host, ParticleBlock const& block, Vec3<> const* start, double tolerance) {
    try {
        host.constraints.apply_to_positions(block, start, host.positions.data(), tolerance);
    } catch (SimulationError const& error) {
        throw SimulationError("step " + std::to_string(host.step_count) + ": " + error.what());
    }
}

/// 0 if the integrator has no noise, or no seed.
template <class I> std::uint64_t seed_of(I const& integrator) {
    if constexpr (requires { integrator.seed; })
        return integrator.seed;
    else
        return 0;
}

/// Σ m v²/2 [kJ/mol] of the stored velocities.
inline double stored_kinetic_energy(HostState& host) {
    return ordered_sum(host.threads, host.size(), [&](std::size_t i) {
        return 0.5 * host.particles.masses[i] * dot(host.velocities[i], host.velocities[i]);
    });
}

/// Velocities advanced by `offset` [ps] with the current forces, and projected on the constraints.
inline std::vector<Vec3<>> shifted_velocities(HostState& host, ForceEvaluator const& evaluate, double offset,
                                              double tolerance) {
    if (offset == 0) return host.velocities;
    evaluate({host.integration_groups, false});
    auto velocities = host.velocities;
    host.threads.for_each(host.size(),
                          [&](std::size_t i) { velocities[i] += host.forces[i] * (offset * host.inverse_masses[i]); });
    host.constraints.apply_to_velocities(host.positions, velocities, tolerance, host.threads);
    return velocities;
}

/// Σ m v²/2 [kJ/mol] of these velocities.
inline double shifted_kinetic_energy(HostState& host, ForceEvaluator const& evaluate, double offset, double tolerance) {
    if (offset == 0) return stored_kinetic_energy(host);
    auto const velocities = shifted_velocities(host, evaluate, offset, tolerance);
    return ordered_sum(host.threads, host.size(), [&](std::size_t i) {
        return 0.5 * host.particles.masses[i] * dot(velocities[i], velocities[i]);
    });
}

}  // namespace trotter
