// Moves Drude particles to the minimum of the energy.
// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/common/minimization/lbfgs.hpp>
#include <trotter/drude/parts.hpp>

namespace trotter::drude {

/// Minimizes the energy over the positions of Drude particles. Their springs dominate its second derivatives, so that
/// L-BFGS steps (J. Nocedal, Math. Comput. 35, 773 (1980)) from the inverse stiffness, taken in full, need few
/// evaluations, and forces alone. Where these do not decrease the force, continues with a line search.
class Relaxation {
public:
    /// `epsilon` is the relative resolution of forces. Particles have been checked.
    Relaxation(std::vector<Springs::Spring> const& springs, double epsilon);

    /// Moves them until the root mean square of the force on a Drude particle is at most `tolerance` [kJ/mol/nm], or
    /// rounding errors prevent progress.
    void run(HostState& host, ForceEvaluator const& evaluate, double tolerance);

private:
    using Vectors = std::vector<Vec3<>>;
    /// Change of positions and gradient in a step.
    struct Change {
        Vectors x, gradient;
        double inverse_product;
    };

    Vectors positions(HostState const& host) const;
    void place(Vectors const& x, HostState& host) const;
    void evaluate_at(LbfgsPoint& point, bool energy, HostState& host, ForceEvaluator const& evaluate) const;
    double resolution(HostState& host) const;
    Vectors full_step(Vectors const& gradient, Threads& threads) const;
    void remember(LbfgsPoint const& before, LbfgsPoint const& after, Threads& threads);
    bool take_full_steps(LbfgsPoint& point, HostState& host, ForceEvaluator const& evaluate, double aim);
    void search(LbfgsPoint& point, HostState& host, ForceEvaluator const& evaluate, double aim) const;

    std::vector<Springs::Spring> springs_;
    double epsilon_;
    std::deque<Change> changes_;  ///< of this minimization
};

}  // namespace trotter::drude
