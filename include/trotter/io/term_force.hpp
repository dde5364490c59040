// Reads and writes forces of terms from the descriptions of their parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <trotter/base/field.hpp>
#include <trotter/concepts.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter {

/// A force whose terms are described by its members, so that it can be read and written.
template <class F>
concept DescribesTerms = Force<F> && requires(F& force) {
    (force.*F::terms).begin();
    std::tuple_size<decltype(F::particles)>::value;
    std::tuple_size<decltype(F::fields)>::value;
    { F::terms_name } -> std::convertible_to<std::string_view>;
    { F::term_name } -> std::convertible_to<std::string_view>;
};

/// Reads an attribute; throws InputError unless it is a value that `valid` allows.
void read_value(XmlNode const& node, std::string_view attribute, Valid valid, double& value);
/// As above, for an integer.
void read_value(XmlNode const& node, std::string_view attribute, Valid valid, int& value);
void read_value(XmlNode const& node, std::string_view attribute, Valid valid, bool& value);  ///< as above, for 0 or 1

/// Reads each described value from the attribute with its file name.
template <class Object, class Fields>
void read_fields(XmlNode const& node, Object& object, Fields const& fields) {
    std::apply(
        [&](auto const&... field) { (read_value(node, field.file_name, field.valid, object.*field.member), ...); },
        fields);
}
/// Writes each described value as an attribute.
template <class Object, class Fields>
void write_fields(XmlWriter& xml, Object const& object, Fields const& fields) {
    std::apply([&](auto const&... field) { (xml.attribute(field.file_name, object.*field.member), ...); }, fields);
}
/// Attribute names, in the order of the fields.
template <class Fields> constexpr auto file_names(Fields const& fields) {
    return std::apply([](auto const&... field) { return std::array<std::string_view, sizeof...(field)>{field.file_name...}; },
                      fields);
}

/// Rejects attributes and children of a `<Force>` other than those listed and those common to all forces: type,
/// version, forceGroup and name.
void only_force(XmlNode const& node, std::initializer_list<std::string_view> attributes,
                std::initializer_list<std::string_view> children = {});

/// Rejects an attribute that this version of the force does not have, if it would change the meaning.
void refuse_early(XmlNode const& node, std::string_view attribute, int version, bool changes_meaning);
/// Reads an attribute introduced in version `first`; false in earlier versions.
bool boolean_since(int first, int version, XmlNode const& node, std::string_view attribute);

namespace detail {

inline constexpr std::array<std::string_view, 12> particle_attributes{"p1", "p2", "p3", "p4",  "p5",  "p6",
                                                                      "p7", "p8", "p9", "p10", "p11", "p12"};

template <class Term, class Particles>
void read_particles(XmlNode const& node, Term& term, Particles const& particles, int count,
                    std::span<std::string_view const> names = particle_attributes) {
    std::size_t n = 0;
    std::apply([&](auto... member) { ((term.*member = node.integer<int>(names[n++], 0, count - 1)), ...); }, particles);
}
template <class Term, class Particles>
void write_particles(XmlWriter& xml, Term const& term, Particles const& particles,
                     std::span<std::string_view const> names = particle_attributes) {
    static_assert(std::tuple_size_v<Particles> <= particle_attributes.size());
    std::size_t n = 0;
    std::apply([&](auto... member) { (xml.attribute(names[n++], term.*member), ...); }, particles);
}

/// Attributes of a row: particles, then fields.
template <class Particles, class Fields> constexpr auto row_attributes(Particles const&, Fields const& fields) {
    constexpr std::size_t particles = std::tuple_size_v<Particles>;
    std::array<std::string_view, particles + std::tuple_size_v<Fields>> names{};
    for (std::size_t i = 0; i < particles; ++i) names[i] = particle_attributes.at(i);
    for (std::size_t n = particles; auto const field : file_names(fields)) names[n++] = field;
    return names;
}

inline constexpr std::tuple<> no_particles{};

/// Reads a list of rows.
template <class Rows, class Particles, class Fields>
void read_rows(XmlNode const& list, std::string_view item, Rows& rows, Particles const& particles, Fields const& fields,
               int particle_count) {
    auto const attributes = row_attributes(particles, fields);
    for (auto const element : list.items(item)) {
        element.only(attributes);
        auto& row = rows.emplace_back();
        read_particles(element, row, particles, particle_count);
        read_fields(element, row, fields);
    }
}
template <class Rows, class Particles, class Fields>
void write_rows(XmlWriter& xml, std::string_view list, std::string_view item, Rows const& rows,
                Particles const& particles, Fields const& fields) {
    xml.open(list);
    for (auto const& row : rows) {
        xml.open(item);
        write_particles(xml, row, particles);
        write_fields(xml, row, fields);
        xml.close();
    }
    xml.close();
}

/// Throws InputError unless `found` is the System's number of particles. `force` is a name with its article.
void check_particle_list(XmlNode const& list, std::string_view force, std::size_t found, int particle_count);

}  // namespace detail

/// Reads versions 1 and 2 of a force with described terms; version 1 is never periodic.
template <DescribesTerms F> void read_terms(XmlNode const& node, F& force, int particle_count) {
    int const version = node.version(2);
    only_force(node, {"usesPeriodic"}, {F::terms_name});
    bool const periodic = version < 2 ? node.boolean_or("usesPeriodic", false) : node.boolean("usesPeriodic");
    if constexpr (requires { force.periodic; }) {
        refuse_early(node, "usesPeriodic", version, version < 2 && periodic);
        force.periodic = periodic;
    } else if (periodic) {
        node.refuse("usesPeriodic", "0: this force has no periodic images");
    }
    detail::read_rows(node.child(F::terms_name), F::term_name, force.*F::terms, F::particles, F::fields, particle_count);
}

/// Writes version 2.
template <DescribesTerms F> void write_terms(XmlWriter& xml, F const& force) {
    bool periodic = false;
    if constexpr (requires { force.periodic; }) periodic = force.periodic;
    xml.attribute("version", 2).attribute("usesPeriodic", periodic);
    detail::write_rows(xml, F::terms_name, F::term_name, force.*F::terms, F::particles, F::fields);
}

}  // namespace trotter
