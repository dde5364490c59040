// Parts that elements of custom forces have in common.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/error.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter::app::force_field {

std::vector<GlobalParameter> read_global_parameters(XmlNode const& node);
/// The attributes `name` of elements such as `<PerBondParameter>`.
std::vector<std::string> read_names(XmlNode const& node, std::string_view element);
/// The attributes of these names.
std::vector<double> read_values(XmlNode const& node, std::vector<std::string> const& names);
/// The `<Function>` elements.
std::vector<TabulatedFunction> read_functions(XmlNode const& node);

/// What `make` makes of a formula. Throws InputError with the place of the element for one that cannot be read.
template <class Make>
auto read_formula(XmlNode const& node, std::string_view what, std::string text, Make const& make) {
    try {
        return make(std::move(text));
    } catch (ExpressionError const& error) {
        node.fail(std::string(what) + ": " + error.what());
    }
}

}  // namespace trotter::app::force_field
