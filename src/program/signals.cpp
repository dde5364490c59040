// Waits for signals in a thread of its own, where everything may be done that a handler may not.
// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include <ctime>

namespace trotter::program {

StopOnSignal::StopOnSignal() {
    sigemptyset(&waited_);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) sigaddset(&waited_, signal);
    }
    // Threads that are made later inherit the mask, so that only the waiting one sees the signals.
    pthread_sigmask(SIG_BLOCK, &waited_, &old_mask_);
    waiter_ = std::jthread([this](std::stop_token end) { wait(end); });
}

StopOnSignal::~StopOnSignal() {
    waiter_.request_stop();
    waiter_.join();
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void StopOnSignal::wait(std::stop_token end) {
    timespec const look_for_end{0, 50'000'000};
    while (!end.stop_requested()) {
        int const signal = sigtimedwait(&waited_, nullptr, &look_for_end);
        if (signal <= 0) continue;
        // Files are replaced atomically, so that leaving in the middle of anything harms none of them.
        if (received_.load() != 0) _exit(128 + (signal == SIGINT ? SIGINT : SIGTERM));
        received_.store(signal == SIGINT ? SIGINT : SIGTERM);
        source_.request_stop();
    }
}

}  // namespace trotter::program
