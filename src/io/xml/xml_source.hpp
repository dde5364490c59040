// Contents of an XmlDocument: text, tree and line index.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace trotter::detail {

/// Line numbers of a text that the parser may overwrite: one bit per character, to bound the size.
class LineIndex {
public:
    explicit LineIndex(std::string_view text) : size_(text.size()), newlines_(text.size() / 64 + 1) {
        for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
            newlines_[at / 64] |= std::uint64_t{1} << (at % 64);
    }

    /// Line of an offset, from 1. Offsets beyond the end, as in some parser errors, are on the last line.
    std::size_t line_of(std::size_t offset) const {
        offset = std::min(offset, size_);
        std::size_t line = 1;
        for (std::size_t word = 0; word < offset / 64; ++word) line += static_cast<std::size_t>(std::popcount(newlines_[word]));
        auto const before = (std::uint64_t{1} << (offset % 64)) - 1;
        return line + static_cast<std::size_t>(std::popcount(newlines_[offset / 64] & before));
    }

private:
    std::size_t size_;
    std::vector<std::uint64_t> newlines_;
};

struct XmlSource {
    std::string file_name;
    std::string text;  ///< parsed in place
    LineIndex lines;
    pugi::xml_document tree;

    XmlSource(std::string name, std::string contents) : file_name(std::move(name)), text(std::move(contents)), lines(text) {}
};

}  // namespace trotter::detail
