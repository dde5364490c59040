// Valid characters of XML and of its names.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

#include <trotter/base/printable.hpp>

namespace trotter::detail {

/// Whether XML allows a character: no control characters except tab and line ends, and neither U+FFFE nor U+FFFF.
constexpr bool is_xml(std::uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xd7ff) ||
           (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/// Letters allowed in names by every edition of XML: ASCII, and the blocks used in formulas.
constexpr bool is_letter(std::uint32_t code) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
           (code >= 0xc0 && code <= 0xff && code != 0xd7 && code != 0xf7) ||                     // Latin
           (code >= 0x391 && code <= 0x3c9 && code != 0x3a2 && !(code > 0x3a9 && code < 0x3b1)) ||  // Greek
           (code >= 0x410 && code <= 0x44f);                                                      // Cyrillic
}

/// Whether the name is valid for an attribute in every XML reader; colons are reserved for namespaces.
constexpr bool is_xml_name(std::string_view name) {
    for (auto rest = name; !rest.empty();) {
        auto const [code, size] = first_character(rest);
        bool const inside = (code >= '0' && code <= '9') || code == '.' || code == '-';
        if (!is_letter(code) && code != '_' && !(inside && rest.size() < name.size())) return false;
        rest.remove_prefix(size);
    }
    return !name.empty();
}

}  // namespace trotter::detail
