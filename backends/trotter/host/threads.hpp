// A team of threads that carries out numbered tasks; results cannot depend on who does which.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace trotter {

/// Tasks are taken by whichever thread is free. What a task does must depend on its number alone, and tasks
/// write to different places: then results have the same bits for any number of threads.
class Threads {
public:
    /// `count` 0: as many as the process may use.
    explicit Threads(int count = 1) : team_(std::make_unique<Team>(count > 0 ? count : available())) {}

    int count() const { return team_->count; }
    static int available() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

    /// Calls `task(n)` for n = 0 … tasks-1 and returns when all are done. The first exception is thrown again here.
    template <class Task> void run(int tasks, Task const& task) {
        if (tasks <= 0) return;
        if (tasks == 1 || team_->count == 1) {
            for (int n = 0; n < tasks; ++n) task(n);
            return;
        }
        team_->run(tasks, &task, [](void const* t, int n) { (*static_cast<Task const*>(t))(n); });
    }

    /// Calls `body(begin, end)` for the parts of 0 … size-1, cut the same way for any number of threads.
    template <class Body> void for_ranges(std::size_t size, Body const& body, std::size_t grain = 1024) {
        run(static_cast<int>((size + grain - 1) / grain), [&](int n) {
            std::size_t const begin = static_cast<std::size_t>(n) * grain;
            body(begin, std::min(begin + grain, size));
        });
    }

    /// Calls `body(i)` for i = 0 … size-1.
    template <class Body> void for_each(std::size_t size, Body const& body) {
        for_ranges(size, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    }

private:
    struct Team {
        [[gnu::cold]] explicit Team(int n) : count(n) {
            for (int i = 1; i < n; ++i) workers.emplace_back([this](std::stop_token stop) { work(stop); });
        }
        [[gnu::cold]] ~Team() {
            for (auto& worker : workers) worker.request_stop();
            { std::lock_guard lock(mutex); }
            wake.notify_all();
        }

        // The caller waits for tasks, never for threads: one that the machine gives no time to holds nobody up.
        void run(int n, void const* object, void (*function)(void const*, int)) {
            task = object;
            call = function;
            unfinished.store(n, std::memory_order_relaxed);
            ticket.store((round() + 1) << 32 | static_cast<std::uint64_t>(n));
            if (sleepers.load() > 0) {
                { std::lock_guard lock(mutex); }
                wake.notify_all();
            }
            take_tasks();
            while (unfinished.load(std::memory_order_acquire) != 0) std::this_thread::yield();
            if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
        }
        // Whoever has taken a task may read `task` and `call`: they stay until it is finished.
        void take_tasks() {
            for (auto seen = ticket.load(std::memory_order_acquire); static_cast<std::uint32_t>(seen) > 0;) {
                if (!ticket.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire)) continue;
                carry_out(static_cast<int>(static_cast<std::uint32_t>(seen)) - 1);
                seen = ticket.load(std::memory_order_acquire);
            }
        }
        void carry_out(int n) {
            try {
                call(task, n);
            } catch (...) {
                std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
            unfinished.fetch_sub(1, std::memory_order_release);
        }
        void work(std::stop_token stop) {
            for (std::uint64_t seen = 0; !stop.stop_requested();) {
                wait_for_round(seen, stop);
                seen = round();
                take_tasks();
            }
        }
        // Rounds follow each other within microseconds during a step: look for a while before going to sleep.
        void wait_for_round(std::uint64_t seen, std::stop_token const& stop) {
            for (int look = 0; look < spins; ++look) {
                if (round() != seen) return;
                if (look % 64 == 63) std::this_thread::yield();
            }
            std::unique_lock lock(mutex);
            sleepers.fetch_add(1);
            wake.wait(lock, [&] { return round() != seen || stop.stop_requested(); });
            sleepers.fetch_sub(1);
        }
        std::uint64_t round() const { return ticket.load() >> 32; }

        static constexpr int spins = 4000;
        int const count;
        std::mutex mutex;
        std::condition_variable wake;
        std::atomic<std::uint64_t> ticket{0};  // the round, and in the lower half how many of its tasks nobody has taken
        std::atomic<int> unfinished{0}, sleepers{0};
        void const* task = nullptr;
        void (*call)(void const*, int) = nullptr;
        std::exception_ptr failure;
        std::vector<std::jthread> workers;  // last: they use what stands above
    };

    std::unique_ptr<Team> team_;
};

}  // namespace trotter
