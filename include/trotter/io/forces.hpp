// Reads and writes forces, by functions of the force or by its field descriptions.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/io/pair_force.hpp>
#include <trotter/io/term_force.hpp>

namespace trotter {

// The contents of a `<Force>` element besides type, force group and name are read and written by functions in the
// namespace of the force: `read(XmlNode const&, F&, int particle_count)`, where `particle_count` may be omitted if no
// particle is referred to, and `write(XmlWriter&, F const&)`, which begins with the attributes, `version` first; the
// caller opens and closes the element. A force that describes terms or pairs needs none.

namespace detail {

/// Reads the attributes common to all forces.
void read_common(XmlNode const& node, int& force_group, std::string* label);
void write_common(XmlWriter& xml, std::string_view type, int force_group, std::string_view label);

template <Force F> F read_force(XmlNode const& node, int particle_count) {
    F force;
    std::string* label = nullptr;
    if constexpr (requires { label = &force.label; }) label = &force.label;
    read_common(node, force.force_group, label);
    if constexpr (requires { read(node, force, particle_count); })
        read(node, force, particle_count);
    else if constexpr (requires { read(node, force); })
        read(node, force);
    else if constexpr (DescribesTerms<F>)
        read_terms(node, force, particle_count);
    else if constexpr (DescribesPairs<F>)
        read_pairs(node, force, particle_count);
    else
        node.fail(std::string(F::name) + " cannot be read from a file: there is no read(XmlNode const&, "
                  + std::string(F::name) + "&)");
    return force;
}

template <Force F> void write_force(XmlWriter& xml, F const& force) {
    std::string_view label = F::name;
    if constexpr (requires { label = force.label; }) label = force.label;
    xml.open("Force");
    write_common(xml, F::name, force.force_group, label);
    if constexpr (requires { write(xml, force); })
        write(xml, force);
    else if constexpr (DescribesTerms<F>)
        write_terms(xml, force);
    else if constexpr (DescribesPairs<F>)
        write_pairs(xml, force);
    else
        throw InputError(std::string(F::name) + " cannot be written to a file: there is no write(XmlWriter&, "
                         + std::string(F::name) + " const&)");
    xml.close();
}

}  // namespace detail
}  // namespace trotter
