// SPDX-License-Identifier: MIT
#include "matching.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include <trotter/error.hpp>

#include "at.hpp"

namespace trotter::app::force_field {
namespace {

using Candidates = std::vector<std::vector<int>>;  // atoms of the template, for each atom of the residue

bool have_same_counts(Graph const& residue, Graph const& of_template, bool ignore_external_bonds) {
    auto const counts = [&](Graph const& graph) {
        std::vector<std::tuple<int, std::size_t, int>> result;
        for (auto const& atom : graph.atoms)
            result.emplace_back(atom.element, atom.bonded.size(), ignore_external_bonds ? 0 : atom.external_bonds);
        std::sort(result.begin(), result.end());
        return result;
    };
    return residue.atoms.size() == of_template.atoms.size() && counts(residue) == counts(of_template);
}

// An extra particle can only be one of its name, if there is one; other atoms any of the element and numbers of bonds.
// Extra particles of the template count for any element, as in OpenMM, since the number of candidates sets the order.
Candidates find_candidates(Graph const& residue, Graph const& of_template, bool ignore_external_bonds) {
    Candidates result(residue.atoms.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        auto const& atom = residue.atoms[i];
        for (int j = 0; j < count(of_template.atoms) && atom.element == 0; ++j)
            if (at(of_template.atoms, j).element == 0 && at(of_template.atoms, j).name == atom.name)
                result[i].push_back(j);
        if (!result[i].empty()) continue;
        for (int j = 0; j < count(of_template.atoms); ++j) {
            auto const& other = at(of_template.atoms, j);
            if ((other.element == 0 || other.element == atom.element) && other.bonded.size() == atom.bonded.size()
                && (ignore_external_bonds || other.external_bonds == atom.external_bonds))
                result[i].push_back(j);
        }
    }
    return result;
}

// The order in which atoms are assigned: along the bonds, those with few candidates first.
std::vector<int> search_order(Graph const& residue, Candidates const& candidates) {
    using Entry = std::pair<std::size_t, int>;
    std::vector<int> result;
    std::vector<Entry> starts;
    for (int i = 0; i < count(candidates); ++i) starts.emplace_back(at(candidates, i).size(), i);
    std::sort(starts.begin(), starts.end());
    std::vector<bool> queued(candidates.size(), false);
    for (auto const& start : starts) {
        if (at(queued, start.second)) continue;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
        next.push(start);
        at(queued, start.second) = true;
        while (!next.empty()) {
            int const atom = next.top().second;
            next.pop();
            result.push_back(atom);
            for (int const other : at(residue.atoms, atom).bonded) {
                if (at(queued, other)) continue;
                at(queued, other) = true;
                next.emplace(at(candidates, other).size(), other);
            }
        }
    }
    return result;
}

class Search {
public:
    Search(Graph const& residue, Graph const& of_template, bool ignore_external_bonds)
        : residue_(residue),
          template_(of_template),
          candidates_(find_candidates(residue, of_template, ignore_external_bonds)),
          order_(search_order(residue, candidates_)),
          place_(order_.size()),
          image_(order_.size(), -1),
          is_taken_(order_.size(), false),
          colors_(residue, of_template, ignore_external_bonds) {
        for (int i = 0; i < count(order_); ++i) at(place_, at(order_, i)) = i;
    }

    std::optional<std::vector<int>> run() {
        if (!colors_.refine(residue_, template_, work_)) return {};
        if (auto const found = backtrack(50 * count(order_) + 1000); found)
            return *found ? std::optional(image_) : std::nullopt;
        if (count(order_) < 10'000) colors_.mix_distances(residue_, template_, work_);
        return colors_.refine(residue_, template_, work_) && refine_at_choices() ? std::optional(image_) : std::nullopt;
    }

private:
    struct Choice {
        int position;              // in the search order
        std::vector<int> options;  // atoms of the template still to be tried, the last one first
        std::optional<Colors> colors;  // before the choice
    };

    // The atoms of the template that are possible for the atom at a position, in reverse order.
    std::vector<int> options(int position) const {
        int const atom = at(order_, position);
        auto const* possible = &at(candidates_, atom);
        for (int const other : at(residue_.atoms, atom).bonded)
            if (at(place_, other) < position) {
                possible = &at(template_.atoms, at(image_, other)).bonded;
                break;
            }
        std::vector<int> result;
        for (int const candidate : *possible)
            if (is_possible(atom, position, candidate)) result.push_back(candidate);
        std::reverse(result.begin(), result.end());
        return result;
    }
    bool is_possible(int atom, int position, int candidate) const {
        if (at(is_taken_, candidate) || at(colors_.of_residue, atom) != at(colors_.of_template, candidate))
            return false;
        auto const& own = at(candidates_, atom);
        if (!std::binary_search(own.begin(), own.end(), candidate)) return false;
        auto const& bonded = at(template_.atoms, candidate).bonded;
        for (int const other : at(residue_.atoms, atom).bonded)
            if (at(place_, other) < position
                && std::find(bonded.begin(), bonded.end(), at(image_, other)) == bonded.end())
                return false;
        return true;
    }
    void assign(int position, int candidate) {
        at(image_, at(order_, position)) = candidate;
        at(is_taken_, candidate) = true;
    }
    void withdraw(int position) { at(is_taken_, std::exchange(at(image_, at(order_, position)), -1)) = false; }

    // Depth first; nothing if it takes more than `limit` assignments.
    std::optional<bool> backtrack(std::int64_t limit) {
        std::vector<Choice> stack;
        auto const descend = [&](int position) { stack.push_back({position, options(position), {}}); };
        if (order_.empty()) return true;
        for (descend(0); !stack.empty();) {
            auto& [position, left, unused] = stack.back();
            if (at(image_, at(order_, position)) >= 0) withdraw(position);
            if (left.empty()) {
                stack.pop_back();
                continue;
            }
            if (limit-- == 0) {
                forget();
                return {};
            }
            assign(position, left.back());
            left.pop_back();
            if (position + 1 == count(order_)) return true;
            descend(position + 1);
        }
        return false;
    }

    void forget() {
        std::fill(image_.begin(), image_.end(), -1);
        std::fill(is_taken_.begin(), is_taken_.end(), false);
    }

    // The same, but colors are refined after each choice of several options, which rules out nearly all wrong ones.
    bool refine_at_choices() {
        std::vector<Choice> stack;
        int position = 0;
        while (position < count(order_)) {
            auto left = options(position);
            if (left.size() == 1) {
                assign(position++, left[0]);
                continue;
            }
            stack.push_back({position, std::move(left), colors_});
            if (!next_choice(stack)) return false;
            position = stack.back().position + 1;
        }
        return true;
    }
    bool next_choice(std::vector<Choice>& stack) {
        for (; !stack.empty(); stack.pop_back()) {
            auto& [position, left, colors] = stack.back();
            for (int p = position; p < count(order_) && at(image_, at(order_, p)) >= 0; ++p) withdraw(p);
            while (!left.empty()) {
                int const candidate = left.back();
                left.pop_back();
                colors_ = *colors;
                colors_.single_out(at(order_, position), candidate);
                bool const agree = colors_.refine(residue_, template_, work_);
                check_work(stack.size());
                if (!agree) continue;
                assign(position, candidate);
                return true;
            }
        }
        return false;
    }
    void check_work(std::size_t levels) const {
        if (work_ > 2'000'000'000 || levels * order_.size() > 10'000'000)
            throw InputError("a residue of " + std::to_string(order_.size())
                             + " atoms is too symmetric to be compared with a template of as many");
    }

    Graph const &residue_, &template_;
    Candidates candidates_;
    std::vector<int> order_, place_;  // atoms in the order of the search, and the place of each
    std::vector<int> image_;          // of each atom of the residue, or -1
    std::vector<bool> is_taken_;
    Colors colors_;
    std::int64_t work_ = 0;
};

}  // namespace

std::optional<std::vector<int>> match(Graph const& residue, Graph const& of_template, bool ignore_external_bonds) {
    if (!have_same_counts(residue, of_template, ignore_external_bonds)) return {};
    return Search(residue, of_template, ignore_external_bonds).run();
}

}  // namespace trotter::app::force_field
