// Waits for signals in a thread of its own, where everything may be done that a handler may not.
// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include "exit_status.hpp"
#include "messages.hpp"

namespace trotter::program {
namespace {

constexpr int ending_signals[]{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

/// Those that are not SIGINT count as SIGTERM, which is what scripts know.
constexpr int status_of(int signal) { return interrupted + (signal == SIGINT ? SIGINT : SIGTERM); }

/// Calls nothing that a handler may not.
void end_at_once(int signal) {
    constexpr std::string_view words = "trotter: interrupted\n";
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&errors, 1, 0) == 1 && (errors.revents & POLLOUT) != 0)
        [[maybe_unused]] auto const written = ::write(STDERR_FILENO, words.data(), words.size());
    _exit(status_of(signal));
}

template <class Use> void for_each_heeded(Use const& use) {
    for (int const signal : ending_signals) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) use(signal);
    }
}

}  // namespace

void end_on_signals() {
    struct sigaction action {};
    action.sa_handler = end_at_once;
    for_each_heeded([&](int signal) { sigaction(signal, &action, nullptr); });
}

StopOnSignal::StopOnSignal(std::string last_words) : last_words_(std::move(last_words)) {
    sigemptyset(&waited_);
    for_each_heeded([this](int signal) { sigaddset(&waited_, signal); });
    // Threads that are made later inherit the mask, so that only the waiting one sees the signals.
    pthread_sigmask(SIG_BLOCK, &waited_, &old_mask_);
    try {
        waiter_ = std::jthread([this](std::stop_token end) { wait(end); });
    } catch (std::system_error const& error) {
        pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
        tell("no thread can be started (" + std::string(error.what())
             + "): a signal will end this run without a checkpoint\n");
    }
}

StopOnSignal::~StopOnSignal() {
    waiter_.request_stop();
    if (waiter_.joinable()) waiter_.join();
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void StopOnSignal::set_last_words(std::string last_words) {
    auto const lock = uninterrupted();
    last_words_ = std::move(last_words);
}

void StopOnSignal::is_used_to(std::chrono::duration<double> length) {
    patience_ = std::max(least_patience, 2 * length.count());
}

void StopOnSignal::wait(std::stop_token end) {
    using Clock = std::chrono::steady_clock;
    timespec const look_for_end{0, 50'000'000};
    Clock::time_point first;
    while (!end.stop_requested()) {
        int const signal = sigtimedwait(&waited_, nullptr, &look_for_end);
        if (signal > 0 && status() != 0) _exit(status());
        if (signal > 0) {
            status_ = status_of(signal);
            first = Clock::now();
            source_.request_stop();
        }
        bool const is_late = status() != 0 && Clock::now() - first > std::chrono::duration<double>(patience_.load());
        // Whoever holds the lock is writing, and that comes to an end.
        if (is_late && mutex_.try_lock()) {
            if (!has_time_) leave();
            mutex_.unlock();
        }
    }
}

void StopOnSignal::leave() {
    tell(presentable(last_words_) + '\n');
    _exit(status());
}

}  // namespace trotter::program
