// Writes elements, attributes and escapes, character for character as OpenMM.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/error.hpp>
#include <trotter/io/xml_writer.hpp>

#include "xml_characters.hpp"

namespace trotter {
namespace {

constexpr std::size_t flush_size = std::size_t{1} << 16;

std::string_view escape(char c) {
    switch (c) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&apos;";
        case '\n': return "&#x0A;";
        case '\r': return "&#x0D;";
        case '\t': return "&#x09;";
        default: return {};
    }
}

}  // namespace

XmlWriter::XmlWriter() : text_("<?xml version=\"1.0\" ?>") {}

XmlWriter::XmlWriter(OutputFile& file) : XmlWriter() { file_ = &file; }

XmlWriter& XmlWriter::open(std::string_view element) {
    if (in_tag_) text_ += '>';
    indent();
    text_ += '<';
    text_ += element;
    open_.emplace_back(element);
    in_tag_ = true;
    if (file_ && text_.size() > flush_size) flush();
    return *this;
}

XmlWriter& XmlWriter::raw_attribute(std::string_view name, std::string_view value) {
    if (!in_tag_) throw Error("the XML attribute " + std::string{name} + " does not follow the start of an element");
    text_ += ' ';
    text_ += name;
    text_ += "=\"";
    text_ += value;
    text_ += '"';
    return *this;
}

XmlWriter& XmlWriter::text_attribute(std::string_view name, std::string_view text) {
    std::string escaped;
    for (auto rest = text; !rest.empty();) {
        auto const [code, size] = first_character(rest);
        if (!detail::is_xml(code))
            throw InputError("the value of " + printable(name) + ", " + in_quotes(text)
                             + ", holds a control character or a byte that is no UTF-8, which XML cannot express");
        auto const entity = escape(rest.front());
        escaped += entity.empty() ? rest.substr(0, size) : entity;
        rest.remove_prefix(size);
    }
    return raw_attribute(name, escaped);
}

XmlWriter& XmlWriter::close() {
    auto const element = std::move(open_.back());
    open_.pop_back();
    if (in_tag_) {
        text_ += "/>";
    } else {
        indent();
        text_ += "</" + element + ">";
    }
    in_tag_ = false;
    return *this;
}

std::string XmlWriter::finish() {
    while (!open_.empty()) close();
    text_ += '\n';
    if (file_) flush();
    return std::exchange(text_, {});
}

void XmlWriter::indent() {
    text_ += '\n';
    text_.append(open_.size(), '\t');
}

void XmlWriter::flush() {
    file_->write(text_);
    text_.clear();
}

}  // namespace trotter
