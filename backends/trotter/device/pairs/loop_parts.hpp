// What a loop over pairs consists of, and what its parts are called in text.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>

namespace trotter::device {

/// One or several interactions of one range, and what they add up for each particle: forces, then sums.
class LoopParts {
public:
    /// A sum over all pairs: its name, what a pair adds to it, and its slot.
    struct Total {
        std::string name, of_pair;
        int slot;
    };

    LoopParts(std::vector<PairInteraction const*> of, PairSums wants);

    std::vector<PairInteraction const*> interactions;
    std::vector<std::string> channels;  ///< what is added up for each particle
    std::vector<PairInteraction::ParticleSum> engine_sums;  ///< for the channels behind those of forces
    bool has_forces = false;

    bool wants_energies() const { return wants_ == PairSums::energies; }
    std::vector<PairInteraction::ParticleSum> sums_over_partners(std::size_t k) const;
    std::vector<Total> totals(std::size_t k) const;
    bool any_names(std::string const& name) const;
    static std::string prefix(std::size_t k, char kind) { return std::string(1, kind) + std::to_string(k) + '_'; }
    /// The arguments of an interaction under its own names, in a scope of theirs.
    std::string argument_names(std::size_t k) const;
    /// Where the sums of a channel over the own particles stand.
    static std::string own_totals(std::size_t channel);

private:
    PairSums wants_;
};

}  // namespace trotter::device
