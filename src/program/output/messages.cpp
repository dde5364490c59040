// Cleans and writes messages.
// SPDX-License-Identifier: MIT
#include "messages.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <trotter/base/printable.hpp>

namespace trotter::program {
namespace {

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80; }

/// Shortens valid UTF-8 in the middle; a fifth of the result is the end, with the expected value or file name.
std::string cut(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    std::size_t head = longest * 4 / 5, tail = text.size() - longest / 5;
    while (is_inside_character(text[head])) --head;
    while (tail < text.size() && is_inside_character(text[tail])) ++tail;
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

}  // namespace

std::string presentable(std::string_view text) {
    constexpr std::size_t longest_word = 256, longest_text = 1200;
    std::string clean;
    for (std::string_view rest = text; !rest.empty();) {
        auto const [code, size] = first_character(rest);
        if (code == '\n' || code == '\t')
            clean += ' ';
        else if (code == Character::none || is_control(code))
            clean += '?';
        else
            clean += rest.substr(0, size);
        rest.remove_prefix(size);
    }
    std::string result;
    for (std::size_t begin = 0; begin <= clean.size();) {
        auto const end = std::min(clean.find(' ', begin), clean.size());
        result += cut(std::string_view(clean).substr(begin, end - begin), longest_word);
        if (end < clean.size()) result += ' ';
        begin = end + 1;
    }
    return cut(result, longest_text);
}

void tell(std::string_view text, std::chrono::milliseconds patience) {
    // A blocked reader, such as a terminal after Ctrl-S, must not block the run.
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    while (!text.empty() && ::poll(&errors, 1, static_cast<int>(patience.count())) == 1
           && (errors.revents & POLLOUT) != 0) {
        auto const written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

void occupy_standard_streams() {
    // open() returns the lowest free descriptor. Except for messages, the access mode makes every use fail.
    for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            if (::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY) < 0) return;
}

}  // namespace trotter::program
