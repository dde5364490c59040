// Parses any bytes as XML: the reader returns a tree that can be traversed, or throws InputError.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <string>

#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>

namespace {

template <class Action> void tolerate(Action&& action) {
    try {
        action();
    } catch (trotter::InputError const&) {
    }
}

std::size_t walk(trotter::XmlNode node) {
    std::size_t seen = node.name().size() + node.content().size();
    for (auto const attribute : node.attributes()) {
        tolerate([&] { seen += node.number(attribute, trotter::Allow::Any) > 0; });
        tolerate([&] { seen += node.integer(attribute) > 0; });
        tolerate([&] { seen += node.boolean(attribute); });
        seen += node.text(attribute).size();
    }
    tolerate([&] { node.version(3); });
    tolerate([&] { node.only({"type", "version"}, {"Particles", "Forces"}); });
    for (auto const child : node.children()) seen += walk(child);
    return seen + node.line();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    tolerate([&] { walk(trotter::parse_xml(std::string(reinterpret_cast<char const*>(data), size), "fuzz.xml").root()); });
    return 0;
}
