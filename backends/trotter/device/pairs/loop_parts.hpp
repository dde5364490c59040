// Components of a pair loop and their names in kernel source.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>

namespace trotter::device {

/// One or several interactions of one range, and their per-particle sums (channels): forces, then others.
class LoopParts {
public:
    /// A sum over all pairs: its name, a pair's contribution, and its accumulator.
    struct Total {
        std::string name, of_pair;
        int slot;
    };

    LoopParts(std::vector<PairInteraction const*> of, PairSums wants);

    std::vector<PairInteraction const*> interactions;
    std::vector<std::string> channels;  ///< per-particle sums
    std::vector<PairInteraction::ParticleSum> engine_sums;  ///< for the channels after those of forces
    bool has_forces = false;

    bool wants_energies() const { return wants_ == PairSums::energies; }
    std::vector<PairInteraction::ParticleSum> sums_over_partners(std::size_t k) const;
    std::vector<Total> totals(std::size_t k) const;
    bool any_names(std::string const& name) const;
    static std::string prefix(std::size_t k, char kind) { return std::string(1, kind) + std::to_string(k) + '_'; }
    /// Declares the arguments of an interaction under its own names, in their own scope.
    std::string argument_names(std::size_t k) const;
    /// Array of a channel's sums over the group's own particles.
    static std::string own_totals(std::size_t channel);

private:
    PairSums wants_;
};

}  // namespace trotter::device
