// Step of the Langevin dynamics of Drude oscillators, on the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/drude/bath.hpp>
#include <trotter/drude/drift.hpp>
#include <trotter/drude/langevin.hpp>
#include <trotter/drude/motions.hpp>
#include <trotter/registration.hpp>

namespace trotter::drude {

/// Integrator with its step: a kick with friction and noise, a drift with constraints, the hard wall.
class LangevinStepper : public LiveIntegrator<DrudeLangevinIntegrator> {
public:
    /// Throws InputError for an invalid parameter or pair.
    LangevinStepper(DrudeLangevinIntegrator const& integrator, HostState const& host, Registration who);

    void step(HostState& host, ForceEvaluator const& evaluate);

    /// With velocities advanced by half a step, to the time of the positions.
    double kinetic_energy(HostState& host, ForceEvaluator const& evaluate);
    /// Velocities that a Context draws are taken as they are, as in OpenMM.
    double velocity_offset() const { return 0; }

    /// Throw InputError for an invalid value.
    void set_drude_temperature(double temperature);
    void set_drude_friction(double friction);

    void draw_velocities(HostState& host, double temperature, RandomStream const& stream) const {
        motions_.draw_velocities(host, temperature, integrator_.drude_temperature, stream);
    }
    /// Of the stored velocities [K].
    ByMotion temperatures(HostState const& host) const { return motions_.temperatures(host, host.velocities); }

    template <class Archive> void save(Archive& archive) const {
        LiveIntegrator::save(archive);
        archive.put(integrator_.drude_temperature);
        archive.put(integrator_.drude_friction);
    }
    template <class Archive> void load(Archive& archive) {
        LiveIntegrator::load(archive);
        integrator_.drude_temperature = archive.template get<double>();
        integrator_.drude_friction = archive.template get<double>();
    }

protected:
    /// Of the particles and centers of mass, and of the relative motion.
    struct Baths {
        Bath system, drude;
    };
    Baths baths() const;
    /// Throws InputError if the step size is not positive.
    void check_step() const;
    Motions const& motions() const { return motions_; }
    RandomStream const& stream() const { return stream_; }

private:
    void draw_noise(HostState& host);
    void kick(HostState& host) const;

    Motions motions_;
    RandomStream stream_;
    std::vector<Vec3<>> noise_;
    Drift drift_;
};

}  // namespace trotter::drude
