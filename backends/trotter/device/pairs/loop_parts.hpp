// What a loop over pairs consists of, and what its parts are called in text.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/pairs/interaction.hpp>

namespace trotter::device {

/// What a loop adds up. They are two loops, so that the bits of forces are the same whether or not energies are asked
/// for: a compiler fuses multiplications and additions in one way or another depending on what else is wanted.
enum class PairSums { forces, energies };

/// One or several interactions of one range, and what they add up for each particle: forces, then sums.
class LoopParts {
public:
    /// A sum over all pairs: its name, what a pair adds to it, and its slot.
    struct Total {
        std::string name, of_pair;
        int slot;
    };

    LoopParts(std::vector<Interaction const*> of, PairSums wants) : interactions(std::move(of)), wants_(wants) {
        for (std::size_t k = 0; !wants_energies() && k < interactions.size(); ++k) {
            auto const& interaction = *interactions[k];
            if (interaction.has_forces && !has_forces)
                channels.insert(channels.begin(), {"x", "y", "z"}), has_forces = true;
            for (auto const& sum : interaction.sums) {
                channels.push_back(prefix(k, 's') + sum.name);
                engine_sums.push_back(sum);
            }
        }
    }

    std::vector<Interaction const*> interactions;
    std::vector<std::string> channels;  ///< what is added up for each particle
    std::vector<Interaction::ParticleSum> engine_sums;  ///< for the channels behind those of forces
    bool has_forces = false;

    bool wants_energies() const { return wants_ == PairSums::energies; }
    std::vector<Interaction::ParticleSum> sums_over_partners(std::size_t k) const {
        return wants_energies() ? std::vector<Interaction::ParticleSum>{} : interactions[k]->sums;
    }
    std::vector<Total> totals(std::size_t k) const {
        std::vector<Total> result{{"energy" + std::to_string(k), "tempEnergy", interactions[k]->energy_slot}};
        for (auto const& total : interactions[k]->totals)
            result.push_back({prefix(k, 't') + total.name, total.name, total.slot});
        return result;
    }
    bool any_names(std::string const& name) const {
        return std::any_of(interactions.begin(), interactions.end(),
                           [&](auto const* interaction) { return names(interaction->text, name); });
    }
    static std::string prefix(std::size_t k, char kind) { return std::string(1, kind) + std::to_string(k) + '_'; }
    /// The arguments of an interaction under its own names, in a scope of theirs.
    std::string argument_names(std::size_t k) const {
        std::string result;
        for (auto const& argument : interactions[k]->arguments)
            result += argument.type + ' ' + argument.name + " = " + prefix(k, 'a') + argument.name + ";\n";
        return result;
    }
    /// Where the sums of a channel over the own particles stand.
    static std::string own_totals(std::size_t channel) {
        return "totals + TOTALS*(PAIR_WARPS*" + std::to_string(channel) + " + warp)";
    }

private:
    PairSums wants_;
};

}  // namespace trotter::device
