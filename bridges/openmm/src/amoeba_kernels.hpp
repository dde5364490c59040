// Kernels of AMOEBA's and HIPPO's forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <openmm/amoebaKernels.h>

#include "force_kernels.hpp"

namespace trotter::openmm {

using Vectors = std::vector<OpenMM::Vec3>;

struct MultipoleKernel : MeshKernel<OpenMM::CalcAmoebaMultipoleForceKernel> {
    using MeshKernel::MeshKernel;
    void getLabFramePermanentDipoles(OpenMM::ContextImpl&, Vectors& dipoles) override {
        to_openmm(answer().permanent_dipoles, dipoles);
    }
    void getInducedDipoles(OpenMM::ContextImpl&, Vectors& dipoles) override {
        to_openmm(answer().induced_dipoles, dipoles);
    }
    void getTotalDipoles(OpenMM::ContextImpl&, Vectors& dipoles) override {
        to_openmm(answer().total_dipoles(), dipoles);
    }
    void getElectrostaticPotential(OpenMM::ContextImpl&, Vectors const& points,
                                   std::vector<double>& potential) override {
        potential = answer().potential(from_openmm(points));
    }
    void getSystemMultipoleMoments(OpenMM::ContextImpl& context, std::vector<double>& moments) override {
        std::vector<double> masses;
        for (int i = 0; i < context.getSystem().getNumParticles(); ++i)
            masses.push_back(context.getSystem().getParticleMass(i));
        auto const found = answer().system_moments(masses);
        moments.assign(found.begin(), found.end());
    }

private:
    MultipoleAnswer answer() const { return engine_.answer_of<trotter::AmoebaMultipoleForce>(*force_); }
};

struct HippoKernel : MeshKernel<OpenMM::CalcHippoNonbondedForceKernel> {
    using MeshKernel::MeshKernel;
    void getDPMEParameters(double& alpha, int& nx, int& ny, int& nz) const override {
        give(meshes().ljpme, alpha, nx, ny, nz);
    }
    void getLabFramePermanentDipoles(OpenMM::ContextImpl&, Vectors& dipoles) override {
        to_openmm(engine_.answer_of<trotter::HippoNonbondedForce>(*force_).permanent, dipoles);
    }
    void getInducedDipoles(OpenMM::ContextImpl&, Vectors& dipoles) override {
        to_openmm(engine_.answer_of<trotter::HippoNonbondedForce>(*force_).induced, dipoles);
    }
};

}  // namespace trotter::openmm
