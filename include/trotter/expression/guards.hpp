// Finds the instructions that are not needed where a step function is 0.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/expression/program.hpp>

namespace trotter::expression {

/// Visits the instructions whose results instruction `i` uses.
template <class Visit> void for_each_operand(UnitView unit, std::size_t i, Visit const& visit) {
    auto const& [op, a, b, c, value] = unit.code[i];
    if (op == Op::custom)
        for (int k = b; k < b + c; ++k) visit(static_cast<std::size_t>(unit.calls[static_cast<std::size_t>(k)].operand));
    int const operands[] = {a, b, c};
    for (int k = 0; k < operand_count(op); ++k) visit(static_cast<std::size_t>(operands[k]));
}

/// Finds, for each step function of a unit, the instructions that matter only where it is 1: those that vanish with it,
/// and those that only these need. They fit into one branch, with their inputs before and their users after it. An
/// infinite factor of a step that is 0 gives 0, not NaN.
class GuardSearch {
public:
    /// `needed` flags the instructions to evaluate, `is_output` those whose results are used outside the unit.
    GuardSearch(UnitView unit, std::vector<char> const& needed, std::vector<char> const& is_output)
        : unit_(unit), needed_(needed), is_output_(is_output), guards_(unit.code.size(), -1) {}

    /// For each instruction the step that guards it, or -1.
    std::vector<int> found() && {
        for (std::size_t step = 0; step < unit_.code.size(); ++step)
            if (needed_[step] && guards_[step] < 0 && unit_.code[step].op == Op::step) search(step);
        return std::move(guards_);
    }

private:
    using Marks = std::vector<char>;
    // The cost, in additions, from which a branch pays off.
    static constexpr int least_cost = 16;

    void search(std::size_t step) {
        Marks const inside = with_what_only_they_need(in_one_place(vanishing(step)), step);
        int cost = 0;
        for (std::size_t i = 0; i < inside.size(); ++i)
            if (inside[i]) cost += cost_of(unit_.code[i].op);
        if (cost < least_cost) return;
        for (std::size_t i = 0; i < inside.size(); ++i)
            if (inside[i]) guards_[i] = static_cast<int>(step);
    }
    static int cost_of(Op op) {
        switch (op) {
        case Op::add: case Op::subtract: case Op::multiply: case Op::negate: case Op::abs: case Op::floor: case Op::ceil:
        case Op::step: case Op::delta: case Op::min: case Op::max: case Op::select: return 1;
        case Op::divide: case Op::reciprocal: case Op::sqrt: return 4;
        case Op::custom: return 16;
        default: return 8;
        }
    }

    /// Those that are 0 where the step is 0.
    Marks vanishing(std::size_t step) const {
        Marks zero(unit_.code.size(), 0);
        auto const is_zero = [&](int i) {
            return zero[static_cast<std::size_t>(i)] || static_cast<std::size_t>(i) == step;
        };
        for (std::size_t i = step + 1; i < zero.size(); ++i) {
            if (!needed_[i] || guards_[i] >= 0) continue;
            auto const& [op, a, b, c, value] = unit_.code[i];
            switch (op) {
            case Op::multiply: zero[i] = is_zero(a) || is_zero(b); break;
            case Op::divide: case Op::negate: zero[i] = is_zero(a); break;
            case Op::add: case Op::subtract: zero[i] = is_zero(a) && is_zero(b); break;
            case Op::select: zero[i] = (is_zero(b) || is_constant_zero(b)) && (is_zero(c) || is_constant_zero(c)); break;
            default: break;
            }
        }
        return zero;
    }
    bool is_constant_zero(int i) const {
        auto const& [op, a, b, c, value] = unit_.code[static_cast<std::size_t>(i)];
        return op == Op::constant && value == 0;
    }
    /// Without those that depend on others, not chosen, that depend on chosen ones, directly or through another branch.
    Marks in_one_place(Marks const& chosen) const {
        Marks is_behind(chosen.size(), 0), is_branch_behind(chosen.size(), 0);
        for (bool changes = true; changes;) {
            changes = false;
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                char* const branch = guards_[i] < 0 ? nullptr : &is_branch_behind[static_cast<std::size_t>(guards_[i])];
                bool behind = is_behind[i] || (branch && *branch);
                for_each_operand(unit_, i, [&](std::size_t k) {
                    behind = behind || is_behind[k] || (chosen[k] && !chosen[i]);
                });
                changes = changes || (behind && !is_behind[i]);
                is_behind[i] = behind;
                if (branch && behind) *branch = 1;
            }
        }
        Marks result = chosen;
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] && !is_behind[i];
        return result;
    }
    Marks with_what_only_they_need(Marks inside, std::size_t step) const {
        Marks used_outside = is_output_;
        used_outside[step] = 1;
        for (std::size_t i = inside.size(); i-- > 0;) {
            if (!needed_[i]) continue;
            auto const op = unit_.code[i].op;
            inside[i] = inside[i] || (!used_outside[i] && guards_[i] < 0 && op != Op::constant && op != Op::limit && op != Op::variable);
            if (!inside[i]) for_each_operand(unit_, i, [&](std::size_t k) { used_outside[k] = 1; });
        }
        return inside;
    }

    UnitView unit_;
    std::vector<char> const& needed_;
    std::vector<char> const& is_output_;
    std::vector<int> guards_;
};

}  // namespace trotter::expression
