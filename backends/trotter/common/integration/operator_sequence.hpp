// Operator splitting of a step, as a list of operators.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/integrators/splitting.hpp>

namespace trotter {

/// Run-time form of a splitting: made from a Splitting, a NestedSplitting, or a CustomIntegrator whose formulas are
/// one; run by hosts and devices.
struct OperatorSequence {
    struct Operator {
        /// V, R and O are as in a Splitting; S is done by the integrator's kernel; C has only the constraints below.
        char letter = 0;
        int set = 0;       ///< of a V: index in `sets`
        double share = 0;  ///< of the time step, of a V or R
        /// Whether positions are then constrained, and velocities get the corresponding impulse.
        bool constrains_positions = false;
        double drifted = 0;  ///< fraction of the time step since positions were last constrained
        /// Whether velocities are finally projected on the constraints.
        bool constrains_velocities = false;
    };
    std::vector<Operator> operators{};
    std::vector<ForceGroups> sets{};
    /// Random draws reserved per step: those of step n begin at n times this.
    std::uint64_t draws_of_step = most_draws;
    static constexpr std::uint64_t most_draws = std::uint64_t{1} << 20;

    /// Uses the forces of these groups.
    template <std::size_t N> OperatorSequence(Splitting<N> const& splitting, ForceGroups const& groups) : sets{groups} {
        draws_of_step = splitting.count('O');
        for (std::size_t i = 0; i < N; ++i) {
            char const letter = splitting.letters[i];
            add(letter, splitting.share(letter));
            if (splitting.constrain_positions_after(i)) constrain_positions(drifted());
            if (splitting.constrain_velocities_after(i)) constrain_velocities();
        }
    }
    explicit OperatorSequence(NestedSplitting const& splitting);
    OperatorSequence() = default;
    /// V R S R: S acts on velocities in the middle of a leapfrog step (Z. Zhang et al., J. Phys. Chem. A 123, 6056
    /// (2019)).
    static OperatorSequence middle_scheme(ForceGroups const& groups);

    /// Merges successive kicks with the same forces.
    void add(char letter, double share, int set = 0);
    void constrain_positions(double drifted);
    void constrain_velocities();
    int set_of(ForceGroups const& groups);
    std::size_t count(char letter) const;

private:
    double drifted() const;
};

}  // namespace trotter
