// Finds groups of connected particles, and the parents of virtual sites.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <variant>
#include <vector>

#include <trotter/core/molecules.hpp>
#include <trotter/core/virtual_sites.hpp>

namespace trotter {

std::vector<std::vector<int>> Connections::groups() {
    std::vector<std::vector<int>> result;
    std::vector<int> group_of_root(parent_.size(), -1);
    std::vector<std::size_t> sizes(parent_.size());
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) ++sizes[static_cast<std::size_t>(root(i))];
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
        int& group = group_of_root[static_cast<std::size_t>(root(i))];
        if (group < 0) {
            group = static_cast<int>(result.size());
            result.emplace_back().reserve(sizes[static_cast<std::size_t>(root(i))]);
        }
        result[static_cast<std::size_t>(group)].push_back(i);
    }
    return result;
}

std::vector<int> parents(VirtualSite const& site) {
    return std::visit(
        [](auto const& s) {
            std::vector<int> result;
            for (std::size_t k = 0; k < parent_count(s); ++k) result.push_back(parent(s, k));
            return result;
        },
        site);
}

}  // namespace trotter
