// Products with forces of several groups, as the device's steps read them.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/device/integration/step_text.hpp>
#include <trotter/host/integrators/multiple_steps.hpp>

namespace trotter::device {

/// Makes a `Product` of a `GroupedProduct`.
class GroupedLettering {
public:
    explicit GroupedLettering(GroupedProduct const& from) : from_(from) {
        result_.grouped.sets = from.sets;
        for (std::size_t i = 0; i < from.letters.size(); ++i) take(i);
        find_kept();
        find_sections();
    }
    Product const& product() const { return result_; }

    /// Whether constraints act behind each run of drifts, where a launch ends.
    static bool can_do(GroupedProduct const& from) {
        bool has_drifted = false;
        for (auto const& letter : from.letters) {
            if (letter.what == 'P' && !has_drifted) return false;
            if (letter.what == 'V' && has_drifted) return false;
            has_drifted = letter.what == 'R' || (has_drifted && letter.what == 'O');
        }
        return !has_drifted;
    }

private:
    using Letter = GroupedLetters::Letter;

    int share(double value) {
        auto& shares = result_.grouped.shares;
        auto const found = std::find(shares.begin(), shares.end(), value);
        if (found != shares.end()) return static_cast<int>(found - shares.begin());
        shares.push_back(value);
        return static_cast<int>(shares.size()) - 1;
    }
    void add(char what, Letter const& letter) {
        result_.letters += what;
        result_.grouped.letters.push_back(letter);
        result_.constrain_positions_after.push_back(false);
        result_.constrain_velocities_after.push_back(false);
        result_.needs_new_forces.push_back(false);
        share_of_.push_back(0);
    }
    void take(std::size_t i) {
        auto const& [what, set, part] = from_.letters[i];
        if (what == 'P') {
            result_.constrain_positions_after.back() = true;
            result_.grouped.letters.back().share_of_run = share(part);
        } else if (what == 'C') {
            if (result_.letters.back() != 'V') add('C', {});
            result_.constrain_velocities_after.back() = true;
        } else if (what == 'V') {
            // Kicks with the same forces at the same place add up.
            for (std::size_t k = result_.letters.size(); k-- > 0 && result_.letters[k] == 'V'
                                                         && !result_.constrain_velocities_after[k];)
                if (result_.grouped.letters[k].set == set)
                    return void(result_.grouped.letters[k].share = share(share_of_[k] += part));
            add('V', {.set = set, .share = share(part)});
            share_of_.back() = part;
        } else
            add(what, {.share = what == 'R' ? share(part) : 0});
    }
    // Forces of sets with which a step ends are those with which the next begins.
    void find_kept() {
        auto& letters = result_.letters;
        auto& own = result_.grouped.letters;
        auto const first = letters.find('R'), last = letters.rfind('R');
        for (std::size_t i = 0; i < first; ++i)
            for (std::size_t k = last; k < letters.size() && letters[i] == 'V'; ++k)
                if (letters[k] == 'V' && own[k].set == own[i].set) own[i].is_kept = own[k].keeps = true;
    }
    // Positions are constrained where a section ends; it has new forces of one set, and these before it moves.
    void find_sections() {
        bool has_forces = false, moves = false;
        for (std::size_t i = 0; i < result_.letters.size(); ++i) {
            bool const takes = result_.takes_new_forces(i), follows = i > 0 && result_.constrain_positions_after[i - 1];
            bool const begins = i > 0 && (follows || (takes && (has_forces || moves)));
            if (begins) has_forces = moves = false;
            result_.grouped.letters[i].begins_section = begins;
            has_forces = has_forces || takes;
            moves = moves || result_.letters[i] == 'R';
        }
    }

    GroupedProduct const& from_;
    Product result_;
    std::vector<double> share_of_;  // of the V's
};

}  // namespace trotter::device
