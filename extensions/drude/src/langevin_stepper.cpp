// Step of the Langevin dynamics of Drude oscillators, on the host.
// SPDX-License-Identifier: MIT
#include <trotter/drude/langevin_stepper.hpp>

#include <cstdint>

#include <trotter/common/integration/noise.hpp>
#include <trotter/drude/hard_wall.hpp>

namespace trotter::drude {
namespace {

void check_drude(char const* what, double value) {
    require_set(DrudeLangevinIntegrator::name, what, value);
    require_not_negative(DrudeLangevinIntegrator::name, what, value);
}

}  // namespace

LangevinStepper::LangevinStepper(DrudeLangevinIntegrator const& integrator, HostState const& host, Registration who)
    : LiveIntegrator(integrator),
      motions_(integrator.pairs, host, integrator.name),
      stream_(host.random_stream(integrator.seed, who.stream)) {
    check_drude("Drude temperature", integrator.drude_temperature);
    check_drude("Drude friction", integrator.drude_friction);
    check_drude("maximum Drude distance", integrator.maximum_drude_distance);
}

void LangevinStepper::set_drude_temperature(double temperature) {
    check_drude("Drude temperature", temperature);
    integrator_.drude_temperature = temperature;
}
void LangevinStepper::set_drude_friction(double friction) {
    check_drude("Drude friction", friction);
    integrator_.drude_friction = friction;
}

void LangevinStepper::check_step() const { require_positive(integrator_.name, "step size", integrator_.step_size); }
LangevinStepper::Baths LangevinStepper::baths() const {
    double const dt = integrator_.step_size;
    return {Bath(integrator_.temperature, integrator_.friction, dt),
            Bath(integrator_.drude_temperature, integrator_.drude_friction, dt)};
}

void LangevinStepper::step(HostState& host, ForceEvaluator const& evaluate) {
    double const dt = integrator_.step_size;
    check_step();
    evaluate({host.integration_groups, false});
    draw_noise(host);
    kick(host);
    drift_(host, dt, integrator_.constraint_tolerance);
    if (integrator_.maximum_drude_distance > 0)
        reflect(host, integrator_.pairs, integrator_.maximum_drude_distance, integrator_.drude_temperature, dt);
    host.time += dt;
}

/// One vector for each particle: of a pair, the parent's drives the center of mass, the Drude particle's the relative
/// motion.
void LangevinStepper::draw_noise(HostState& host) {
    noise_.resize(host.size());
    auto const draw = static_cast<std::uint64_t>(host.step_count);
    host.threads.for_ranges(host.size(), [&](std::size_t from, std::size_t to) {
        NormalBlock block;
        for (std::size_t i = from; i < to; ++i) {
            if (i % NormalBlock::size == 0) host.fill_normals(stream_, draw, static_cast<std::uint32_t>(i), block);
            noise_[i] = block[i % NormalBlock::size];
        }
    });
}

void LangevinStepper::kick(HostState& host) const {
    auto const bath = baths();
    auto& velocities = host.velocities;
    auto const acceleration = [&](std::size_t i) { return host.forces[i] * host.inverse_masses[i]; };
    auto const kick_each = [&](std::vector<std::size_t> const& particles, Bath const& by) {
        host.threads.for_each(particles.size(), [&](std::size_t n) {
            auto const i = particles[n];
            velocities[i] = by(velocities[i], acceleration(i), noise_[i], host.inverse_masses[i]);
        });
    };
    kick_each(motions_.single(), bath.system);
    kick_each(motions_.tethered(), bath.drude);
    host.threads.for_each(motions_.pairs().size(), [&](std::size_t n) {
        auto const& [i, j, share, inverse_mass, inverse_reduced_mass] = motions_.pairs()[n];
        PairMotion motion(velocities[i], velocities[j], share);
        motion.center =
            bath.system(motion.center, (host.forces[i] + host.forces[j]) * inverse_mass, noise_[j], inverse_mass);
        motion.relative =
            bath.drude(motion.relative, acceleration(i) - acceleration(j), noise_[i], inverse_reduced_mass);
        velocities[i] = motion.drude(share);
        velocities[j] = motion.parent(share);
    });
}

double LangevinStepper::kinetic_energy(HostState& host, ForceEvaluator const& evaluate) {
    return shifted_kinetic_energy(host, evaluate, 0.5 * integrator_.step_size, integrator_.constraint_tolerance);
}

}  // namespace trotter::drude
