// Analyzes sequences of operators for steps on a device.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

StepSequence::StepSequence(OperatorSequence const& from) : draws_of_step(from.draws_of_step) {
    grouped.sets = from.sets;
    for (auto const& each : from.operators) take(each);
    bool const has_kept = find_kept();
    if (has_kept || !is_plain(from))
        find_sections();
    else
        grouped = {};
}

bool StepSequence::can_do(OperatorSequence const& from) {
    bool has_drifted = false;
    for (auto const& each : from.operators) {
        if (each.letter == 'V' && has_drifted) return false;
        has_drifted = each.letter == 'R' || (has_drifted && each.letter == 'O');
        if (each.constrains_positions && !has_drifted) return false;
        if (each.constrains_positions || each.constrains_velocities) has_drifted = false;
    }
    return !has_drifted;
}

int StepSequence::share(double value) {
    auto& shares = grouped.shares;
    auto const found = std::find(shares.begin(), shares.end(), value);
    if (found != shares.end()) return static_cast<int>(found - shares.begin());
    shares.push_back(value);
    return static_cast<int>(shares.size()) - 1;
}

void StepSequence::add(char what, GroupedOperators::Operator const& op) {
    bool const has_moved = operators.find('R', operators.rfind('V') + 1) != std::string::npos;
    needs_new_forces.push_back(what == 'V' && has_moved);
    operators += what;
    grouped.operators.push_back(op);
    constrain_positions_after.push_back(false);
    constrain_velocities_after.push_back(false);
}

void StepSequence::take(OperatorSequence::Operator const& from) {
    bool const has_share = from.letter == 'V' || from.letter == 'R';
    add(from.letter, {.set = from.set, .share = has_share ? share(from.share) : 0});
    if (from.constrains_positions) {
        constrain_positions_after.back() = true;
        grouped.operators.back().share_of_run = share(from.drifted);
        if (from.constrains_velocities) add('C', {});
    }
    if (from.constrains_velocities) constrain_velocities_after.back() = true;
}

// Forces of a set at the end of a step are reused at the beginning of the next.
bool StepSequence::find_kept() {
    auto& own = grouped.operators;
    bool has_any = false;
    auto const first = operators.find('R'), last = operators.rfind('R');
    for (std::size_t i = 0; i < first; ++i)
        for (std::size_t k = last; k < operators.size() && operators[i] == 'V'; ++k)
            if (operators[k] == 'V' && own[k].set == own[i].set) has_any = own[i].is_kept = own[k].keeps = true;
    return has_any;
}

// A section ends where positions are constrained; it needs new forces of one set at most, before it moves particles.
void StepSequence::find_sections() {
    bool has_forces = false, moves = false;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        bool const takes = takes_new_forces(i), follows = i > 0 && constrain_positions_after[i - 1];
        bool const begins = i > 0 && (follows || (takes && (has_forces || moves)));
        if (begins) has_forces = moves = false;
        grouped.operators[i].begins_section = begins;
        has_forces = has_forces || takes;
        moves = moves || operators[i] == 'R';
    }
}

/// Whether one size of kicks and one of drifts suffice.
bool StepSequence::is_plain(OperatorSequence const& from) {
    for (auto const& each : from.operators) {
        if (each.constrains_positions && each.constrains_velocities) return false;
        double& share = each.letter == 'V' ? kick_share : drift_share;
        if (each.letter != 'V' && each.letter != 'R') continue;
        if (share != 0 && share != each.share) return false;
        share = each.share;
    }
    return from.sets.size() == 1;
}

}  // namespace trotter::device
