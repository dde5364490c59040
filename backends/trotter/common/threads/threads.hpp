// A team of threads that carries out numbered tasks; results cannot depend on who does which.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/base/owned.hpp>
#include <trotter/common/threads/profile.hpp>

namespace trotter {

/// Tasks are taken by whichever thread is free. What a task does must depend on its number alone, and tasks
/// write to different places: then results have the same bits for any number of threads.
class Threads {
public:
    /// `count` 0: as many as the process may use. There are fewer where the machine refuses some.
    explicit Threads(int count = 1);
    Threads(Threads&&) noexcept;
    ~Threads();

    int count() const { return count_; }

    Profile profile;  ///< of what the owner of these threads does

    static int available();

    /// Calls `task(n)` for n = 0 … tasks-1 and returns when all are done. The first exception is thrown again here.
    template <class Task> void run(int tasks, Task const& task) {
        if (tasks <= 1 || count_ == 1)
            for (int n = 0; n < tasks; ++n) task(n);
        else
            run_in_pool(tasks, &task, [](void const* t, int n) { (*static_cast<Task const*>(t))(n); });
    }

    /// Calls `body(begin, end)` for the parts of 0 … size-1, cut the same way for any number of threads.
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
