// The kernels of forces: they hold no number, since one Context computes all forces at once.
// SPDX-License-Identifier: MIT
#include "force_kernels.hpp"

#include <utility>
#include <vector>

namespace trotter::openmm {
namespace {

void give(NonbondedForce::Mesh const& mesh, double& alpha, int& nx, int& ny, int& nz) {
    alpha = mesh.alpha, nx = mesh.nx, ny = mesh.ny, nz = mesh.nz;
}

}  // namespace

void NonbondedKernel::getPMEParameters(double& alpha, int& nx, int& ny, int& nz) const {
    auto& engine = Engine::of(context_);
    give(engine.any().meshes(engine.index_of(*force_)).pme, alpha, nx, ny, nz);
}
void NonbondedKernel::getLJPMEParameters(double& alpha, int& nx, int& ny, int& nz) const {
    auto& engine = Engine::of(context_);
    give(engine.any().meshes(engine.index_of(*force_)).ljpme, alpha, nx, ny, nz);
}

void ConstantPotentialKernel::getPMEParameters(double& alpha, int& nx, int& ny, int& nz) const {
    auto& engine = Engine::of(context_);
    give(engine.any().meshes(engine.index_of(*force_)).pme, alpha, nx, ny, nz);
}
void ConstantPotentialKernel::getCharges(OpenMM::ContextImpl& context, std::vector<double>& charges) {
    auto& engine = Engine::of(context);
    charges = engine.any().ask<trotter::ConstantPotentialForce>(engine.index_of(*force_));
    engine.forget();
}

void CppForceKernel::initialize(OpenMM::ContextImpl const& context, OpenMM::CustomCPPForceImpl& force) {
    auto const& owner = force.getOwner();
    if (dynamic_cast<OpenMM::CustomVolumeForce const*>(&owner) != nullptr) return;
    Engine::of(context).register_callback(owner, call_cpp(force, const_cast<OpenMM::ContextImpl&>(context)));
}

void VariablesKernel::copyState(OpenMM::ContextImpl& context, OpenMM::ContextImpl& inner) {
    auto& engine = Engine::of(context);
    auto& there = Engine::of(inner);
    std::vector<OpenMM::Vec3> positions;
    to_openmm(engine.positions(), positions);
    inner.setPositions(positions);
    there.set_box(engine.box());
    there.set_time(engine.time());
    for (auto const& [name, value] : inner.getParameters()) inner.setParameter(name, context.getParameter(name));
    there.set_answers(engine.any().ask<trotter::CustomCVForce>(engine.index_of(*force_)));
    engine.forget();
}

void TransferKernel::copyState(OpenMM::ContextImpl& context, OpenMM::ContextImpl& inner0, OpenMM::ContextImpl& inner1) {
    auto& engine = Engine::of(context);
    trotter::ATMForce::PerturbationEnergies energies;
    if (engine.wants_energy || !engine.is_evaluating) {
        energies = engine.any().ask<trotter::ATMForce>(engine.index_of(*force_));
        engine.forget();
        engine.left_out += energies.energy;
    }
    if (!std::exchange(have_inner_positions_, true))  // OpenMM evaluates nothing without
        for (auto* inner : {&inner0, &inner1}) inner->setPositions(std::vector<OpenMM::Vec3>(engine.positions().size()));
    Engine::of(inner0).set_answers({energies.u0});
    Engine::of(inner1).set_answers({energies.u1});
}

}  // namespace trotter::openmm
