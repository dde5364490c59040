// How a residue differs from the template that is nearest to it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "at.hpp"
#include "bonds.hpp"
#include "data.hpp"

namespace trotter::app::force_field {
namespace {

constexpr int hydrogen = 2;  // its element_number

// Numbers of atoms by element, of bonds by elements, or their differences: positive if the residue has too many.
using Counts = std::map<std::pair<int, int>, int>;

Counts count_atoms(Graph const& graph) {
    Counts result;
    for (auto const& atom : graph.atoms) ++result[{0, atom.element}];
    return result;
}
Counts count_bonds(Graph const& graph) {
    Counts twice;
    for (auto const& atom : graph.atoms)
        for (int const other : atom.bonded) ++twice[std::minmax(atom.element, at(graph.atoms, other).element)];
    for (auto& [elements, number] : twice) number /= 2;
    return twice;
}
Counts count_external_bonds(Graph const& graph) {
    Counts result;
    for (auto const& atom : graph.atoms)
        if (atom.external_bonds > 0) result[{0, atom.element}] += atom.external_bonds;
    return result;
}
Counts difference(Counts residue, Counts const& of_template) {
    for (auto const& [key, number] : of_template) residue[key] -= number;
    std::erase_if(residue, [](auto const& entry) { return entry.second == 0; });
    return residue;
}

std::string element_text(int number) {
    return number == 0 ? "extra particle" : std::string(Element::from_atomic_number(number / 2)->symbol());
}
std::string count_text(std::pair<int, int> const& key, int number, bool are_bonds) {
    auto const what = are_bonds ? fmt::format("{}-{} bond", element_text(key.first), element_text(key.second))
                      : key.second == 0 ? element_text(0)
                                        : element_text(key.second) + " atom";
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}
std::string difference_text(Counts const& differences, bool are_bonds) {
    std::vector<std::string> missing, extra;
    for (auto const& [key, number] : differences)
        (number < 0 ? missing : extra).push_back(count_text(key, std::abs(number), are_bonds));
    auto text = missing.empty() ? "" : fmt::format("lacks {}", fmt::join(missing, " and "));
    if (!extra.empty())
        text += fmt::format("{}has {} too many", missing.empty() ? "" : " and ", fmt::join(extra, " and "));
    return text;
}

// How alike two names are: twice the length of their longest common subsequence over the sum of their lengths.
double likeness(std::string const& a, std::string const& b) {
    if (a.size() + b.size() == 0) return 1;
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (char const c : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const above = row[j];
            row[j] = c == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
            diagonal = above;
        }
    }
    return 2. * static_cast<double>(row.back()) / static_cast<double>(a.size() + b.size());
}

class Comparison {
public:
    Comparison(Templates const& templates, Topology const& topology, int residue, Graph graph)
        : topology_(topology), residue_(residue), graph_(std::move(graph)) {
        for (auto const& one : templates.all()) left_.push_back(one.get());
    }

    std::string text() {
        if (left_.empty()) return "cannot have a template, since the force field has none";
        if (auto const foreign = foreign_elements(); !foreign.empty())
            return fmt::format("has atoms or particles that no template has: {}", fmt::join(foreign, ", "));
        auto const heavy = [](Counts const& all) {
            Counts result;
            for (auto const& [key, number] : all)
                if (key.second != 0 && key.second != hydrogen) result[key] = number;
            return result;
        };
        if (!keep_nearest(count_atoms, heavy))
            return fmt::format("is nearest to {}, but {}{}", nearest()->name, text_of(count_atoms, false),
                               end_of_chain());
        if (!keep_nearest(count_atoms, [](Counts const& all) { return all; })) return atoms_text();
        if (!keep_nearest(count_bonds, [](Counts const& all) { return all; })) return bonds_text();
        if (!keep_nearest(count_external_bonds, [](Counts const& all) { return all; }))
            return fmt::format(
                "has the atoms and bonds of {}, but of the atoms bonded to other residues {}{}", nearest()->name,
                text_of(count_external_bonds, false),
                end_of_chain().empty() ? "" : ": the end of a chain needs a cap or a template of its own");
        return fmt::format("has the atoms and bonds of {}, but is connected otherwise", nearest()->name);
    }

private:
    // Keeps the templates that differ least; first come those of which the residue has nothing too much. Returns
    // whether they do not differ at all.
    template <class Count, class Select> bool keep_nearest(Count const& counted, Select const& select) {
        std::vector<std::pair<std::pair<bool, int>, Template const*>> scored;
        auto const own = counted(graph_);
        for (auto const* one : left_) {
            auto const all = difference(own, counted(one->graph));
            bool const has_too_many =
                std::any_of(all.begin(), all.end(), [](auto const& entry) { return entry.second > 0; });
            int sum = 0;
            for (auto const& [key, number] : select(all)) sum += std::abs(number);
            scored.push_back({{has_too_many, sum}, one});
        }
        auto const less = [](auto const& a, auto const& b) { return a.first < b.first; };
        auto const least = std::min_element(scored.begin(), scored.end(), less)->first;
        left_.clear();
        for (auto const& [score, one] : scored)
            if (score == least) left_.push_back(one);
        return least.second == 0;
    }

    Template const* nearest() const {
        auto const& name = at(topology_.residues, residue_).name;
        return *std::max_element(left_.begin(), left_.end(), [&](auto const* a, auto const* b) {
            return likeness(name, a->name) < likeness(name, b->name);
        });
    }
    template <class Count> std::string text_of(Count const& counted, bool are_bonds) const {
        return difference_text(difference(counted(graph_), counted(nearest()->graph)), are_bonds);
    }

    std::vector<std::string> foreign_elements() const {
        auto own = count_atoms(graph_);
        for (auto const* one : left_)
            for (auto const& [key, number] : count_atoms(one->graph)) own.erase(key);
        std::vector<std::string> result;
        for (auto const& [key, number] : own) result.push_back(element_text(key.second));
        return result;
    }
    std::string end_of_chain() const { return is_end_of_chain(topology_, residue_) ? " (the end of a chain)" : ""; }
    std::string atoms_text() const {
        auto const differences = difference(count_atoms(graph_), count_atoms(nearest()->graph));
        bool const is_one = differences.size() == 1 && differences.begin()->second < 0;
        int const element = differences.begin()->first.second;
        auto const remedy = is_one && element == 0          ? "; the step add_extra_particles adds them"
                            : is_one && element == hydrogen ? "; the step add_hydrogens adds them"
                                                            : end_of_chain();
        return fmt::format("has the heavy atoms of {}, but {}{}", nearest()->name, difference_text(differences, false),
                           remedy);
    }
    std::string bonds_text() const {
        auto const* found = nearest();
        if (count_bonds(graph_).empty())
            return fmt::format(
                "has the atoms of {}, but no bonds between them: the names are not standard ones, or CONECT "
                "records are missing",
                found->name);
        return fmt::format("has the atoms of {}, but {}", found->name, text_of(count_bonds, true));
    }

    Topology const& topology_;
    int residue_;
    Graph graph_;
    std::vector<Template const*> left_;
};

}  // namespace

std::string difference_from_templates(Templates const& templates, Topology const& topology, int residue,
                                      std::vector<std::vector<int>> const& neighbors) {
    return Comparison(templates, topology, residue, graph_of(topology, neighbors, atoms_of(topology, residue))).text();
}

}  // namespace trotter::app::force_field
