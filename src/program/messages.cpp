// Cleans and writes messages.
// SPDX-License-Identifier: MIT
#include "messages.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace trotter::program {
namespace {

/// The length of the UTF-8 sequence at the start of a text, 0 where it is none, and its character.
struct Character {
    std::size_t size = 0;
    std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
    auto const byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
    unsigned const lead = byte(0);
    if (lead < 0x80) return {1, lead};
    std::size_t const size = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
    if (size == 0 || size > text.size()) return {};
    std::uint32_t code = lead & (0x7Fu >> size);
    for (std::size_t n = 1; n < size; ++n) {
        if ((byte(n) & 0xC0u) != 0x80) return {};
        code = code << 6 | (byte(n) & 0x3Fu);
    }
    constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
    bool const is_character = code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return is_character ? Character{size, code} : Character{};
}

/// Characters that move the cursor, break the line or turn its direction.
bool steers(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E)
           || (code >= 0x2066 && code <= 0x2069);
}

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80; }

/// Of valid UTF-8; a fifth of what stays is the end, where sentences say what was expected and paths name the file.
std::string cut(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    std::size_t head = longest * 4 / 5, tail = text.size() - longest / 5;
    while (is_inside_character(text[head])) --head;
    while (tail < text.size() && is_inside_character(text[tail])) ++tail;
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        auto const size = first_character(text).size;
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string presentable(std::string_view text) {
    constexpr std::size_t longest_word = 256, longest_text = 1200;
    std::string clean;
    for (std::string_view rest = text; !rest.empty();) {
        auto const [size, code] = first_character(rest);
        if (code == '\n' || code == '\t')
            clean += ' ';
        else if (size == 0 || steers(code))
            clean += '?';
        else
            clean += rest.substr(0, size);
        rest.remove_prefix(std::max<std::size_t>(size, 1));
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
    // A reader that has stopped reading, such as a terminal after Ctrl-S, must not stop the run.
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    while (!text.empty() && ::poll(&errors, 1, static_cast<int>(patience.count())) == 1
           && (errors.revents & POLLOUT) != 0) {
        auto const written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

void occupy_standard_streams() {
    // The least number that is free is given out first. The direction is the wrong one but for messages.
    for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            if (::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY) < 0) return;
}

}  // namespace trotter::program
