// Evaluations that throw for NaN, infinity and particles faster than light.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trotter/core/finite.hpp>
#include <trotter/core/request.hpp>
#include <trotter/error.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// [nm/ps]
inline constexpr double speed_of_light = 299792.458;

/// The first particle whose force accelerates it beyond the speed of light within a step of `step_size`, or is not
/// finite; -1 if there is none.
template <class Host> int first_too_strong(Host& host) {
    constexpr std::size_t grain = 8192;
    auto const& forces = host.forces;
    double const most = speed_of_light / host.step_size, most2 = std::fmin(most * most, std::numeric_limits<double>::max());
    auto const acceleration2 = [&](std::size_t i) {
        Vec3<> const acceleration = forces[i] * host.inverse_masses[i];
        return dot(acceleration, acceleration);
    };
    std::vector<int> first(forces.size() / grain + 1, -1);  // of each range
    auto search = [&](std::size_t begin, std::size_t end) {
        // If the sum is small enough, each term is, and all are finite. Eight sums are independent of each other.
        double sums[8] = {};
        std::size_t i = begin;
        for (; i + 8 <= end; i += 8)
            for (std::size_t k = 0; k < 8; ++k) sums[k] += acceleration2(i + k);
        for (; i < end; ++i) sums[0] += acceleration2(i);
        if (((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])) <= most2) return;
        i = begin;
        while (i < end && is_finite(forces[i]) && !(acceleration2(i) > most2)) ++i;
        if (i < end) first[begin / grain] = static_cast<int>(i);
    };
    host.threads.for_ranges(forces.size(), search, grain);
    for (int const found : first)
        if (found >= 0) return found;
    return -1;
}

/// Throws SimulationError if a particle moved farther in one step than light, and the force on it was strong enough to
/// reach that speed from rest: the step is too large for the force, and the new position is meaningless. Newton's
/// equations fail far below. Excluded are particles that are fast by themselves, that a user, an integrator or a
/// barostat places, or that a strong force moves a little, as in a minimization.
template <class Context> [[gnu::cold]] void check_thrown(Context& context) {
    auto& host = context.engine().host;
    auto strong = std::move(*host.strong_forces);
    host.strong_forces.reset();
    for (int const particle : strong.particles) {
        auto const index = static_cast<std::size_t>(particle);
        Vec3<> const moved = host.positions[index] - strong.positions[index];
        double const distance = std::hypot(moved.x, moved.y, moved.z);  // the square may overflow
        if (distance <= speed_of_light * host.step_size) continue;
        host.positions.swap(strong.positions);
        double most = 0;
        (void)force_with_nan(context, particle, strong.request, [&](Vec3<> const& force) {
            most = std::fmax(most, norm(force));
            return false;
        });
        auto const source =
            force_with_nan(context, particle, strong.request, [&](Vec3<> const& force) { return norm(force) >= most; });
        host.positions.swap(strong.positions);
        char length[32];
        std::snprintf(length, sizeof length, "%.3g", distance);
        throw SimulationError("step " + std::to_string(context.step_count()) + ": " + host.name_of(particle)
                              + " was thrown " + length
                              + " nm in one step, farther than light gets; the force on it comes from " + source);
    }
}

/// Records what `check_thrown` needs after the particles have moved.
template <class Context> [[gnu::cold]] void note_strong_forces(Context& context, int first, Request const& request) {
    auto& host = context.engine().host;
    double const most = speed_of_light / host.step_size;
    host.strong_forces = {{}, host.positions, request};
    for (auto i = static_cast<std::size_t>(first); i < host.size(); ++i)
        if (norm(host.forces[i]) * host.inverse_masses[i] > most) host.strong_forces->particles.push_back(static_cast<int>(i));
}

/// Evaluates the forces of a Context. Throws for NaN while the positions are still finite, so that each force can be
/// evaluated again. Checks the sum of the energies, which costs nothing; +infinity may be the energy of a trial move,
/// which is then rejected.
template <class Context> double evaluate_checked(Context& context, Request const& request) {
    auto& host = context.engine().host;
    if (host.strong_forces) check_thrown(context);
    double const energy = context.evaluate_unchecked(request);
    if (request.energy && !(energy > -std::numeric_limits<double>::infinity()))
        throw_nan_energy(context, "step " + std::to_string(context.step_count()) + ": ");
    // A device checks by itself: see `check_device`.
    if constexpr (requires { context.engine().is_state_on_device(); })
        if (context.engine().is_state_on_device()) return energy;
    if (int const particle = first_too_strong(host); particle >= 0) {
        if (int const other = first_not_finite(host.forces, host.threads); other >= 0)
            throw_nan_force(context, other, request);
        note_strong_forces(context, particle, request);
    }
    return energy;
}

/// Throws SimulationError if a device that holds the state has recorded a failure.
template <class Context> void check_device(Context& context) {
    auto& engine = context.engine();
    if constexpr (requires { engine.failed_particle(); }) {
        int const particle = engine.failed_particle();
        if (particle < 0) return;
        engine.move_state_to_host();
        check_finite(context);
        evaluate_checked(context, Request{engine.host.integration_groups, false});
        throw SimulationError("step " + std::to_string(context.step_count()) + ": the constraints of "
                              + engine.host.name_of(particle) + " cannot be satisfied");
    }
}

}  // namespace trotter
