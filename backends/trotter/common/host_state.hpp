// State of a simulation in host memory, in double: shared by Reference and Cpu.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/base/named_numbers.hpp>
#include <trotter/base/random.hpp>
#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/concepts.hpp>
#include <trotter/context/nan_diagnosis.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/core/request.hpp>
#include <trotter/error.hpp>

#include <trotter/common/constraints.hpp>
#include <trotter/common/integration/integration_block.hpp>
#include <trotter/common/integration/noise.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/common/virtual_sites.hpp>

namespace trotter {

/// A backend whose Engine has a member `HostState host` with its arrays. Integrators, constraints, thermostats and
/// barostats are written once for all of these.
template <class B>
concept HostBackend = Backend<B> && requires { B::keeps_state_on_host; };

/// Particles with forces too strong for one step, and the positions that produced them: see `check_thrown`.
struct StrongForces {
    std::vector<int> particles;
    std::vector<Vec3<>> positions;
    Request request;
};

/// Positions and everything else that a step changes. Owned by a Context, passed to kernels by reference.
struct HostState {
    /// Throws InputError for the first invalid mass, constraint, virtual site or box vector.
    HostState(Particles const& particles, Box const& box, int threads, std::uint64_t seed);
    /// Uses constraint loops compiled for some instruction set.
    HostState(Particles const& particles, Box const& box, int threads, std::uint64_t seed,
              ConstraintKernels const& kernels);
    HostState(HostState&&) noexcept;
    ~HostState();

    std::size_t size() const { return positions.size(); }
    /// Name of a particle in messages.
    std::string name_of(int particle) const {
        int const each = static_cast<int>(size()) / copies;
        return "particle " + std::to_string(particle % each)
               + (copies > 1 ? " of replica " + std::to_string(particle / each) : "");
    }

    int copies = 1;  ///< consecutive replicas of one System, which do not interact
    /// Noise scale of each replica with its own temperature; empty if all have the integrator's.
    std::vector<double> noise_factors;
    Particles particles;
    std::vector<double> inverse_masses;       ///< 0 for massless particles
    std::vector<double> inverse_mass_roots;   ///< square roots of these
    Box box;
    std::uint64_t seed;
    double time = 0;
    std::int64_t step_count = 0;
    std::vector<Vec3<>> positions, velocities, forces;
    std::uint64_t evaluations = 0;            ///< count of force evaluations and parameter changes
    GlobalParameters parameters;
    ForceGroups integration_groups;           ///< of the current integrator
    std::vector<std::vector<int>> molecules;  ///< particle indices, ascending
    EnergyDerivatives parameter_derivatives;  ///< of the energy, if a Request asks for them
    std::optional<StrongForces> strong_forces;            ///< of this step; rarely set
    std::optional<Tensor> box_virial;  ///< if set, kernels of Reference add to it: see box_virial.hpp
    double step_size = 0;                     ///< of this step, or the last one if it varies [ps]
    bool is_periodic = false;                 ///< some force uses periodic boundaries
    bool removes_motion = false;              ///< there is a CMMotionRemover
    /// Generates normal random numbers: equal on every backend, by different instructions.
    void (*fill_normals)(RandomStream const&, std::uint64_t step, std::uint32_t first, NormalBlock&);
    IntegrationLoops motion;
    Threads threads;
    ConstraintSolver constraints;
    VirtualSites virtual_sites;

    template <class Archive> void save(Archive& archive) const {
        archive.put(time);
        archive.put(step_count);
        archive.put(seed);
        for (auto const* vector : {&box.a, &box.b, &box.c})
            for (std::size_t axis = 0; axis < 3; ++axis) archive.put((*vector)[axis]);
        for (auto const* vectors : {&positions, &velocities}) archive.put(std::span(&vectors->data()->x, 3 * vectors->size()));
        for (auto const& entry : parameters.values()) archive.put(entry.second);
    }
    template <class Archive> void load(Archive& archive) {
        time = archive.template get<double>();
        step_count = archive.template get<std::int64_t>();
        seed = archive.template get<std::uint64_t>();
        for (auto* vector : {&box.a, &box.b, &box.c})
            for (std::size_t axis = 0; axis < 3; ++axis) (*vector)[axis] = archive.template get<double>();
        for (auto* vectors : {&positions, &velocities}) {
            auto const numbers = archive.template get_vector<double>();
            if (numbers.size() != 3 * vectors->size()) throw InputError("the checkpoint is of a System with another number of particles");
            for (std::size_t i = 0; i < vectors->size(); ++i)
                (*vectors)[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        }
        for (auto const& entry : std::map(parameters.values())) parameters.set(entry.first, archive.template get<double>());
    }

    /// Random stream of consumer `stream`, with its own seed, or one derived from the Context's if that is 0.
    RandomStream random_stream(std::uint64_t own_seed, std::uint32_t stream) const {
        return {own_seed != 0 ? own_seed : derived_seed(seed, stream), stream};
    }
};

/// Moves the state to the host if it is on a device, for reading and writing.
template <class EngineType> HostState& state_on_host(EngineType& engine) {
    if constexpr (requires { engine.move_state_to_host(); }) engine.move_state_to_host();
    return engine.host;
}

}  // namespace trotter
