// Reads and writes tabulated functions: OpenMM's six types.
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <array>
#include <string>

#include "io/xml/located.hpp"

namespace trotter::detail {
namespace {

constexpr char axes[] = "xyz";

struct Type {
    bool is_discrete = false;
    std::size_t arguments = 1;

    std::string name() const {
        return (is_discrete ? "Discrete" : "Continuous") + std::to_string(arguments) + "DFunction";
    }
};

/// Early versions have only one type, without a name.
Type type_of(XmlNode const& element) {
    if (!element.has("type")) return {};
    for (bool const is_discrete : {false, true})
        for (std::size_t const arguments : {1u, 2u, 3u})
            if (Type const type{is_discrete, arguments}; element.text("type") == type.name()) return type;
    element.refuse("type",
                   "Continuous1DFunction, Continuous2DFunction, Continuous3DFunction, Discrete1DFunction, "
                   "Discrete2DFunction or Discrete3DFunction");
}

/// With one argument the ends are min and max; with more, each argument has a letter.
std::vector<std::string> attributes_of(Type const& type) {
    std::vector<std::string> result{"name", "type", "version"};
    if (!type.is_discrete) result.push_back("periodic");
    for (std::size_t n = 0; n < type.arguments; ++n) {
        std::string const axis = type.arguments == 1 ? "" : std::string(1, axes[n]);
        if (type.arguments > 1) result.push_back(axis + "size");
        if (!type.is_discrete) result.insert(result.end(), {axis + "min", axis + "max"});
    }
    return result;
}

TabulatedFunction read_table(XmlNode const& element) {
    Type const type = type_of(element);
    auto const attributes = attributes_of(type);
    std::vector<std::string_view> const known(attributes.begin(), attributes.end());
    element.only(known, std::array<std::string_view, 1>{"Values"});
    bool const is_versioned = element.has("version") || element.has("type");
    int const version = is_versioned ? element.version(type.is_discrete ? 1 : 2) : 1;
    TabulatedFunction table;
    table.name = element.text("name");
    if (!type.is_discrete)
        table.periodic = version < 2 ? element.boolean_or("periodic", false) : element.boolean("periodic");
    for (auto const value : element.child("Values").items("Value")) {
        value.only({"v"});
        table.values.push_back(value.number("v"));
    }
    for (std::size_t n = 0; n < type.arguments; ++n) {
        std::string const axis = type.arguments == 1 ? "" : std::string(1, axes[n]);
        table.sizes.push_back(type.arguments == 1 ? static_cast<int>(table.values.size())
                                                  : element.integer<int>(axis + "size", 1));
        if (!type.is_discrete) table.ranges.push_back({element.number(axis + "min"), element.number(axis + "max")});
    }
    located(element, [&] { table.check(); });
    return table;
}

}  // namespace

std::vector<TabulatedFunction> read_tables(XmlNode const& force, TypeOfTables type) {
    std::vector<TabulatedFunction> result;
    auto const list = force.child("Functions");
    for (auto const element : list.items("Function")) {
        if (type == TypeOfTables::stated) (void)element.text("type");
        result.push_back(read_table(element));
    }
    located(list, [&] { check_tables(result); });
    return result;
}

void write_tables(XmlWriter& xml, std::vector<TabulatedFunction> const& tables) {
    xml.open("Functions");
    for (auto const& table : tables) {
        Type const type{table.is_discrete(), table.sizes.size()};
        xml.open("Function")
            .attribute("type", type.name())
            .attribute("version", type.is_discrete ? 1 : 2)
            .attribute("name", table.name);
        if (!type.is_discrete) xml.attribute("periodic", table.periodic);
        for (std::size_t n = 0; n < type.arguments; ++n) {
            std::string const axis = type.arguments == 1 ? "" : std::string(1, axes[n]);
            if (type.arguments > 1) xml.attribute(axis + "size", table.sizes[n]);
            if (!type.is_discrete)
                xml.attribute(axis + "min", table.ranges[n].min).attribute(axis + "max", table.ranges[n].max);
        }
        xml.open("Values");
        for (double const value : table.values) xml.open("Value").attribute("v", value).close();
        xml.close().close();
    }
    xml.close();
}

}  // namespace trotter::detail
