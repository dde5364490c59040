// The kernels of integrators: a step here for each of OpenMM's.
// SPDX-License-Identifier: MIT
#include "integrator_kernels.hpp"

#include <array>
#include <map>

namespace trotter::openmm {

int place_of(OpenMM::Integrator const& integrator, OpenMM::ContextImpl& context) {
    auto const* const compound = dynamic_cast<OpenMM::CompoundIntegrator const*>(&context.getIntegrator());
    if (compound == nullptr) return 0;
    int place = 0;
    while (&compound->getIntegrator(place) != &integrator) ++place;
    return place;
}

double NoseHooverKernel::computeHeatBathEnergy(OpenMM::ContextImpl&, OpenMM::NoseHooverChain const& chain) {
    return chain.getChainID() == 0 ? current().heat_bath_energy() : 0;  // of all chains at once
}

/// Twice the kinetic energies are what a chain sees: of particles and centers of pairs, and of pairs' relative motion.
NoseHooverKernel::Pair NoseHooverKernel::computeMaskedKineticEnergy(OpenMM::ContextImpl& context,
                                                                    OpenMM::NoseHooverChain const& chain, bool) {
    auto const& velocities = engine().velocities();
    auto const& system = context.getSystem();
    auto const mass = [&](int particle) { return system.getParticleMass(particle); };
    auto const velocity = [&](int particle) { return velocities[static_cast<std::size_t>(particle)]; };
    double absolute = 0, relative = 0;
    for (int const particle : chain.getThermostatedAtoms())
        absolute += 0.5 * mass(particle) * dot(velocity(particle), velocity(particle));
    for (auto const& [i, j] : chain.getThermostatedPairs()) {
        double const total = mass(i) + mass(j);
        auto const center = (velocity(i) * mass(i) + velocity(j) * mass(j)) / total;
        auto const difference = velocity(i) - velocity(j);
        absolute += 0.5 * total * dot(center, center);
        relative += 0.5 * mass(i) * mass(j) / total * dot(difference, difference);
    }
    return {absolute, relative};
}

void NoseHooverKernel::getChainStates(OpenMM::ContextImpl&, Beads& positions, Beads& velocities) const {
    auto const parameters = current().integrator_parameters();
    positions.clear(), velocities.clear();
    for (int chain = 0;; ++chain) {
        std::vector<double> x, v;
        for (int bead = 0;; ++bead) {
            auto const position = parameters.find(trotter::NoseHooverIntegrator::bead_position(place, chain, bead));
            if (position == parameters.end()) break;
            x.push_back(position->second);
            v.push_back(parameters.at(trotter::NoseHooverIntegrator::bead_velocity(place, chain, bead)));
        }
        if (x.empty()) return;
        positions.push_back(std::move(x)), velocities.push_back(std::move(v));
    }
}
void NoseHooverKernel::setChainStates(OpenMM::ContextImpl&, Beads const& positions, Beads const& velocities) {
    auto parameters = current().integrator_parameters();
    for (std::size_t chain = 0; chain < positions.size(); ++chain)
        for (std::size_t bead = 0; bead < positions[chain].size(); ++bead) {
            auto const c = static_cast<int>(chain), b = static_cast<int>(bead);
            parameters[trotter::NoseHooverIntegrator::bead_position(place, c, b)] = positions[chain][bead];
            parameters[trotter::NoseHooverIntegrator::bead_velocity(place, c, b)] = velocities[chain][bead];
        }
    current().set_integrator_parameters(parameters);
}

void QuantumBathKernel::getAdaptedFriction(OpenMM::ContextImpl&, int particle, std::vector<double>& friction) const {
    friction = current().adapted_friction(particle);
}
void QuantumBathKernel::setAdaptedFriction(OpenMM::ContextImpl&, int particle, std::vector<double> const& friction) {
    current().set_adapted_friction(particle, friction);
}

void CustomKernel::initialize(OpenMM::System const& system, OpenMM::CustomIntegrator const& integrator) {
    IntegratorBase::initialize(system, integrator);
    integrator_ = &integrator;
}
void CustomKernel::execute(OpenMM::ContextImpl&, OpenMM::CustomIntegrator& integrator, bool& forces_are_valid) {
    engine().step(place, numbers_of(integrator), true);
    forces_are_valid = false;
    if (double const step_size = current().step_size(); step_size != integrator.getStepSize())
        integrator.setStepSize(step_size);  // the computations have assigned dt
}
void CustomKernel::getGlobalVariables(OpenMM::ContextImpl&, std::vector<double>& values) const {
    if (!engine().is_made()) return void(values = first_globals_);
    values.clear();
    for (int n = 0; n < integrator_->getNumGlobalVariables(); ++n)
        values.push_back(current().global_variable(integrator_->getGlobalVariableName(n)));
}
void CustomKernel::setGlobalVariables(OpenMM::ContextImpl&, std::vector<double> const& values) {
    if (!engine().is_made()) return void(first_globals_ = values);
    for (std::size_t n = 0; n < values.size(); ++n)
        current().set_global_variable(integrator_->getGlobalVariableName(static_cast<int>(n)), values[n]);
}
void CustomKernel::getPerDofVariable(OpenMM::ContextImpl&, int variable, std::vector<OpenMM::Vec3>& values) const {
    if (!engine().is_made()) return void(values = first_per_dof_.at(variable));
    to_openmm(current().per_dof_variable(integrator_->getPerDofVariableName(variable)), values);
}
void CustomKernel::setPerDofVariable(OpenMM::ContextImpl&, int variable, std::vector<OpenMM::Vec3> const& values) {
    if (!engine().is_made()) return void(first_per_dof_[variable] = values);
    current().set_per_dof_variable(integrator_->getPerDofVariableName(variable), from_openmm(values));
}

/// OpenMM has set the new box. x' = x·X + y·XY + z·XZ, and so on: an upper triangular matrix.
void BarostatKernel::scaleCoordinates(OpenMM::ContextImpl& context, double x, double y, double z, double xy, double xz,
                                      double yz) {
    auto& engine = Engine::of(context);
    engine.any().scale_positions({Vec3<>{x, 0, 0}, Vec3<>{xy, y, 0}, Vec3<>{xz, yz, z}}, molecules_are_rigid_);
    engine.forget();
    engine.begin_trial();
}
void BarostatKernel::restoreCoordinates(OpenMM::ContextImpl& context) {
    auto& engine = Engine::of(context);
    engine.any().restore_positions();
    engine.forget();
}
void BarostatKernel::computeKineticEnergy(OpenMM::ContextImpl& context, std::vector<double>& energies) {
    auto const tensor = Engine::of(context).any().kinetic_tensor(molecules_are_rigid_);  // xx, yy, zz, xy, xz, yz
    if (components_ == 1)
        energies = {0.5 * (tensor[0] + tensor[1] + tensor[2])};
    else
        energies = {0.5 * tensor[0], 0.5 * tensor[1], 0.5 * tensor[2]};
    if (components_ == 6) energies.insert(energies.end(), {0.5 * tensor[3], 0.5 * tensor[4], 0.5 * tensor[5]});
}

}  // namespace trotter::openmm
