// Handles signals in a separate thread, without the restrictions of signal handlers.
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
#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

/// Exit status; signals other than SIGINT are reported as SIGTERM, which scripts expect.
constexpr int status_of(int signal) { return interrupted + (signal == SIGINT ? SIGINT : SIGTERM); }

/// Signal handler; calls only async-signal-safe functions.
void end_at_once(int signal) {
    constexpr std::string_view words = "trotter: interrupted\n";
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&errors, 1, 0) == 1 && (errors.revents & POLLOUT) != 0) [[maybe_unused]]
        auto const written = ::write(STDERR_FILENO, words.data(), words.size());
    _exit(status_of(signal));
}

template <class Use> void for_each_heeded(Use const& use) {
    for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) use(signal);
    }
}

}  // namespace

Signals::Signals() {
    sigemptyset(&waited_);
    for_each_heeded([this](int signal) { sigaddset(&waited_, wakes_ = signal); });
    // Later threads inherit the mask, so that only the waiting thread receives signals.
    pthread_sigmask(SIG_BLOCK, &waited_, &old_mask_);
    if (wakes_ == 0) return;
    try {
        waiter_ = std::jthread([this](std::stop_token end) { wait(end); });
    } catch (std::system_error const& error) {
        struct sigaction action {};
        action.sa_handler = end_at_once;
        for_each_heeded([&](int signal) { sigaction(signal, &action, nullptr); });
        pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
        tell("no thread can be started (" + std::string(error.what())
             + "): a signal will end the program at once, a run without a checkpoint\n");
    }
}

Signals::~Signals() {
    if (waiter_.joinable()) {
        waiter_.request_stop();
        pthread_kill(waiter_.native_handle(), wakes_);
        waiter_.join();
    }
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Signals::ask_first(std::string last_words) {
    auto const lock = uninterrupted();
    last_words_ = std::move(last_words);
    asks_first_ = true;
    has_time_ = false;
}

void Signals::set_last_words(std::string last_words) {
    auto const lock = uninterrupted();
    last_words_ = std::move(last_words);
}

void Signals::is_used_to(std::chrono::duration<double> length) {
    patience_ = std::max(least_patience, 2 * length.count());
}

int Signals::next(bool soon) const {
    timespec const a_moment{0, 50'000'000};
    return soon ? sigtimedwait(&waited_, nullptr, &a_moment) : sigwaitinfo(&waited_, nullptr);
}

void Signals::wait(std::stop_token end) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point first;
    for (;;) {
        int const signal = next(status() != 0);
        if (end.stop_requested()) return;
        // SIGXCPU is repeated every second after the limit.
        if (signal > 0 && signal != SIGXCPU && status() != 0) _exit(status());
        if (signal > 0 && status() == 0) {
            status_ = status_of(signal);
            first = Clock::now();
            source_.request_stop();
        }
        if (status() == 0) continue;
        bool const is_late = Clock::now() - first > std::chrono::duration<double>(patience_.load());
        // The lock is held only during writes, which finish.
        if (std::unique_lock const lock(mutex_, std::try_to_lock); lock && !has_time_ && (is_late || !asks_first_))
            leave();
    }
}

void Signals::leave() {
    tell(presentable(last_words_) + '\n');
    _exit(status());
}

}  // namespace trotter::program
