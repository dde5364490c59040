// Handles interruption: a run stops between two steps and writes a checkpoint; other commands end at once.
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

/// During its lifetime, SIGINT, SIGTERM, SIGHUP and the signals of queues before their limit (SIGUSR1, SIGUSR2,
/// SIGXCPU) end the program at once with the status of an interruption. Files are replaced atomically, so that none is
/// damaged. Signals ignored by the caller (`nohup`) stay ignored. Construct before any other thread; a thread waits for
/// the signals, since libraries that compile kernels replace signal handlers.
class Signals {
public:
    Signals();
    Signals(Signals const&) = delete;
    Signals& operator=(Signals const&) = delete;
    ~Signals();

    /// From now on the first signal requests a stop by the token, and ends the program with `last_words` after a
    /// timeout: a user's integrator may never finish a step. A second signal ends it at once. Called for each of
    /// several runs.
    void ask_first(std::string last_words);
    void set_last_words(std::string last_words);

    std::stop_token token() const { return source_.get_token(); }
    /// Exit status after the first signal, or 0.
    int status() const { return status_.load(); }

    /// Returns a lock that suspends the timeout while it is held.
    std::unique_lock<std::mutex> uninterrupted() { return std::unique_lock(mutex_); }
    /// Disables the timeout, as everything is written: only a second signal ends the program. Call with the lock held.
    void all_is_done() { has_time_ = true; }
    /// Extends the timeout to twice this duration of a step.
    void is_used_to(std::chrono::duration<double> length);

private:
    void wait(std::stop_token end);
    int next(bool soon) const;
    [[noreturn]] void leave();

    static constexpr double least_patience = 1.5;  // [s]

    std::mutex mutex_;
    std::string last_words_ = "trotter: interrupted";
    bool asks_first_ = false, has_time_ = false;
    std::atomic<double> patience_{least_patience};  ///< [s]
    sigset_t waited_, old_mask_;
    int wakes_ = 0;  ///< a signal that wakes the waiting thread, 0 if all are ignored
    std::stop_source source_;
    std::atomic<int> status_{0};
    std::jthread waiter_;
};

}  // namespace trotter::program
