// Kernels of integrators (one Trotter step for each of OpenMM's) and barostats.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <openmm/CompoundIntegrator.h>
#include <openmm/kernels.h>

#include "engine.hpp"

namespace trotter::openmm {

/// Reads parameters that may change between steps; `result` is reused to avoid allocations.
template <class I> void read_numbers(I const& integrator, IntegratorNumbers& result) {
    result.step_size = integrator.getStepSize();
    auto& others = result.others;
    others.assign({integrator.getConstraintTolerance(), static_cast<double>(integrator.getIntegrationForceGroups())});
    if constexpr (requires { integrator.getErrorTolerance(); })
        others.insert(others.end(), {integrator.getErrorTolerance(), integrator.getMaximumStepSize()});
    if constexpr (requires { integrator.getDefaultFriction(); })
        others.insert(others.end(), {integrator.getDefaultFriction(), integrator.getDefaultCutoff()});
    if constexpr (requires { integrator.getMaxDrudeDistance(); })
        others.insert(others.end(), {integrator.getDrudeTemperature(), integrator.getMaxDrudeDistance()});
    if constexpr (requires { integrator.getDrudeFriction(); }) others.push_back(integrator.getDrudeFriction());
    if constexpr (requires { integrator.getMinimizationErrorTolerance(); })
        others.push_back(integrator.getMinimizationErrorTolerance());
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
}

/// Base of all integrator kernels: index of the integrator in the Context, and its parameters.
template <class K, class Initialize = decltype(&K::initialize)> struct IntegratorKernel;
template <class K, class I, class... Forces>
struct IntegratorKernel<K, void (K::*)(OpenMM::System const&, I const&, Forces const&...)> : EngineKernel<K> {
    using EngineKernel<K>::EngineKernel;
    void initialize(OpenMM::System const&, I const& integrator, Forces const&...) override {
        integrator_ = &integrator;
        place_ = this->engine_.index_of(integrator);
    }

protected:
    AnyContext& current() const { return this->engine_.any_with(place_); }
    IntegratorNumbers const& numbers() { return read_numbers(*integrator_, numbers_), numbers_; }

    I const* integrator_ = nullptr;
    int place_ = 0;

private:
    IntegratorNumbers numbers_;
};

/// Takes one step, or one that ends at `end_time` at the latest if OpenMM gives it.
template <class K, class Execute = decltype(&K::execute)> struct StepKernel;
template <class K, class Result, class I, class... EndTime>
struct StepKernel<K, Result (K::*)(OpenMM::ContextImpl&, I const&, EndTime...)> : IntegratorKernel<K> {
    using IntegratorKernel<K>::IntegratorKernel;
    Result execute(OpenMM::ContextImpl&, I const&, EndTime... end_time) override {
        if constexpr (sizeof...(EndTime) > 0)
            return this->engine_.step_towards(end_time..., this->place_, this->numbers());
        else
            this->engine_.step(this->place_, this->numbers());
    }
    double computeKineticEnergy(OpenMM::ContextImpl&, I const&) override {
        return this->engine_.kinetic_energy(this->place_);
    }
};

struct NoseHooverKernel : StepKernel<OpenMM::IntegrateNoseHooverStepKernel> {
    using StepKernel::StepKernel;
    using Chains = trotter::NoseHooverIntegrator;
    using Pair = std::pair<double, double>;
    using Beads = std::vector<std::vector<double>>;

    double computeHeatBathEnergy(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const& chain) override {
        return chain.getChainID() == 0 ? current().heat_bath_energy() : 0;  // sum over all chains
    }
    /// Kinetic energies of particles and pair centers, and of relative motion in pairs.
    Pair computeMaskedKineticEnergy(OpenMM::ContextImpl& context, OpenMM::NoseHooverChain const& chain, bool) override {
        auto const& velocities = engine_.velocities();
        auto const mass = [&](int particle) { return context.getSystem().getParticleMass(particle); };
        auto const velocity = [&](int particle) { return velocities[static_cast<std::size_t>(particle)]; };
        Pair result{0, 0};
        for (int const i : chain.getThermostatedAtoms()) result.first += 0.5 * mass(i) * dot(velocity(i), velocity(i));
        for (auto const& [i, j] : chain.getThermostatedPairs()) {
            double const total = mass(i) + mass(j);
            auto const center = (velocity(i) * mass(i) + velocity(j) * mass(j)) / total;
            auto const difference = velocity(i) - velocity(j);
            result.first += 0.5 * total * dot(center, center);
            result.second += 0.5 * mass(i) * mass(j) / total * dot(difference, difference);
        }
        return result;
    }
    void getChainStates(OpenMM::ContextImpl&, Beads& positions, Beads& velocities) const override {
        auto const parameters = current().integrator_parameters();
        positions.clear(), velocities.clear();
        for (int chain = 0; parameters.contains(Chains::bead_position(place_, chain, 0)); ++chain) {
            auto &x = positions.emplace_back(), &v = velocities.emplace_back();
            for (int bead = 0; parameters.contains(Chains::bead_position(place_, chain, bead)); ++bead) {
                x.push_back(parameters.at(Chains::bead_position(place_, chain, bead)));
                v.push_back(parameters.at(Chains::bead_velocity(place_, chain, bead)));
            }
        }
    }
    void setChainStates(OpenMM::ContextImpl&, Beads const& positions, Beads const& velocities) override {
        auto parameters = current().integrator_parameters();
        for (std::size_t chain = 0; chain < positions.size(); ++chain)
            for (std::size_t bead = 0; bead < positions[chain].size(); ++bead) {
                auto const c = static_cast<int>(chain), b = static_cast<int>(bead);
                parameters[Chains::bead_position(place_, c, b)] = positions[chain][bead];
                parameters[Chains::bead_velocity(place_, c, b)] = velocities[chain][bead];
            }
        current().set_integrator_parameters(parameters);
    }
    // The first two are called only by OpenMM's own kernels; chains are saved in the Context's checkpoint.
    Pair propagateChain(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const&, Pair, double) override { return {1, 1}; }
    void scaleVelocities(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const&, Pair) override {}
    void createCheckpoint(OpenMM::ContextImpl&, std::ostream&) const override {}
    void loadCheckpoint(OpenMM::ContextImpl&, std::istream&) override {}
};

struct QuantumBathKernel : StepKernel<OpenMM::IntegrateQTBStepKernel> {
    using StepKernel::StepKernel;
    void getAdaptedFriction(OpenMM::ContextImpl&, int particle, std::vector<double>& friction) const override {
        friction = current().adapted_friction(particle);
    }
    void setAdaptedFriction(OpenMM::ContextImpl&, int particle, std::vector<double> const& friction) override {
        current().set_adapted_friction(particle, friction);
    }
    void createCheckpoint(OpenMM::ContextImpl&, std::ostream&) const override {}  // saved by the Context
    void loadCheckpoint(OpenMM::ContextImpl&, std::istream&) override {}
};

struct CustomKernel : IntegratorKernel<OpenMM::IntegrateCustomStepKernel> {
    using IntegratorKernel::IntegratorKernel;
    using Vectors = std::vector<OpenMM::Vec3>;

    void execute(OpenMM::ContextImpl&, OpenMM::CustomIntegrator& integrator, bool& forces_are_valid) override {
        engine_.step(place_, numbers(), true);
        forces_are_valid = false;
        if (double const step_size = current().step_size(); step_size != integrator.getStepSize())
            integrator.setStepSize(step_size);  // computations may assign dt
    }
    double computeKineticEnergy(OpenMM::ContextImpl&, OpenMM::CustomIntegrator&, bool&) override {
        return engine_.kinetic_energy(place_, true);
    }
    void getGlobalVariables(OpenMM::ContextImpl&, std::vector<double>& values) const override {
        values = first_globals_;
        if (engine_.is_made())
            for (int n = 0; n < integrator_->getNumGlobalVariables(); ++n)
                values.at(static_cast<std::size_t>(n)) =
                    current().global_variable(integrator_->getGlobalVariableName(n));
    }
    void setGlobalVariables(OpenMM::ContextImpl&, std::vector<double> const& values) override {
        if (!engine_.is_made()) return void(first_globals_ = values);
        for (std::size_t n = 0; n < values.size(); ++n)
            current().set_global_variable(integrator_->getGlobalVariableName(static_cast<int>(n)), values[n]);
    }
    void getPerDofVariable(OpenMM::ContextImpl&, int variable, Vectors& values) const override {
        if (!engine_.is_made()) return void(values = first_per_dof_.at(variable));
        to_openmm(current().per_dof_variable(integrator_->getPerDofVariableName(variable)), values);
    }
    void setPerDofVariable(OpenMM::ContextImpl&, int variable, Vectors const& values) override {
        if (!engine_.is_made()) return void(first_per_dof_[variable] = values);
        current().set_per_dof_variable(integrator_->getPerDofVariableName(variable), from_openmm(values));
    }

private:
    // Values until the Context is created; OpenMM writes them into the integrator's XML.
    std::vector<double> first_globals_;
    std::map<int, Vectors> first_per_dof_;
};

/// Kernel of OpenMM's barostat algorithm, which requests energies and moves.
struct BarostatKernel : EngineKernel<OpenMM::ApplyMonteCarloBarostatKernel> {
    using EngineKernel::EngineKernel;
    void initialize(OpenMM::System const&, OpenMM::Force const&, int components, bool molecules_are_rigid) override {
        components_ = components;
        molecules_are_rigid_ = molecules_are_rigid;
    }
    void saveCoordinates(OpenMM::ContextImpl&) override {}  // done by scale_positions
    /// OpenMM has set the new box. x' = x·X + y·XY + z·XZ, and so on: an upper triangular matrix.
    void scaleCoordinates(OpenMM::ContextImpl&, double x, double y, double z, double xy, double xz,
                          double yz) override {
        engine_.run([&](AnyContext& any) {
            any.scale_positions({Vec3<>{x, 0, 0}, Vec3<>{xy, y, 0}, Vec3<>{xz, yz, z}}, molecules_are_rigid_);
        });
        engine_.begin_trial();
    }
    void restoreCoordinates(OpenMM::ContextImpl&) override {
        engine_.run([](AnyContext& any) { any.restore_positions(); });
    }
    void computeKineticEnergy(OpenMM::ContextImpl&, std::vector<double>& energies) override {
        auto const tensor = engine_.any().kinetic_tensor(molecules_are_rigid_);  // xx, yy, zz, xy, xz, yz
        energies.clear();
        for (double const element : tensor) energies.push_back(0.5 * element);
        if (components_ == 1) energies[0] += energies[1] + energies[2];
        energies.resize(static_cast<std::size_t>(components_));
    }

private:
    int components_ = 1;
    bool molecules_are_rigid_ = true;
};

}  // namespace trotter::openmm
