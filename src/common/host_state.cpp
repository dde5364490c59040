// Initialization of a HostState.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <trotter/core/particles_check.hpp>

#include <trotter/common/constraints/kernels.hpp>
#include <trotter/common/host_state.hpp>

namespace trotter {
namespace {

template <class Checked> Checked const& checked(Checked const& value) {
    value.check();
    return value;
}

int checked_threads(int count) {
    if (count < 0) throw InputError("the number of threads is " + std::to_string(count) + ", expected 0 or more");
    return count;
}

}  // namespace

HostState::HostState(Particles const& system_particles, Box const& system_box, int thread_count,
                     std::uint64_t context_seed)
    : HostState(system_particles, system_box, thread_count, context_seed, constraint_kernels<PlainLanes>()) {}

HostState::HostState(Particles const& system_particles, Box const& system_box, int thread_count,
                     std::uint64_t context_seed, ConstraintKernels const& kernels)
    : particles(checked(system_particles)),
      box(checked(system_box)),
      seed(context_seed),
      positions(particles.masses.size()),
      velocities(particles.masses.size()),
      forces(particles.masses.size()),
      fill_normals(&trotter::fill_normals<VectorLanes<16>>),
      motion(BlockIntegration<16>::table()),
      threads(checked_threads(thread_count)),
      constraints(particles, kernels),
      virtual_sites(particles) {
    for (double mass : particles.masses) {
        inverse_masses.push_back(mass > 0 ? 1 / mass : 0);
        inverse_mass_roots.push_back(std::sqrt(inverse_masses.back()));
    }
}
HostState::HostState(HostState&&) noexcept = default;
HostState::~HostState() = default;

}  // namespace trotter
