// Lists of folders in environment variables.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// The names between colons, as in PATH; none for a null pointer.
inline std::vector<std::string> names_in_path_list(char const* list) {
    std::vector<std::string> names;
    for (std::string_view rest = list == nullptr ? "" : list; !rest.empty();) {
        auto const end = std::min(rest.find(':'), rest.size());
        if (end > 0) names.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

}  // namespace trotter::app
