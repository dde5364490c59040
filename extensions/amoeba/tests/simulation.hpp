// A kernel of a force of AMOEBA or HIPPO with the state of its Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/common/fallback/host_kernel.hpp>

namespace trotter {

template <Force F> struct KernelSimulation {
    KernelSimulation(F const& force, std::size_t particles, Box const& box, int threads)
        : host(Particles{.masses = std::vector<double>(particles, 1)}, box, threads, 1), kernel(force, host, {}) {}
    double energy(std::vector<Vec3<>> const& positions) {
        forces.assign(positions.size(), {});
        return kernel.compute({host, positions, forces, {}});
    }

    HostState host;
    HostKernel<F> kernel;
    std::vector<Vec3<>> forces;
};

}  // namespace trotter
