// The `<PeriodicBoxVectors>` element of Systems and States.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/box.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

#include "located.hpp"

namespace trotter::detail {

inline Vec3<> read_vector(XmlNode const& node, Allow allow = Allow::Finite) {
    node.only({"x", "y", "z"});
    return {node.number("x", allow), node.number("y", allow), node.number("z", allow)};
}
inline void write_vector(XmlWriter& xml, std::string_view element, Vec3<> const& vector) {
    xml.open(element).attribute("x", vector.x).attribute("y", vector.y).attribute("z", vector.z).close();
}

inline Box read_box(XmlNode const& node) {
    node.only({}, {"A", "B", "C"});
    Box const box{read_vector(node.child("A")), read_vector(node.child("B")), read_vector(node.child("C"))};
    located(node, [&] { box.check(); });
    return box;
}
inline void write_box(XmlWriter& xml, Box const& box) {
    xml.open("PeriodicBoxVectors");
    write_vector(xml, "A", box.a);
    write_vector(xml, "B", box.b);
    write_vector(xml, "C", box.c);
    xml.close();
}

/// Writes the attributes common to the root elements of OpenMM files.
inline void write_root(XmlWriter& xml, std::string_view element) {
    xml.open(element).attribute("type", element).attribute("version", 1);
}

}  // namespace trotter::detail
