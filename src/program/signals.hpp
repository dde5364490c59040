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

/// While it lives, SIGINT, SIGTERM, SIGHUP and what queues send before their limit (SIGUSR1, SIGUSR2, SIGXCPU) end the
/// program at once, whatever it is doing, with the status of an interruption. Files are replaced atomically, so that
/// this harms none of them. Signals that the caller had ignored (`nohup`) stay ignored. To be made before any other
/// thread; a thread waits for the signals, since libraries that compile kernels put handlers of their own in the place
/// of ours.
class Signals {
public:
    Signals();
    Signals(Signals const&) = delete;
    Signals& operator=(Signals const&) = delete;
    ~Signals();

    /// From now on the first signal asks for a stop by the token, and ends the program with `last_words` where the
    /// answer takes too long: a user's integrator may never come to the end of a step. A second signal ends it at once.
    void ask_first(std::string last_words);
    void set_last_words(std::string last_words);

    std::stop_token token() const { return source_.get_token(); }
    /// The exit status after the first signal that came, or 0.
    int status() const { return status_.load(); }

    /// Nothing that is under way ends for want of an answer while somebody holds this lock.
    std::unique_lock<std::mutex> uninterrupted() { return std::unique_lock(mutex_); }
    /// From here on only a second signal ends the program: all is written. To be called with the lock.
    void all_is_done() { has_time_ = true; }
    /// What took this long a moment ago may do so again: a long step is not an endless one.
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
    int wakes_ = 0;  ///< a signal that the waiting thread heeds, 0 where all are ignored
    std::stop_source source_;
    std::atomic<int> status_{0};
    std::jthread waiter_;
};

}  // namespace trotter::program
