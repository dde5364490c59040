// Motions with different temperatures in a System with Drude oscillators.
// SPDX-License-Identifier: MIT
#include <trotter/drude/motions.hpp>

#include <cmath>
#include <cstdint>
#include <string>

#include <trotter/error.hpp>
#include <trotter/units.hpp>

namespace trotter::drude {
namespace {

/// Marks the members of a pair; throws InputError for an invalid one.
void claim(int particle, std::vector<bool>& is_claimed, std::string_view integrator) {
    auto const which = [&] {
        return "a pair of the " + std::string(integrator) + " has particle " + std::to_string(particle);
    };
    if (particle < 0 || static_cast<std::size_t>(particle) >= is_claimed.size())
        throw InputError(which() + ", but the System has " + std::to_string(is_claimed.size()) + " particles");
    if (is_claimed[static_cast<std::size_t>(particle)])
        throw InputError(which() + ", which is in a pair already, expected each particle once");
    is_claimed[static_cast<std::size_t>(particle)] = true;
}

}  // namespace

Motions::Motions(std::vector<Pair> const& pairs, HostState const& host, std::string_view integrator) {
    std::vector<bool> is_claimed(host.size());
    for (auto const& [drude, parent] : pairs) {
        claim(drude, is_claimed, integrator);
        claim(parent, is_claimed, integrator);
        auto const i = static_cast<std::size_t>(drude), j = static_cast<std::size_t>(parent);
        double const mass = host.particles.masses[i] + host.particles.masses[j];
        if (host.inverse_masses[i] == 0)
            is_claimed[j] = false;
        else if (host.inverse_masses[j] == 0)
            tethered_.push_back(i);
        else
            pairs_.push_back(
                {i, j, host.particles.masses[i] / mass, 1 / mass, host.inverse_masses[i] + host.inverse_masses[j]});
    }
    for (std::size_t i = 0; i < host.size(); ++i)
        if (!is_claimed[i] && host.inverse_masses[i] != 0) single_.push_back(i);
}

void Motions::draw_velocities(HostState& host, double temperature, double drude_temperature,
                              RandomStream const& stream) const {
    auto const draw = [&](std::size_t i, double of_temperature, double inverse_mass) {
        return stream.normals(0, static_cast<std::uint32_t>(i))
               * std::sqrt(constants::gas_constant * of_temperature * inverse_mass);
    };
    for (auto& velocity : host.velocities) velocity = {};
    for (std::size_t const i : single_) host.velocities[i] = draw(i, temperature, host.inverse_masses[i]);
    for (std::size_t const i : tethered_) host.velocities[i] = draw(i, drude_temperature, host.inverse_masses[i]);
    for (auto const& pair : pairs_) {
        PairMotion motion({}, {}, pair.share);
        motion.center = draw(pair.parent, temperature, pair.inverse_mass);
        motion.relative = draw(pair.drude, drude_temperature, pair.inverse_reduced_mass);
        host.velocities[pair.drude] = motion.drude(pair.share);
        host.velocities[pair.parent] = motion.parent(pair.share);
    }
}

ByMotion Motions::kinetic_energies(HostState const& host, std::vector<Vec3<>> const& velocities) const {
    ByMotion twice;
    for (std::size_t const i : single_) twice.system += host.particles.masses[i] * dot(velocities[i], velocities[i]);
    for (std::size_t const i : tethered_) twice.drude += host.particles.masses[i] * dot(velocities[i], velocities[i]);
    for (auto const& pair : pairs_) {
        PairMotion const motion(velocities[pair.drude], velocities[pair.parent], pair.share);
        twice.system += dot(motion.center, motion.center) / pair.inverse_mass;
        twice.drude += dot(motion.relative, motion.relative) / pair.inverse_reduced_mass;
    }
    return {0.5 * twice.system, 0.5 * twice.drude};
}

ByMotion Motions::temperatures(HostState const& host, std::vector<Vec3<>> const& velocities) const {
    auto const drude_freedom = static_cast<double>(3 * (tethered_.size() + pairs_.size()));
    double const freedom = host.particles.degrees_of_freedom(host.removes_motion) - drude_freedom;
    auto const temperature = [](double energy, double degrees) {
        return degrees > 0 ? 2 * energy / (degrees * constants::gas_constant) : 0;
    };
    auto const [system, drude] = kinetic_energies(host, velocities);
    return {temperature(system, freedom), temperature(drude, drude_freedom)};
}

}  // namespace trotter::drude
