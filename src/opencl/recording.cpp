// Branches of recorded work.
// SPDX-License-Identifier: MIT
#include "recording.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace trotter::opencl {

void Recording::launch(Kernel kernel, device::LaunchGrid groups) {
    bool const waits = !is_in_branch_ && std::exchange(must_wait_, false);
    graph_.launches.push_back({.kernel = std::move(kernel), .groups = groups, .waits = waits});
}
void Recording::begin_branch() {
    branch_begin_ = graph_.launches.size();
    is_in_branch_ = true;
}
void Recording::end_branch(std::size_t least_items) {
    is_in_branch_ = false;
    std::span const branch = std::span(graph_.launches).subspan(branch_begin_);
    if (branch.empty()) return;
    bool const is_large = std::any_of(branch.begin(), branch.end(), [&](Graph::Launch const& launch) {
        return launch.groups.count * launch.groups.size >= least_items;
    });
    branch.front().waits = is_large || std::exchange(must_wait_, false);
    for (auto& launch : branch) launch.is_on_branch = is_large;
    has_branches_ = has_branches_ || is_large;
}
Graph Recording::finish() {
    join();
    std::array<Graph::Launch*, 2> last{};  // of each queue
    for (auto& launch : graph_.launches) {
        if (auto* const other = last[!launch.is_on_branch]; launch.waits && other != nullptr) other->tells = true;
        last[launch.is_on_branch] = &launch;
    }
    graph_.waits_at_end = must_wait_;
    if (must_wait_) last[1]->tells = true;
    return std::move(graph_);
}

}  // namespace trotter::opencl
