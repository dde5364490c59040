// Shows the progress of a run: a bar on a terminal, plain lines elsewhere.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace trotter::program {

/// Writes progress to standard error: on a terminal one line, redrawn several times a second, otherwise lines at
/// intervals that grow with the elapsed time.
class Progress {
public:
    struct Position {
        std::int64_t step = 0, first_step = 0, last_step = 0;
        double time = 0;        ///< simulated time [ps]
        double ns_per_day = 0;  ///< 0: not known yet
        double remaining = 0;   ///< [s]
    };

    Progress();
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    /// Leaves the last state of the bar on the terminal.
    ~Progress();

    /// Shows the position, at a limited rate.
    void show(Position const& position);
    /// Prints a permanent line above the bar.
    void message(std::string_view text);

private:
    using Clock = std::chrono::steady_clock;
    std::string line(Position const& position) const;
    std::string bar(double fraction, std::size_t width) const;

    bool terminal_, unicode_, drawn_ = false;
    Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace trotter::program
