// Colors of the atoms of two graphs.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "at.hpp"
#include "matching.hpp"
#include "mixed.hpp"

namespace trotter::app::force_field {
namespace {

using ColorList = std::vector<std::uint64_t>;

ColorList first_colors(Graph const& graph, bool ignore_external_bonds) {
    ColorList result;
    for (auto const& atom : graph.atoms) {
        auto const external =
            static_cast<std::uint64_t>(ignore_external_bonds || atom.element == 0 ? 0 : atom.external_bonds);
        result.push_back(
            mixed(mixed(static_cast<std::uint64_t>(atom.element)) + atom.bonded.size() * 65537 + external));
    }
    return result;
}

std::size_t number_of_colors(ColorList colors) {
    std::sort(colors.begin(), colors.end());
    return static_cast<std::size_t>(std::unique(colors.begin(), colors.end()) - colors.begin());
}

ColorList next_colors(Graph const& graph, ColorList const& colors) {
    ColorList result(colors.size());
    for (std::size_t i = 0; i < colors.size(); ++i) {
        std::uint64_t neighbors = 0;
        for (int const other : graph.atoms[i].bonded) neighbors += mixed(at(colors, other));
        result[i] = mixed(colors[i] + 3 * mixed(neighbors));
    }
    return result;
}

ColorList distance_colors(Graph const& graph, ColorList const& colors) {
    ColorList result(colors.size());
    std::vector<int> reached(colors.size(), -1);  // from which atom
    for (int from = 0; from < count(colors); ++from) {
        std::uint64_t sum = mixed(at(colors, from));
        std::vector<int> shell{from}, next;
        at(reached, from) = from;
        for (std::uint64_t distance = 1; !shell.empty(); ++distance, shell.swap(next), next.clear())
            for (int const atom : shell)
                for (int const other : at(graph.atoms, atom).bonded) {
                    if (at(reached, other) == from) continue;
                    at(reached, other) = from;
                    next.push_back(other);
                    sum += mixed(at(colors, other) + mixed(distance));
                }
        at(result, from) = mixed(sum);
    }
    return result;
}

}  // namespace

Colors::Colors(Graph const& residue, Graph const& of_template, bool ignore_external_bonds)
    : of_residue(first_colors(residue, ignore_external_bonds)),
      of_template(first_colors(of_template, ignore_external_bonds)) {}

void Colors::single_out(int atom, int image) {
    auto const color = mixed(at(of_residue, atom) + 1);
    at(of_residue, atom) = at(of_template, image) = color;
}

bool Colors::refine(Graph const& residue, Graph const& template_graph, std::int64_t& work) {
    for (auto known = number_of_colors(of_residue); agree();) {
        of_residue = next_colors(residue, of_residue);
        of_template = next_colors(template_graph, of_template);
        work += count(of_residue);
        auto const found = number_of_colors(of_residue);
        if (found == known) return agree();
        known = found;
    }
    return false;
}

void Colors::mix_distances(Graph const& residue, Graph const& template_graph, std::int64_t& work) {
    of_residue = distance_colors(residue, of_residue);
    of_template = distance_colors(template_graph, of_template);
    work += std::int64_t{count(of_residue)} * count(of_residue);
}

bool Colors::agree() const {
    auto a = of_residue, b = of_template;
    std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
    return a == b;
}

}  // namespace trotter::app::force_field
