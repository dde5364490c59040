// Carries out sequences of operators on the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <trotter/common/integration/group_force_cache.hpp>
#include <trotter/common/integration/operator_sequence.hpp>

namespace trotter {

/// The numbers of one step.
struct StepNumbers {
    double step_size = 0;           ///< [ps]
    double kick_size = 0;           ///< what V's stand for together [ps]; differs from the step size where that changes
    double decay = 1, spread = 0;   ///< of an O: v = decay v + spread ξ/√m
    double constraint_tolerance = 0;
};
/// Of an integrator whose step has a fixed size, without an O.
template <class I> StepNumbers fixed_step(I const& integrator) {
    return {.step_size = integrator.step_size,
            .kick_size = integrator.step_size,
            .constraint_tolerance = integrator.constraint_tolerance};
}

/// Between two places where something must be known of all particles, all happens block after block of particles: operators
/// up to the next constraints in a single pass, then these, while the block is in the cache.
class SequenceStepper {
public:
    /// `keeps_unconstrained`: positions before they are moved back onto the constraints, for `unconstrained`.
    SequenceStepper(OperatorSequence sequence, RandomStream noise, std::size_t particles, bool keeps_unconstrained = false);

    /// `external` is what an S does to the velocities. Forces are evaluated where they are not known from the step before.
    void step(HostState& host, ForceEvaluator const& evaluate, StepNumbers const& numbers,
              std::function<void()> const& external = {});

    /// As it was last, if it is kept and there are constraints.
    std::vector<Vec3<>> const& unconstrained() const { return unconstrained_; }

private:
    /// Operators that act together, then constraints.
    struct Pass {
        std::size_t first, end;
        std::uint64_t first_draw;  ///< of the step's
        bool keeps_start, constrains_positions, constrains_velocities;
    };
    /// Passes between which nothing must be known of all particles.
    struct Section {
        std::vector<Pass> passes{};
        std::vector<custom_integrator::ForceQuantities> needs{};  ///< of each set of forces
        bool needs_forces = false, moves = false, is_external = false;
    };
    /// Positions of a block, before and after the drifts that constraints follow.
    struct Displaced {
        std::vector<Vec3<>> start, moved;
    };

    void find_sections();
    std::size_t end_of_pass(std::size_t first, bool has_moved) const;
    void provide_forces(Section const& section, HostState& host, ForceEvaluator const& evaluate);
    void act(Section const& section, HostState& host, StepNumbers const& numbers);
    void constrain(Pass const& pass, HostState& host, ParticleBlock const& block, Vec3<> const* start,
                   Vec3<> const* moved, StepNumbers const& numbers) const;

    OperatorSequence sequence_;
    RandomStream noise_;
    custom_integrator::GroupForces forces_;
    std::vector<Section> sections_;
    /// Of all particles, where a block does not go from a drift to its constraints at once.
    bool keeps_displaced_;
    std::vector<Vec3<>> start_, unconstrained_;
    bool sites_are_old_ = false;  // some of their parents have moved in this step
};

}  // namespace trotter
