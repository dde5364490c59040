// The kernels of integrators: a step here for each of OpenMM's.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <openmm/CompoundIntegrator.h>
#include <openmm/kernels.h>

#include "engine.hpp"

namespace trotter::openmm {

/// Which of the Context's integrators it is.
int place_of(OpenMM::Integrator const& integrator, OpenMM::ContextImpl& context);

/// What can be changed between steps.
template <class I> IntegratorNumbers numbers_of(I const& integrator) {
    IntegratorNumbers result{.step_size = integrator.getStepSize()};
    auto& others = result.others;
    others = {integrator.getConstraintTolerance(), static_cast<double>(integrator.getIntegrationForceGroups())};
    if constexpr (requires { integrator.getErrorTolerance(); })
        others.insert(others.end(), {integrator.getErrorTolerance(), integrator.getMaximumStepSize()});
    if constexpr (requires { integrator.getDefaultFriction(); })
        others.insert(others.end(), {integrator.getDefaultFriction(), integrator.getDefaultCutoff()});
    if constexpr (requires { integrator.getNumThermostats(); }) {
        for (int chain = 0; chain < integrator.getNumThermostats(); ++chain)
            others.insert(others.end(), {integrator.getTemperature(chain), integrator.getCollisionFrequency(chain),
                                         integrator.getRelativeTemperature(chain),
                                         integrator.getRelativeCollisionFrequency(chain)});
        others.push_back(integrator.getMaximumPairDistance());
    } else if constexpr (requires { integrator.getTemperature(); }) {
        result.temperature = integrator.getTemperature();
        if constexpr (requires { integrator.getFriction(); }) result.friction = integrator.getFriction();
    }
    return result;
}

/// Whose velocities are those at the time of the positions.
template <class I>
inline constexpr bool has_present_velocities =
    std::same_as<I, OpenMM::LangevinMiddleIntegrator> || std::same_as<I, OpenMM::NoseHooverIntegrator>
    || std::same_as<I, OpenMM::DPDIntegrator> || std::same_as<I, OpenMM::QTBIntegrator>;

/// What the kernels of all integrators have in common.
template <class K, class I> struct IntegratorBase : K {
    IntegratorBase(std::string name, OpenMM::Platform const& platform, OpenMM::ContextImpl& context)
        : K(std::move(name), platform), context_(context) {}

    void initialize(OpenMM::System const&, I const& integrator) override { place = place_of(integrator, context_); }

protected:
    Engine& engine() const { return Engine::of(context_); }
    AnyContext& current() const { return engine().any_with(place); }

    OpenMM::ContextImpl& context_;
    int place = 0;
};

template <class K, class I> struct StepKernel : IntegratorBase<K, I> {
    using IntegratorBase<K, I>::IntegratorBase;
    void execute(OpenMM::ContextImpl&, I const& integrator) override {
        this->engine().step(this->place, numbers_of(integrator));
    }
    double computeKineticEnergy(OpenMM::ContextImpl&, I const&) override {
        return has_present_velocities<I> ? this->engine().stored_kinetic_energy() : this->engine().kinetic_energy(this->place);
    }
};

template <class K, class I> struct VariableStepKernel : IntegratorBase<K, I> {
    using IntegratorBase<K, I>::IntegratorBase;
    double execute(OpenMM::ContextImpl&, I const& integrator, double end_time) override {
        return this->engine().step_towards(end_time, this->place, numbers_of(integrator));
    }
    double computeKineticEnergy(OpenMM::ContextImpl&, I const&) override {
        return this->engine().kinetic_energy(this->place);
    }
};

struct NoseHooverKernel : StepKernel<OpenMM::IntegrateNoseHooverStepKernel, OpenMM::NoseHooverIntegrator> {
    using StepKernel::StepKernel;
    using Pair = std::pair<double, double>;
    using Beads = std::vector<std::vector<double>>;

    double computeHeatBathEnergy(OpenMM::ContextImpl& context, OpenMM::NoseHooverChain const& chain) override;
    Pair computeMaskedKineticEnergy(OpenMM::ContextImpl& context, OpenMM::NoseHooverChain const& chain, bool) override;
    void getChainStates(OpenMM::ContextImpl& context, Beads& positions, Beads& velocities) const override;
    void setChainStates(OpenMM::ContextImpl& context, Beads const& positions, Beads const& velocities) override;
    // Only OpenMM's own kernels call these two; chains are in the Context's checkpoint.
    Pair propagateChain(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const&, Pair, double) override { return {1, 1}; }
    void scaleVelocities(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const&, Pair) override {}
    void createCheckpoint(OpenMM::ContextImpl&, std::ostream&) const override {}
    void loadCheckpoint(OpenMM::ContextImpl&, std::istream&) override {}
};

struct QuantumBathKernel : StepKernel<OpenMM::IntegrateQTBStepKernel, OpenMM::QTBIntegrator> {
    using StepKernel::StepKernel;
    void getAdaptedFriction(OpenMM::ContextImpl& context, int particle, std::vector<double>& friction) const override;
    void setAdaptedFriction(OpenMM::ContextImpl& context, int particle, std::vector<double> const& friction) override;
    void createCheckpoint(OpenMM::ContextImpl&, std::ostream&) const override {}  // in the Context's
    void loadCheckpoint(OpenMM::ContextImpl&, std::istream&) override {}
};

struct CustomKernel : IntegratorBase<OpenMM::IntegrateCustomStepKernel, OpenMM::CustomIntegrator> {
    using IntegratorBase::IntegratorBase;
    void initialize(OpenMM::System const& system, OpenMM::CustomIntegrator const& integrator) override;
    void execute(OpenMM::ContextImpl& context, OpenMM::CustomIntegrator& integrator, bool& forces_are_valid) override;
    double computeKineticEnergy(OpenMM::ContextImpl&, OpenMM::CustomIntegrator&, bool&) override {
        return engine().kinetic_energy(place, true);
    }
    void getGlobalVariables(OpenMM::ContextImpl& context, std::vector<double>& values) const override;
    void setGlobalVariables(OpenMM::ContextImpl& context, std::vector<double> const& values) override;
    void getPerDofVariable(OpenMM::ContextImpl& context, int variable, std::vector<OpenMM::Vec3>& values) const override;
    void setPerDofVariable(OpenMM::ContextImpl& context, int variable,
                           std::vector<OpenMM::Vec3> const& values) override;

private:
    OpenMM::CustomIntegrator const* integrator_ = nullptr;
    // Until the Context is made, of the integrator's XML, which OpenMM writes with these.
    std::vector<double> first_globals_;
    std::map<int, std::vector<OpenMM::Vec3>> first_per_dof_;
};

// Forces that change the state. Motion removers and Andersen's thermostat act in the steps of our Context; of barostats
// OpenMM decides, with the energies and moves that it asks for.

template <class K, class F> struct ActsInStepKernel : K {
    using K::K;
    void initialize(OpenMM::System const&, F const&) override {}
    void execute(OpenMM::ContextImpl&) override {}
};

struct BarostatKernel : OpenMM::ApplyMonteCarloBarostatKernel {
    using ApplyMonteCarloBarostatKernel::ApplyMonteCarloBarostatKernel;
    void initialize(OpenMM::System const&, OpenMM::Force const&, int components, bool molecules_are_rigid) override {
        components_ = components;
        molecules_are_rigid_ = molecules_are_rigid;
    }
    void saveCoordinates(OpenMM::ContextImpl&) override {}  // the engine does, where it scales
    void scaleCoordinates(OpenMM::ContextImpl& context, double x, double y, double z, double xy, double xz,
                          double yz) override;
    void restoreCoordinates(OpenMM::ContextImpl& context) override;
    void computeKineticEnergy(OpenMM::ContextImpl& context, std::vector<double>& energies) override;

private:
    int components_ = 1;
    bool molecules_are_rigid_ = true;
};

}  // namespace trotter::openmm
