// Energies and forces of one copy of a ring polymer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <trotter/base/owned.hpp>
#include <trotter/rpmd/copies.hpp>
#include <trotter/state.hpp>

namespace trotter::rpmd {

/// The System of all copies, and a Context of it for the State of one, which is made when first needed.
template <class SystemType, Backend B, Precision P> class SingleCopy {
public:
    SingleCopy(SystemType const& system, double step_size, B const& backend, std::uint64_t seed)
        : system_(system), step_size_(step_size), backend_(backend), seed_(seed) {}

    Particles const& particles() const { return system_.particles; }
    /// Energy and forces of `groups` in the state `own`; the kinetic energy is that of its velocities.
    State state(State const& own, StateData data, ForceGroups const& groups) {
        if (!copy_) copy_.emplace(std::in_place, system_, step_size_, backend_, 1, seed_);
        State result;
        (*copy_)->for_each_context([&](auto& context) {
            context.set_state(own);
            result = context.state(data, groups);
        });
        if (!(data & StateData::energy)) return result;
        result.kinetic_energy = 0;
        for (std::size_t i = 0; i < own.velocities.size(); ++i)
            result.kinetic_energy += 0.5 * particles().masses[i] * dot(own.velocities[i], own.velocities[i]);
        return result;
    }
    /// Changes the parameters of a force.
    template <Force F> void update(int index, F const& force) {
        system_.template force<F>(index) = force;
        copy_.reset();
    }

private:
    SystemType system_;
    double step_size_;
    B backend_;
    std::uint64_t seed_;
    std::optional<Owned<Copies<SystemType, B, P>>> copy_;
};

}  // namespace trotter::rpmd
