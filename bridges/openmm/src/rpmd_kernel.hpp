// Kernel of ring polymer molecular dynamics.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <openmm/OpenMMException.h>
#include <openmm/RPMDIntegrator.h>
#include <openmm/RPMDMonteCarloBarostat.h>
#include <openmm/RpmdKernels.h>
#include <openmm/internal/OSRngSeed.h>
#include <trotter/rpmd/any_ring_polymer.hpp>

#include "engine.hpp"

namespace trotter::openmm {

/// Its ring polymer steps; the Context of the Engine holds one copy at a time, when OpenMM asks for its state.
struct RingKernel : EngineKernel<OpenMM::IntegrateRPMDStepKernel> {
    using EngineKernel::EngineKernel;
    using Theirs = OpenMM::RPMDIntegrator;
    using Vectors = std::vector<OpenMM::Vec3>;

    ~RingKernel() override { engine_.set_follower([](int) {}); }

    void initialize(OpenMM::System const& system, Theirs const& integrator) override {
        integrator_ = &integrator;
        for (int n = 0; n < system.getNumForces(); ++n)
            has_barostat_ = has_barostat_ || (acts_by_itself(system.getForce(n)) && !is_for_rings(system.getForce(n)));
        engine_.set_follower([this](int force) {
            if (ring_) engine_.system().visit_force(force, [&](auto const& own) { ring_->update(force, own); });
        });
    }
    void execute(OpenMM::ContextImpl&, Theirs const& integrator, bool) override {
        if (has_barostat_)
            throw OpenMM::OpenMMException(
                "Standard barostats cannot be used with RPMDIntegrator.  Use RPMDMonteCarloBarostat instead.");
        engine_.run([&](AnyContext& any) { step(any); });
        engine_.set_time(engine_.time() + integrator.getStepSize());
        engine_.set_step_count(engine_.step_count() + 1);
    }
    void setPositions(int copy, Vectors const& positions) override {
        ring().set_positions(copy, from_openmm(positions));
    }
    void setVelocities(int copy, Vectors const& velocities) override {
        ring().set_velocities(copy, from_openmm(velocities));
    }
    void copyToContext(int copy, OpenMM::ContextImpl&) override {
        engine_.set_positions(ring().positions(copy));
        engine_.set_velocities(ring().velocities(copy));
    }
    double computeKineticEnergy(OpenMM::ContextImpl&, Theirs const&) override {
        auto const tensor = engine_.any().kinetic_tensor(false);  // of particles: xx, yy, zz, …
        return 0.5 * (tensor[0] + tensor[1] + tensor[2]);
    }

private:
    rpmd::AnyRingPolymer& ring() {
        if (!ring_) make(engine_.any());
        return *ring_;
    }
    void make(AnyContext& any) {
        std::uint64_t const seed = static_cast<std::uint32_t>(osrngseed());
        ring_.emplace(engine_.system(), settings(), rpmd::ChosenBackend{engine_.choice()}, Double{}, seed);
        groups_ = integrator_->getIntegrationForceGroups();
        ring_->set_box(any.box());
    }
    RPMDIntegrator settings() const {
        return {.copies = integrator_->getNumCopies(),
                .temperature = integrator_->getTemperature(),
                .friction = integrator_->getFriction(),
                .step_size = integrator_->getStepSize(),
                .apply_thermostat = integrator_->getApplyThermostat(),
                .contractions = integrator_->getContractions(),
                .seed = static_cast<std::uint32_t>(integrator_->getRandomNumberSeed()),
                .force_groups = ForceGroups::mask(static_cast<std::uint32_t>(integrator_->getIntegrationForceGroups()))};
    }
    void step(AnyContext& any) {
        if (groups_ != integrator_->getIntegrationForceGroups()) make_anew(any);
        auto& ring = this->ring();
        auto const now = settings();
        ring.set_temperature(now.temperature);
        ring.set_friction(now.friction);
        ring.set_step_size(now.step_size);
        ring.set_apply_thermostat(now.apply_thermostat);
        ring.set_box(any.box());
        for (auto const& [name, value] : any.parameters()) ring.set_parameter(name, value);
        auto const before = ring.evaluations();
        ring.step(1);
        Engine::evaluations += static_cast<long long>(ring.evaluations() - before);
    }
    /// With other force groups, keeping positions and velocities.
    void make_anew(AnyContext& any) {
        if (!ring_) return;
        std::vector<std::pair<std::vector<Vec3<>>, std::vector<Vec3<>>>> copies;
        for (int n = 0; n < ring_->copies(); ++n) copies.emplace_back(ring_->positions(n), ring_->velocities(n));
        make(any);
        for (int n = 0; auto const& [positions, velocities] : copies) {
            ring_->set_positions(n, positions);
            ring_->set_velocities(n++, velocities);
        }
    }

    Theirs const* integrator_ = nullptr;
    bool has_barostat_ = false;
    int groups_ = 0;
    std::optional<rpmd::AnyRingPolymer> ring_;
};

}  // namespace trotter::openmm
