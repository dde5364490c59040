// Writes XML in OpenMM's layout: tabs, one element per line, numbers that read back exactly.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter {

/// Writes a document sequentially, in memory or directly to a file.
///
///     XmlWriter xml;
///     xml.open("Particles");
///     xml.open("Particle").attribute("mass", 1.008).close();
///     xml.close();
///     std::string text = xml.finish();
class XmlWriter {
public:
    XmlWriter();
    /// Streams the text to `file`; `finish` writes the rest, and the caller commits the file.
    explicit XmlWriter(OutputFile& file);

    XmlWriter& open(std::string_view element);  ///< begins an element inside the innermost open one

    /// Writes an attribute, right after `open`. Throws InputError for a text with control characters, which XML cannot
    /// represent.
    XmlWriter& attribute(std::string_view name, double value) { return raw_attribute(name, format_xml_number(value)); }
    /// Writes an integer.
    template <std::integral T> XmlWriter& attribute(std::string_view name, T value) {
        return raw_attribute(name, std::to_string(value));
    }
    /// Writes a text, escaped.
    template <std::convertible_to<std::string_view> T> XmlWriter& attribute(std::string_view name, T const& text) {
        return text_attribute(name, text);
    }

    /// Ends the innermost open element.
    XmlWriter& close();

    /// Ends every open element and returns the text; empty if it went to a file.
    std::string finish();

private:
    XmlWriter& raw_attribute(std::string_view name, std::string_view value);
    XmlWriter& text_attribute(std::string_view name, std::string_view text);
    void indent();
    void flush();

    OutputFile* file_ = nullptr;
    std::string text_;
    std::vector<std::string> open_;
    bool in_tag_ = false;
};

}  // namespace trotter
