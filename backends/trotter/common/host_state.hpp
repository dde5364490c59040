// What Reference and Cpu share: the state of a simulation in host memory, in double.
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

/// A backend whose arrays are those of `HostState`: its Engine has a member `HostState host`. Integrators,
/// constraints, thermostats and barostats are written once for all of them.
template <class B>
concept HostBackend = Backend<B> && requires { B::keeps_state_on_host; };

/// Particles whose forces an evaluation found to be too strong for one step, and the positions that gave these: see
/// `check_thrown`.
struct StrongForces {
    std::vector<int> particles;
    std::vector<Vec3<>> positions;
    Request request;
};

/// Positions and all else that a step changes. A Context owns one; kernels get it by reference.
struct HostState {
    /// Throws InputError for the first mass, constraint, virtual site or box vector that makes no sense.
    HostState(Particles const& particles, Box const& box, int threads, std::uint64_t seed);
    /// With loops over constraints that are compiled for some instruction set.
    HostState(Particles const& particles, Box const& box, int threads, std::uint64_t seed,
              ConstraintKernels const& kernels);
    HostState(HostState&&) noexcept;
    ~HostState();

    std::size_t size() const { return positions.size(); }
    /// What messages call a particle.
    std::string name_of(int particle) const {
        int const each = static_cast<int>(size()) / copies;
        return "particle " + std::to_string(particle % each)
               + (copies > 1 ? " of replica " + std::to_string(particle / each) : "");
    }

    int copies = 1;  ///< of a System that the particles are, one copy behind the other; they do not see each other
    /// What multiplies the noise of each copy, whose heat bath has a temperature of its own; empty where all have the
    /// integrator's.
    std::vector<double> noise_factors;
    Particles particles;
    std::vector<double> inverse_masses;       ///< 0 for massless particles
    std::vector<double> inverse_mass_roots;   ///< square roots of these
    Box box;
    std::uint64_t seed;
    double time = 0;
    std::int64_t step_count = 0;
    std::vector<Vec3<>> positions, velocities, forces;
    std::uint64_t evaluations = 0;            ///< of forces, and changes of the numbers behind them, so far
    GlobalParameters parameters;
    ForceGroups integration_groups;           ///< of the current integrator
    std::vector<std::vector<int>> molecules;  ///< particles of each, ascending
    EnergyDerivatives parameter_derivatives;  ///< of the energy, where a Request asks for them
    std::optional<StrongForces> strong_forces;            ///< in this step, hardly ever
    std::optional<Tensor> box_virial;  ///< where it is engaged, kernels of Reference add to it: see box_virial.hpp
    double step_size = 0;                     ///< of the current integrator: that of this step, or its last where it varies [ps]
    bool is_periodic = false;                 ///< some force takes periodic images
    bool removes_motion = false;              ///< a CMMotionRemover acts
    /// How to draw: the numbers are the same on every backend, the instructions are not.
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

    /// The sequence of consumer `stream` with its own seed, or one derived from the Context's where that is 0.
    RandomStream random_stream(std::uint64_t own_seed, std::uint32_t stream) const {
        return {own_seed != 0 ? own_seed : derived_seed(seed, stream), stream};
    }
};

/// The state, to be read and changed: moved to the host where a device has it.
template <class EngineType> HostState& state_on_host(EngineType& engine) {
    if constexpr (requires { engine.move_state_to_host(); }) engine.move_state_to_host();
    return engine.host;
}

}  // namespace trotter
