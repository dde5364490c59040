// Runs sequences of operators on the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <trotter/common/integration/group_force_cache.hpp>
#include <trotter/common/integration/operator_sequence.hpp>

namespace trotter {

/// Parameters of one step.
struct StepNumbers {
    double step_size = 0;           ///< [ps]
    double kick_size = 0;           ///< total time of the V's [ps]; differs from a varying step size
    double decay = 1, spread = 0;   ///< of an O: v = decay v + spread ξ/√m
    double constraint_tolerance = 0;
};
/// For an integrator with fixed step size, without O.
template <class I> StepNumbers fixed_step(I const& integrator) {
    return {.step_size = integrator.step_size,
            .kick_size = integrator.step_size,
            .constraint_tolerance = integrator.constraint_tolerance};
}

/// Between synchronization points, works block by block: operators up to the next constraints in a single pass, then
/// the constraints, while the block is in the cache.
class SequenceStepper {
public:
    /// `keeps_unconstrained`: stores the positions before constraints are applied, for `unconstrained`.
    SequenceStepper(OperatorSequence sequence, RandomStream noise, std::size_t particles, bool keeps_unconstrained = false);

    /// `external` is the operator S. Forces are evaluated unless known from the step before.
    void step(HostState& host, ForceEvaluator const& evaluate, StepNumbers const& numbers,
              std::function<void()> const& external = {});

    /// Last unconstrained positions, if they are stored and there are constraints.
    std::vector<Vec3<>> const& unconstrained() const { return unconstrained_; }

private:
    /// Operators done in one pass, then constraints.
    struct Pass {
        std::size_t first, end;
        std::uint64_t first_draw;  ///< index within the step
        bool keeps_start, constrains_positions, constrains_velocities;
    };
    /// Passes without synchronization of all particles between them.
    struct Section {
        std::vector<Pass> passes{};
        std::vector<custom_integrator::ForceQuantities> needs{};  ///< per set of force groups
        bool needs_forces = false, moves = false, is_external = false;
    };
    /// Positions of a block, before and after the drifts that precede constraints.
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
    /// Whether start and unconstrained positions of all particles are stored: on request, or if drift and constraints
    /// of a block are in different sections.
    bool keeps_displaced_;
    std::vector<Vec3<>> start_, unconstrained_;
    bool sites_are_old_ = false;  // their parents have moved in this step
};

}  // namespace trotter
