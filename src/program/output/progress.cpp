// Draws the progress bar.
// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <trotter/io/log.hpp>

#include "messages.hpp"

namespace trotter::program {
namespace {

bool terminal_knows_utf8() {
    for (char const* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (char const* value = std::getenv(name); value && *value) {
            std::string_view const locale{value};
            return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
        }
    return false;
}

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string simulated_time(double ps) {
    return std::abs(ps) < 1000 ? fmt::format("{:.1f} ps", ps) : fmt::format("{:.3f} ns", ps / 1000);
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0), unicode_(terminal_knows_utf8()) {}

Progress::~Progress() {
    if (drawn_) tell("\n");
}

void Progress::message(std::string_view text) {
    tell(fmt::format("{}{}\n", drawn_ ? "\r\033[K" : "", presentable(text)));
    drawn_ = false;
}

void Progress::show(Position const& position) {
    auto const now = Clock::now();
    bool const last = position.step >= position.last_step;
    if (now < next_ && !last) return;
    if (terminal_) {
        next_ = now + std::chrono::milliseconds(200);
        tell(fmt::format("\r{}\033[K{}", line(position), last ? "\n" : ""), std::chrono::milliseconds(0));
        drawn_ = !last;
    } else {
        // 2 s at first, later a tenth of the elapsed time: dozens of lines per night, not thousands
        double const passed = std::chrono::duration<double>(now - start_).count();
        next_ = now + std::chrono::milliseconds(std::llround(1000 * std::clamp(passed / 10, 2.0, 600.0)));
        tell(line(position) + '\n');
    }
}

std::string Progress::line(Position const& p) const {
    double const length = static_cast<double>(p.last_step - p.first_step);
    double const fraction = length > 0 ? static_cast<double>(p.step - p.first_step) / length : 1;
    std::string const speed =
        p.ns_per_day > 0 ? fmt::format("{:.4g} ns/day  {} left", p.ns_per_day, format_duration(p.remaining)) : "";
    std::string const numbers = fmt::format("step {}/{}  {}  {}", p.step, p.last_step, simulated_time(p.time), speed);
    std::string const percent = fmt::format("{:3.0f} %  ", std::floor(100 * fraction));
    if (!terminal_) return percent + numbers;
    std::size_t const taken = percent.size() + numbers.size() + 3, width = terminal_width();
    std::size_t const room = width > taken ? std::min<std::size_t>(width - taken, 40) : 0;
    return percent + (room >= 8 ? bar(fraction, room) + "  " : "")
           + numbers.substr(0, width - std::min(width, percent.size() + 1));
}

std::string Progress::bar(double fraction, std::size_t width) const {
    auto const full = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width));
    std::string text;
    for (std::size_t i = 0; i < width; ++i) text += unicode_ ? (i < full ? "━" : "─") : (i < full ? "#" : "-");
    return text;
}

}  // namespace trotter::program
