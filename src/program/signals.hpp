// Interruption: signals become a stop token that is looked at between two steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace trotter::program {

/// While it lives, SIGINT, SIGTERM and SIGHUP ask for a stop instead of ending the program; a second one ends it at
/// once. Signals that the caller had ignored (`nohup`) stay ignored. To be made before any other thread.
class StopOnSignal {
public:
    StopOnSignal();
    StopOnSignal(StopOnSignal const&) = delete;
    StopOnSignal& operator=(StopOnSignal const&) = delete;
    ~StopOnSignal();

    std::stop_token token() const { return source_.get_token(); }
    /// The first signal that came, or 0.
    int received() const { return received_.load(); }

private:
    void wait(std::stop_token end);

    sigset_t waited_, old_mask_;
    std::stop_source source_;
    std::atomic<int> received_{0};
    std::jthread waiter_;
};

}  // namespace trotter::program
