// Clock and tree of parts of the profiler.
// SPDX-License-Identifier: MIT
#include <chrono>

#include <trotter/common/threads/profile.hpp>

namespace trotter {

std::int64_t Profile::now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Profile::start() {
    parts_.assign(1, {.name = "rest", .parent = 0});
    current_ = 0;
    last_ = now();
    is_on_ = true;
}

void Profile::stop() {
    if (is_on_) pass_time();
    is_on_ = false;
}

void Profile::pass_time() {
    auto const time = now();
    parts_[current_].seconds += 1e-9 * static_cast<double>(time - last_);
    last_ = time;
}

std::size_t Profile::enter(std::string_view name) {
    pass_time();
    std::size_t const outer = current_;
    for (current_ = outer + 1; current_ < parts_.size(); ++current_)
        if (parts_[current_].parent == outer && parts_[current_].name == name) break;
    if (current_ == parts_.size()) parts_.push_back({.name = name, .parent = outer});
    ++parts_[current_].calls;
    return outer;
}

void Profile::leave(std::size_t outer) {
    if (!is_on_) return;
    pass_time();
    current_ = outer;
}

void Profile::add_parallel(std::int64_t begin, std::int64_t none_left, std::int64_t end) {
    parts_[current_].parallel_seconds += 1e-9 * static_cast<double>(end - begin);
    parts_[current_].waiting_seconds += 1e-9 * static_cast<double>(end - none_left);
}

std::string Profile::path(std::size_t part) const {
    std::string const own(parts_[part].name);
    std::size_t const parent = parts_[part].parent;
    return parent == 0 ? own : path(parent) + '/' + own;
}

}  // namespace trotter
