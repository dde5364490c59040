// Parses text to a checked tree: one root, no text around it, bounded depth, no duplicate attributes.
// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstring>
#include <utility>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>

#include "xml_characters.hpp"
#include "xml_source.hpp"
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace trotter {

using detail::XmlSource;

namespace {

[[noreturn]] void refuse(XmlSource const& source, std::ptrdiff_t offset, std::string const& what) {
    auto const line = offset < 0 ? 1 : source.lines.line_of(static_cast<std::size_t>(offset));
    throw InputError(source.file_name + ", line " + std::to_string(line) + ": " + what);
}

std::string byte_text(char byte) {
    std::string text = "0x";
    for (int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
    return text;
}

/// Reports binary and empty files before parsing.
void check_text(XmlSource const& source) {
    auto const& text = source.text;
    auto const start = text.find_first_not_of(text.starts_with("\xef\xbb\xbf") ? "\xef\xbb\xbf \t\r\n" : " \t\r\n");
    if (start == text.npos) throw InputError(source.file_name + ": is empty, expected XML");
    if (auto const zero = text.find('\0'); zero != text.npos || text[start] != '<')
        throw InputError(source.file_name + ": is not XML text: expected it to begin with '<' and to hold no zero bytes");
}

/// Whether eight bytes are printable ASCII, tabs and line feeds (the usual case), tested in parallel.
bool is_plain(char const* text) {
    constexpr auto every = [](std::uint64_t byte) { return byte * 0x0101010101010101u; };
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof bytes);
    auto const differs = [&](char c) { return (bytes ^ every(static_cast<unsigned char>(c))) + every(0x7f); };
    auto const below_space = ~(bytes << 1 | bytes << 2);
    return ((bytes | (below_space & differs('\t') & differs('\n'))) & every(0x80)) == 0;
}

/// Rejects invalid UTF-8 and control characters, which the parser accepts.
void check_characters(XmlSource const& source) {
    std::string_view const text = source.text;
    for (std::size_t at = 0; at < text.size();) {
        if (text.size() - at >= 8 && is_plain(text.data() + at)) {
            at += 8;
            continue;
        }
        auto const [code, size] = first_character(text.substr(at));
        if (!detail::is_xml(code))
            refuse(source, static_cast<std::ptrdiff_t>(at),
                   code == Character::none ? "is not UTF-8, as XML must be: unexpected byte " + byte_text(text[at])
                                           : "is not well-formed XML: it holds the control character " + byte_text(text[at]));
        at += size;
    }
}

/// Rejects invalid references: the parser ends a value at `&#0;`, and takes `&#4294967296;` for the same.
void check_references(XmlSource const& source) {
    std::string_view const text = source.text;
    for (auto at = text.find("&#"); at != text.npos; at = text.find("&#", at + 2)) {
        auto const digits = at + (text.substr(at + 2, 1) == "x" ? 3 : 2);
        std::uint32_t code = 0;
        auto const result = std::from_chars(text.data() + digits, text.data() + text.size(), code, digits - at == 3 ? 16 : 10);
        if (result.ec != std::errc{} || !detail::is_xml(code))
            refuse(source, static_cast<std::ptrdiff_t>(at), "is not well-formed XML: " + in_quotes(text.substr(at, 12)) + " is no character");
    }
}

void check_attributes(XmlSource const& source, pugi::xml_node node, int limit) {
    int count = 0;
    for (auto const attribute : node.attributes()) {
        if (++count > limit)
            refuse(source, node.offset_debug(), "<" + printable(node.name()) + "> has more than " + std::to_string(limit) + " attributes");
        for (auto other = attribute.previous_attribute(); other; other = other.previous_attribute())
            if (std::strcmp(attribute.name(), other.name()) == 0)
                refuse(source, node.offset_debug(), "<" + printable(node.name()) + "> states the attribute " + printable(attribute.name()) + " twice");
    }
}

/// Checks all elements without recursion, as the tree may be too deep for the stack.
void check_tree(XmlSource const& source, pugi::xml_node root, XmlLimits const& limits) {
    int depth = 1;
    for (auto node = root; node;) {
        if (node.type() == pugi::node_element) {
            if (depth > limits.depth)
                refuse(source, node.offset_debug(), "more than " + std::to_string(limits.depth) + " elements inside one another");
            check_attributes(source, node, limits.attributes);
        }
        if (auto const child = node.first_child()) {
            node = child;
            ++depth;
            continue;
        }
        while (node != root && !node.next_sibling()) {
            node = node.parent();
            --depth;
        }
        if (node == root) return;
        node = node.next_sibling();
    }
}

pugi::xml_node find_root(XmlSource const& source) {
    pugi::xml_node root;
    for (auto const node : source.tree.children()) {
        if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
            auto const spaces = std::strspn(node.value(), " \t\r\n");
            refuse(source, node.offset_debug() + static_cast<std::ptrdiff_t>(spaces),
                   "text outside the root element: " + in_quotes(node.value() + spaces));
        }
        if (node.type() != pugi::node_element) continue;
        if (root) refuse(source, node.offset_debug(), "a second root element <" + printable(node.name()) + ">");
        root = node;
    }
    if (!root) throw InputError(source.file_name + ": holds no XML element");
    return root;
}

}  // namespace

XmlDocument parse_xml(std::string text, std::string file_name, XmlLimits limits) {
    auto source = std::make_unique<XmlSource>(std::move(file_name), std::move(text));
    check_text(*source);
    check_characters(*source);
    check_references(*source);
    // parse_fragment keeps text outside the root, which would otherwise be dropped silently. The string's terminator is
    // included, because the parser overwrites the last character.
    auto const result = source->tree.load_buffer_inplace(source->text.data(), source->text.size() + 1,
                                                         pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
    if (!result) {
        bool const truncated = result.status == pugi::status_end_element_mismatch && result.offset >= std::ssize(source->text) - 1;
        refuse(*source, result.offset, truncated ? "the file ends inside an element (truncated?)"
                                                 : std::string{"is not well-formed XML: "} + result.description());
    }
    check_tree(*source, find_root(*source), limits);
    return XmlDocument{std::move(source)};
}

XmlDocument::XmlDocument(std::unique_ptr<XmlSource> source) : source_(std::move(source)) {}
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;

XmlDocument::~XmlDocument() {
#ifdef __GLIBC__
    // Later allocations above a large tree in the heap would otherwise keep its memory from the system.
    constexpr std::size_t large = std::size_t{1} << 26;
    bool const trim = source_ && source_->text.size() > large;
    source_.reset();
    if (trim) malloc_trim(0);
#endif
}

XmlNode XmlDocument::root() const { return {source_->tree.document_element().internal_object(), source_.get()}; }

XmlNode XmlDocument::root(std::string_view name) const {
    auto const found = root();
    // Programs that write through OpenMM may choose the name; the attribute `type` identifies the element.
    if (found.name() != name && !found.has("type"))
        throw InputError(source_->file_name + ": the root element is <" + printable(found.name()) + ">, expected <" +
                         std::string{name} + ">");
    return found;
}

}  // namespace trotter
