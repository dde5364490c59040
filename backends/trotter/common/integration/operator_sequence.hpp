// What an integrator does in a step: one operator after the other, whatever it was written as.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/integrators/splitting.hpp>

namespace trotter {

/// A splitting that the run time knows: a Splitting, a NestedSplitting and a CustomIntegrator whose formulas are one all
/// become this, and hosts and devices carry this out.
struct OperatorSequence {
    struct Operator {
        /// V, R and O are as in a Splitting; S is left to the integrator's kernel, C does nothing but what follows here.
        char letter = 0;
        int set = 0;       ///< of a V: which of `sets`
        double share = 0;  ///< of the time step, of a V or R
        /// Behind it, particles are moved back onto the constraints, and velocities take the impulse of that.
        bool constrains_positions = false;
        double drifted = 0;  ///< the share of the time step that has passed since they were before
        /// Behind all that, velocities are projected on the constraints.
        bool constrains_velocities = false;
    };
    std::vector<Operator> operators{};
    std::vector<ForceGroups> sets{};
    /// The random numbers of a step begin at this multiple of its number.
    std::uint64_t draws_of_step = most_draws;
    static constexpr std::uint64_t most_draws = std::uint64_t{1} << 20;

    /// With forces of these groups.
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
    /// V R S R: something acts on velocities in the middle of a leapfrog step.
    /// (Z. Zhang et al., J. Phys. Chem. A 123, 6056 (2019).)
    static OperatorSequence middle_scheme(ForceGroups const& groups);

    /// Kicks with the same forces at the same place add up.
    void add(char letter, double share, int set = 0);
    void constrain_positions(double drifted);
    void constrain_velocities();
    int set_of(ForceGroups const& groups);
    std::size_t count(char letter) const;

private:
    double drifted() const;
};

}  // namespace trotter
