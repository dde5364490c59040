// SPDX-License-Identifier: MIT
#include <trotter/app/selection.hpp>

#include "app/selection/node.hpp"

namespace trotter::app {

Selection Selection::parse(std::string const& text) {
    return {text, std::make_shared<Node const>(parse_selection(text))};
}

std::vector<int> Selection::atoms(Structure const& structure, SelectionData const& data) const {
    auto const selected = evaluate(*root_, structure, data);
    std::vector<int> indices;
    for (std::size_t atom = 0; atom < selected.size(); ++atom)
        if (selected[atom]) indices.push_back(static_cast<int>(atom));
    return indices;
}

std::string Selection::tree() const { return tree_of(*root_); }

}  // namespace trotter::app
