// Thread pool for numbered tasks; results do not depend on the assignment of tasks to threads.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/base/owned.hpp>
#include <trotter/common/threads/profile.hpp>

namespace trotter {

/// Any free thread takes the next task. A task must depend on its number alone and write to separate memory: then
/// results are bitwise equal for any number of threads.
class Threads {
public:
    /// `count` 0: as many as the process may use; fewer if the system refuses to start them.
    explicit Threads(int count = 1);
    Threads(Threads&&) noexcept;
    ~Threads();

    int count() const { return count_; }

    Profile profile;  ///< of the owner's work

    static int available();

    /// Calls `task(n)` for n = 0 … tasks-1 and returns when all are done. Rethrows the first exception.
    template <class Task> void run(int tasks, Task const& task) {
        if (tasks <= 1 || count_ == 1)
            for (int n = 0; n < tasks; ++n) task(n);
        else
            run_in_pool(tasks, &task, [](void const* t, int n) { (*static_cast<Task const*>(t))(n); });
    }

    /// Calls `body(begin, end)` for ranges of 0 … size-1, split the same way for any number of threads.
    template <class Body> void for_ranges(std::size_t size, Body const& body, std::size_t grain = 1024) {
        run(static_cast<int>((size + grain - 1) / grain), [&](int n) {
            std::size_t const begin = static_cast<std::size_t>(n) * grain;
            body(begin, begin + grain < size ? begin + grain : size);
        });
    }

    /// Calls `body(i)` for i = 0 … size-1.
    template <class Body> void for_each(std::size_t size, Body const& body) {
        for_ranges(size, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    }

private:
    struct ThreadPool;
    void run_in_pool(int tasks, void const* task, void (*call)(void const*, int));

    int count_;
    Owned<ThreadPool> pool_;
};

}  // namespace trotter
