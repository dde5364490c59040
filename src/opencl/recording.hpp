// Records work for a Graph.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

#include <trotter/opencl/queue.hpp>

namespace trotter::opencl {

/// Work submitted to a queue while it records.
class Recording {
public:
    void launch(Kernel kernel, device::LaunchGrid groups);
    void begin_branch();
    /// Moves the branch to a second queue if one of its launches has at least that many work-items.
    void end_branch(std::size_t least_items);
    void join() { must_wait_ = std::exchange(has_branches_, false) || must_wait_; }
    Graph finish();

private:
    Graph graph_;
    std::size_t branch_begin_ = 0;
    bool is_in_branch_ = false, has_branches_ = false, must_wait_ = false;
};

}  // namespace trotter::opencl
