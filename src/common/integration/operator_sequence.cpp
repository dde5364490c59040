// Builds sequences of operators.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <trotter/common/integration/operator_sequence.hpp>

namespace trotter {

OperatorSequence::OperatorSequence(NestedSplitting const& splitting) {
    for (std::size_t i = 0; i < splitting.size; ++i) {
        auto const& letter = splitting.letters[i];
        add(letter.what, splitting.share(i), letter.what == 'V' ? set_of(ForceGroups::only({letter.group})) : 0);
        bool const run_ends = letter.what != 'V' && (i + 1 == splitting.size || splitting.letters[i + 1].what == 'V');
        if (!run_ends || drifted() == 0) continue;
        constrain_positions(drifted());
        constrain_velocities();
    }
    constrain_velocities();
}

OperatorSequence OperatorSequence::middle_scheme(ForceGroups const& groups) {
    OperatorSequence result;
    result.sets = {groups};
    result.add('V', 1);
    result.constrain_velocities();
    result.add('R', 0.5);
    result.add('S', 0);
    result.add('R', 0.5);
    result.constrain_positions(1);
    return result;
}

void OperatorSequence::add(char letter, double share, int set) {
    if (letter == 'V')
        for (auto i = operators.rbegin(); i != operators.rend(); ++i) {
            if (i->letter != 'V' || i->constrains_positions || i->constrains_velocities) break;
            if (i->set == set) return void(i->share += share);
        }
    operators.push_back({.letter = letter, .set = set, .share = share});
}

void OperatorSequence::constrain_positions(double drifted) {
    if (operators.empty() || operators.back().constrains_positions || operators.back().constrains_velocities) add('C', 0);
    operators.back().constrains_positions = true;
    operators.back().drifted = drifted;
}
void OperatorSequence::constrain_velocities() {
    if (operators.empty()) add('C', 0);
    operators.back().constrains_velocities = true;
}

int OperatorSequence::set_of(ForceGroups const& groups) {
    auto const found = std::find(sets.begin(), sets.end(), groups);
    if (found == sets.end()) return sets.push_back(groups), static_cast<int>(sets.size()) - 1;
    return static_cast<int>(found - sets.begin());
}

std::size_t OperatorSequence::count(char letter) const {
    return static_cast<std::size_t>(std::count_if(operators.begin(), operators.end(), [&](auto const& each) { return each.letter == letter; }));
}

/// Fraction of the step since positions were last constrained.
double OperatorSequence::drifted() const {
    double sum = 0;
    for (auto i = operators.rbegin(); i != operators.rend() && !i->constrains_positions; ++i)
        if (i->letter == 'R') sum += i->share;
    return sum;
}

}  // namespace trotter
