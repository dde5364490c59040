// Kernels of forces: without data, since one Context computes all forces at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <openmm/CustomVolumeForce.h>
#include <openmm/kernels.h>

#include "engine.hpp"

namespace trotter::openmm {

// Kernels are composed of mixins, each of which overrides one function of OpenMM's kernel class `K`, with any
// arguments.

/// Does nothing: the force is included in the total of the Trotter Context, or acts in its steps.
template <class Base, class Execute = decltype(&Base::execute)> struct Idle;
template <class Base, class K, class Result, class... Arguments>
struct Idle<Base, Result (K::*)(Arguments...)> : Base {
    using Base::Base;
    Result execute(Arguments...) override { return Result(); }
};

/// Stores a pointer to its force.
template <class Base, class Initialize = decltype(&Base::initialize)> struct Known;
template <class Base, class K, class Owner, class F, class... More>
struct Known<Base, void (K::*)(Owner const&, F const&, More...)> : Base {
    using Base::Base;
    void initialize(Owner const&, F const& force, More...) override { force_ = &force; }

protected:
    F const* force_ = nullptr;
};

/// Updates all parameters of its force, even if OpenMM gives the changed range.
template <class Base, class Copy = decltype(&Base::copyParametersToContext)> struct Updated;
template <class Base, class K, class F, class... Ranges>
struct Updated<Base, void (K::*)(OpenMM::ContextImpl&, F const&, Ranges...)> : Base {
    using Base::Base;
    void copyParametersToContext(OpenMM::ContextImpl&, F const& force, Ranges...) override {
        this->engine_.update(force);
    }
};

template <class K> using FixedForceKernel = Idle<Known<EngineKernel<K>>>;
template <class K> using ForceKernel = Updated<FixedForceKernel<K>>;

/// Kernel of a force with a mesh.
template <class K> struct MeshKernel : ForceKernel<K> {
    using ForceKernel<K>::ForceKernel;
    void getPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override {
        give(meshes().pme, alpha, nx, ny, nz);
    }

protected:
    UsedMeshes meshes() const { return this->engine_.any().meshes(this->engine_.index_of(*this->force_)); }
    static void give(MeshSettings const& mesh, double& alpha, int& nx, int& ny, int& nz) {
        alpha = mesh.alpha, nx = mesh.nx, ny = mesh.ny, nz = mesh.nz;
    }
};

struct NonbondedKernel : MeshKernel<OpenMM::CalcNonbondedForceKernel> {
    using MeshKernel::MeshKernel;
    void getLJPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override {
        give(meshes().ljpme, alpha, nx, ny, nz);
    }
};

struct ConstantPotentialKernel : MeshKernel<OpenMM::CalcConstantPotentialForceKernel> {
    using MeshKernel::MeshKernel;
    void getCharges(OpenMM::ContextImpl&, std::vector<double>& charges) override {
        charges = engine_.answer_of<trotter::ConstantPotentialForce>(*force_);
    }
};

/// Kernel of a CustomCPPForce, except CustomVolumeForce, which is a native force here.
struct CppForceKernel : Idle<EngineKernel<OpenMM::CalcCustomCPPForceKernel>> {
    using Idle::Idle;
    void initialize(OpenMM::ContextImpl const&, OpenMM::CustomCPPForceImpl& force) override {
        if (dynamic_cast<OpenMM::CustomVolumeForce const*>(&force.getOwner()) == nullptr)
            engine_.register_callback(force);
    }
};

/// The inner Context exists only for OpenMM and computes nothing, unless queried by a user.
struct VariablesKernel : ForceKernel<OpenMM::CalcCustomCVForceKernel> {
    using ForceKernel<OpenMM::CalcCustomCVForceKernel>::ForceKernel;
    void copyState(OpenMM::ContextImpl& context, OpenMM::ContextImpl& inner) override {
        auto& there = Engine::of(inner);
        there.set_positions(engine_.positions());
        there.set_box(engine_.box());
        there.set_time(engine_.time());
        for (auto const& [name, value] : inner.getParameters()) inner.setParameter(name, context.getParameter(name));
        there.set_answers(engine_.answer_of<trotter::CustomCVForce>(*force_));
    }
};

/// OpenMM computes the formula itself from the energies of its inner Contexts and adds it to the energy, so it is
/// subtracted from ours.
struct TransferKernel : Updated<Known<EngineKernel<OpenMM::CalcATMForceKernel>>> {
    using Updated::Updated;
    void applyForces(OpenMM::ContextImpl&, OpenMM::ContextImpl&, OpenMM::ContextImpl&, double, double,
                     std::map<std::string, double> const&) override {}
    void copyState(OpenMM::ContextImpl&, OpenMM::ContextImpl& inner0, OpenMM::ContextImpl& inner1) override {
        trotter::ATMForce::PerturbationEnergies energies;
        if (engine_.wants_energy) {
            energies = engine_.answer_of<trotter::ATMForce>(*force_);
            engine_.left_out += energies.energy;
        }
        if (!std::exchange(have_inner_positions_, true))  // OpenMM evaluates only with positions set
            for (auto* inner : {&inner0, &inner1})
                inner->setPositions(std::vector<OpenMM::Vec3>(engine_.positions().size()));
        Engine::of(inner0).set_answers({energies.u0});
        Engine::of(inner1).set_answers({energies.u1});
    }

private:
    bool have_inner_positions_ = false;
};

}  // namespace trotter::openmm
