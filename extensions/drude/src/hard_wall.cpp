// A hard wall around the parents of Drude particles.
// SPDX-License-Identifier: MIT
#include <trotter/drude/hard_wall.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/error.hpp>
#include <trotter/units.hpp>

namespace trotter::drude {
namespace {

[[gnu::cold]] SimulationError too_far(HostState const& host, Pair const& pair, double found, double distance) {
    return SimulationError("step " + std::to_string(host.step_count) + ": Drude " + host.name_of(pair.drude) + " is "
                           + std::to_string(found) + " nm from its parent, more than twice as far as the hard wall at "
                           + std::to_string(distance) + " nm; the step size may be too large");
}

}  // namespace

// The pair came from the wall at its relative speed, during at most the whole step, and goes back for as long.
void reflect(HostState& host, std::vector<Pair> const& pairs, double distance, double temperature, double dt) {
    double const kT = constants::gas_constant * temperature;
    for (auto const& pair : pairs) {
        auto const i = static_cast<std::size_t>(pair.drude), j = static_cast<std::size_t>(pair.parent);
        Vec3<> const difference = host.positions[i] - host.positions[j];
        double const found = norm(difference), beyond = found - distance;
        double const drude_inverse = host.inverse_masses[i], parent_inverse = host.inverse_masses[j];
        if (!(beyond > 0) || drude_inverse == 0) continue;
        if (beyond > distance) throw too_far(host, pair, found, distance);
        double const share = drude_inverse / (drude_inverse + parent_inverse);  // of the relative motion
        Vec3<> const direction = difference / found;
        double const speed = dot(host.velocities[i] - host.velocities[j], direction);
        double const back = std::sqrt(kT * drude_inverse) * (speed < 0 ? 1 : -1);
        double const time = speed == 0 ? dt : std::min(dt, beyond / std::abs(speed));
        Vec3<> const move = direction * (back * time - beyond), change = direction * (back - speed);
        host.positions[i] += move * share;
        host.positions[j] -= move * (1 - share);
        host.velocities[i] += change * share;
        host.velocities[j] -= change * (1 - share);
    }
}

}  // namespace trotter::drude
