// The kernels of forces: they hold no number, since one Context computes all forces at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <openmm/CustomVolumeForce.h>
#include <openmm/kernels.h>

#include "callbacks.hpp"
#include "engine.hpp"

namespace trotter::openmm {

/// `Indices`: what stands behind the force where `copyParametersToContext` says which numbers changed.
template <class K, class F, class... Indices> struct ForceKernel : K {
    using K::K;
    void initialize(OpenMM::System const&, F const&) override {}
    double execute(OpenMM::ContextImpl&, bool, bool) override { return 0; }
    void copyParametersToContext(OpenMM::ContextImpl& context, F const& force, Indices...) override {
        Engine::of(context).update(force);
    }
};

struct RGKernel : OpenMM::CalcRGForceKernel {
    using CalcRGForceKernel::CalcRGForceKernel;
    void initialize(OpenMM::System const&, OpenMM::RGForce const&) override {}
    double execute(OpenMM::ContextImpl&, bool, bool) override { return 0; }
};

struct NonbondedKernel : OpenMM::CalcNonbondedForceKernel {
    NonbondedKernel(std::string name, OpenMM::Platform const& platform, OpenMM::ContextImpl& context)
        : CalcNonbondedForceKernel(std::move(name), platform), context_(context) {}

    void initialize(OpenMM::System const&, OpenMM::NonbondedForce const& force) override { force_ = &force; }
    double execute(OpenMM::ContextImpl&, bool, bool, bool, bool) override { return 0; }
    void copyParametersToContext(OpenMM::ContextImpl& context, OpenMM::NonbondedForce const& force, int, int, int,
                                 int) override {
        Engine::of(context).update(force);
    }
    void getPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override;
    void getLJPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override;

private:
    OpenMM::ContextImpl& context_;
    OpenMM::NonbondedForce const* force_ = nullptr;
};

struct ConstantPotentialKernel : OpenMM::CalcConstantPotentialForceKernel {
    ConstantPotentialKernel(std::string name, OpenMM::Platform const& platform, OpenMM::ContextImpl& context)
        : CalcConstantPotentialForceKernel(std::move(name), platform), context_(context) {}

    void initialize(OpenMM::System const&, OpenMM::ConstantPotentialForce const& force) override { force_ = &force; }
    double execute(OpenMM::ContextImpl&, bool, bool) override { return 0; }
    void copyParametersToContext(OpenMM::ContextImpl& context, OpenMM::ConstantPotentialForce const& force, int, int,
                                 int, int, int, int) override {
        Engine::of(context).update(force);
    }
    void getPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override;
    void getCharges(OpenMM::ContextImpl& context, std::vector<double>& charges) override;

private:
    OpenMM::ContextImpl& context_;
    OpenMM::ConstantPotentialForce const* force_ = nullptr;
};

/// Of a CustomCPPForce; a CustomVolumeForce, which OpenMM makes of one, is a force here.
struct CppForceKernel : OpenMM::CalcCustomCPPForceKernel {
    using CalcCustomCPPForceKernel::CalcCustomCPPForceKernel;
    void initialize(OpenMM::ContextImpl const& context, OpenMM::CustomCPPForceImpl& force) override;
    double execute(OpenMM::ContextImpl&, bool, bool) override { return 0; }
};

struct PythonKernel : OpenMM::CalcPythonForceKernel {
    using CalcPythonForceKernel::CalcPythonForceKernel;
    void initialize(OpenMM::ContextImpl const&, OpenMM::PythonForce const&) override {}
    double execute(OpenMM::ContextImpl&, bool, bool) override { return 0; }
};

/// The inner Context is there for OpenMM's sake and computes nothing, unless a user asks it something.
struct VariablesKernel : OpenMM::CalcCustomCVForceKernel {
    using CalcCustomCVForceKernel::CalcCustomCVForceKernel;
    void initialize(OpenMM::System const&, OpenMM::CustomCVForce const& force, OpenMM::ContextImpl&) override {
        force_ = &force;
    }
    double execute(OpenMM::ContextImpl&, OpenMM::ContextImpl&, bool, bool) override { return 0; }
    void copyState(OpenMM::ContextImpl& context, OpenMM::ContextImpl& inner) override;
    void copyParametersToContext(OpenMM::ContextImpl& context, OpenMM::CustomCVForce const& force) override {
        Engine::of(context).update(force);
    }

private:
    OpenMM::CustomCVForce const* force_ = nullptr;
};

/// OpenMM computes the formula itself, of the energies that its inner Contexts say they have; and adds the result to the
/// energy, from which it is left out for that.
struct TransferKernel : OpenMM::CalcATMForceKernel {
    using CalcATMForceKernel::CalcATMForceKernel;
    void initialize(OpenMM::System const&, OpenMM::ATMForce const& force) override { force_ = &force; }
    void applyForces(OpenMM::ContextImpl&, OpenMM::ContextImpl&, OpenMM::ContextImpl&, double, double,
                     std::map<std::string, double> const&) override {}
    void copyParametersToContext(OpenMM::ContextImpl& context, OpenMM::ATMForce const& force) override {
        Engine::of(context).update(force);
    }
    void copyState(OpenMM::ContextImpl& context, OpenMM::ContextImpl& inner0, OpenMM::ContextImpl& inner1) override;

private:
    OpenMM::ATMForce const* force_ = nullptr;
    bool have_inner_positions_ = false;
};

}  // namespace trotter::openmm
