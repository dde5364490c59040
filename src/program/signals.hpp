// Interruption: a run stops between two steps and leaves a checkpoint; everything else ends at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace trotter::program {

/// From now on SIGINT, SIGTERM, SIGHUP and what queues send before their limit (SIGUSR1, SIGUSR2, SIGXCPU) end the
/// program at once, whatever it is doing, with the status of an interruption. Files are replaced atomically, so that
/// this harms none of them. Signals that the caller had ignored (`nohup`) stay ignored.
void end_on_signals();

/// While it lives, the first of these signals asks for a stop. It ends the program where the answer takes too long: a
/// user's integrator may never come to the end of a step, and kernels take long to compile. A second signal ends it at
/// once. To be made before any other thread; where the machine refuses the one that waits for signals, they end the
/// program as before.
class StopOnSignal {
public:
    /// `last_words` are told where the program ends before it could stop.
    explicit StopOnSignal(std::string last_words);
    StopOnSignal(StopOnSignal const&) = delete;
    StopOnSignal& operator=(StopOnSignal const&) = delete;
    ~StopOnSignal();

    std::stop_token token() const { return source_.get_token(); }
    /// The exit status after the first signal that came.
    int status() const { return status_.load(); }

    /// Nothing that is under way ends while somebody holds this lock.
    std::unique_lock<std::mutex> uninterrupted() { return std::unique_lock(mutex_); }
    /// From here on only a second signal ends the program: all is written. Call it with the lock.
    void all_is_done() { has_time_ = true; }

    void set_last_words(std::string last_words);
    /// What took this long a moment ago may do so again: a long step is not an endless one.
    void is_used_to(std::chrono::duration<double> length);

private:
    void wait(std::stop_token end);
    [[noreturn]] void leave();

    static constexpr double least_patience = 1.5;  // [s]

    std::mutex mutex_;
    std::string last_words_;
    bool has_time_ = false;
    std::atomic<double> patience_{least_patience};  ///< [s]
    sigset_t waited_, old_mask_;
    std::stop_source source_;
    std::atomic<int> status_{0};
    std::jthread waiter_;
};

}  // namespace trotter::program
