// Escapes text for messages, terminals and JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trotter {

/// A UTF-8 character: its code point and size.
struct Character {
    static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< no code point
    std::uint32_t code = none;  ///< `none` for bytes that are not UTF-8, of which one is taken
    std::size_t size = 1;  ///< in bytes
};

/// The first character of a nonempty text. Overlong forms, surrogates and code points beyond Unicode are invalid.
constexpr Character first_character(std::string_view text) {
    auto const byte = [&](std::size_t n) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[n])); };
    std::uint32_t const first = byte(0);
    if (first < 0x80) return {first, 1};
    std::size_t const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
    std::uint32_t code = first & (0x7fu >> size);
    for (std::size_t n = 1; n < size; ++n) {
        if ((byte(n) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(n) & 0x3f);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
    return {code, size};
}

/// Whether the whole text is valid UTF-8.
constexpr bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        auto const [code, size] = first_character(text);
        if (code == Character::none) return false;
        text.remove_prefix(size);
    }
    return true;
}

/// Whether a terminal would interpret it instead of showing it: C0, DEL, C1, marks that turn the direction of text, and
/// spaces and marks without width, which make two names look the same.
constexpr bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200b || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

/// The text with `?` for each control character and each byte that is not UTF-8, cut after `most` bytes with `…`.
inline std::string printable(std::string_view text, std::size_t most = 60) {
    std::string result;
    while (!text.empty()) {
        auto const [code, size] = first_character(text);
        if (result.size() + size > most) return result + "…";
        if (code == Character::none || is_control(code))
            result += '?';
        else
            result += text.substr(0, size);
        text.remove_prefix(size);
    }
    return result;
}

/// The same in quotation marks, for values in messages.
inline std::string in_quotes(std::string_view text, std::size_t most = 60) { return '"' + printable(text, most) + '"'; }

/// A JSON string with its quotation marks. Control characters are escaped; bytes that are not UTF-8 become U+FFFD,
/// since JSON cannot represent them.
inline std::string json_string(std::string_view text) {
    std::string result = "\"";
    while (!text.empty()) {
        auto const [code, size] = first_character(text);
        if (code == Character::none) {
            result += "\xef\xbf\xbd";
        } else if (is_control(code)) {
            result += "\\u";
            for (int shift = 12; shift >= 0; shift -= 4) result += "0123456789abcdef"[code >> shift & 15];
        } else {
            if (code == '"' || code == '\\') result += '\\';
            result += text.substr(0, size);
        }
        text.remove_prefix(size);
    }
    return result + '"';
}

}  // namespace trotter
