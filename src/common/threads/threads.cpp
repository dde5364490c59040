// Thread pool and distribution of its tasks.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

struct Threads::ThreadPool {
    explicit ThreadPool(int n) : shares(static_cast<std::size_t>(n)) {
        workers.reserve(shares.size());
        try {
            for (int i = 1; i < n; ++i) workers.emplace_back([this, i](std::stop_token stop) { work(i, stop); });
        } catch (std::exception const&) {  // std::system_error or std::bad_alloc
            // The system refuses more threads, for lack of memory or by a limit: use those started, and release some,
            // so that later allocations do not fail.
            dismiss(workers.size() / 4 + 1);
        }
    }
    ~ThreadPool() { dismiss(workers.size()); }

    int size() const { return static_cast<int>(workers.size()) + 1; }

    /// Ends the last `n` workers.
    void dismiss(std::size_t n) {
        auto const first = workers.end() - static_cast<std::ptrdiff_t>(std::min(n, workers.size()));
        std::for_each(first, workers.end(), [](auto& worker) { worker.request_stop(); });
        { std::lock_guard lock(mutex); }
        wake.notify_all();
        workers.erase(first, workers.end());
    }

    // The caller waits for tasks, not threads: a descheduled worker does not delay the others.
    void run(int n, void const* object, void (*function)(void const*, int), Profile& profile) {
        auto const begin = profile.is_on() ? Profile::now() : 0;
        tasks = n;
        task = object;
        call = function;
        unfinished.store(n, std::memory_order_relaxed);
        std::uint64_t const next = round.load() + 1;
        for (std::size_t s = 0; s < shares.size(); ++s)
            shares[s].ticket.store(next << 32 | static_cast<std::uint64_t>(begin_of(s + 1) - begin_of(s)));
        round.store(next);
        if (sleepers.load() > 0) {
            { std::lock_guard lock(mutex); }
            wake.notify_all();
        }
        take_tasks(0);
        auto const none_left = profile.is_on() ? Profile::now() : 0;
        while (unfinished.load(std::memory_order_acquire) != 0) std::this_thread::yield();
        if (profile.is_on()) profile.add_parallel(begin, none_left, Profile::now());
        if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    }

    // Every thread starts with its own share, the same in rounds of equal size, whose data is in its cache, and then
    // takes tasks of others.
    void take_tasks(int thread) {
        for (std::size_t k = 0; k < shares.size(); ++k)
            take_from((static_cast<std::size_t>(thread) + k) % shares.size());
    }
    // A thread with a task may read the shared data of the round, which is unchanged until the task is finished. Tasks
    // are taken in order: longer ones, as of half pair lists, come first, so that none is left for the end.
    void take_from(std::size_t s) {
        auto& ticket = shares[s].ticket;
        for (auto seen = ticket.load(std::memory_order_acquire); static_cast<std::uint32_t>(seen) > 0;) {
            if (!ticket.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire)) continue;
            carry_out(begin_of(s + 1) - static_cast<int>(static_cast<std::uint32_t>(seen)));
            seen = ticket.load(std::memory_order_acquire);
        }
    }
    int begin_of(std::size_t share) const {
        return static_cast<int>(static_cast<std::uint64_t>(tasks) * share / shares.size());
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
    void work(int thread, std::stop_token stop) {
        for (std::uint64_t seen = 0; !stop.stop_requested();) {
            wait_for_round(seen, stop);
            seen = round.load();
            take_tasks(thread);
        }
    }
    // Rounds of a simulation are microseconds apart, or as long as the serial part of a step. Waking a sleeping thread
    // would take longer, so spin for a while before sleeping.
    void wait_for_round(std::uint64_t seen, std::stop_token const& stop) {
        using Clock = std::chrono::steady_clock;
        auto const end = Clock::now() + std::chrono::milliseconds(1);
        do {
            for (int look = 0; look < 64; ++look)
                if (round.load() != seen) return;
            std::this_thread::yield();
        } while (Clock::now() < end);
        std::unique_lock lock(mutex);
        sleepers.fetch_add(1);
        wake.wait(lock, [&] { return round.load() != seen || stop.stop_requested(); });
        sleepers.fetch_sub(1);
    }

    /// A thread's share of a round: the round, and in the lower half the number of tasks not taken.
    struct alignas(64) Share {
        std::atomic<std::uint64_t> ticket{0};
    };

    std::mutex mutex;
    std::condition_variable wake;
    std::vector<Share> shares;  // one per thread
    std::atomic<std::uint64_t> round{0};
    std::atomic<int> unfinished{0}, sleepers{0};
    int tasks = 0;
    void const* task = nullptr;
    void (*call)(void const*, int) = nullptr;
    std::exception_ptr failure;
    std::vector<std::jthread> workers;  // last: they use the members above
};

Threads::Threads(int count) : count_(count > 0 ? count : available()), pool_(std::in_place, count_) {
    count_ = pool_->size();
}
Threads::Threads(Threads&&) noexcept = default;
Threads::~Threads() = default;

int Threads::available() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void Threads::run_in_pool(int tasks, void const* task, void (*call)(void const*, int)) {
    pool_->run(tasks, task, call, profile);
}

}  // namespace trotter
