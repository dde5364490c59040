// The tabulated functions of a force in files.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter::detail {

/// Forces that are older than the types of functions had but one, which their files do not name.
enum class TypeOfTables { stated, may_be_missing };

/// The list `Functions` of a force. Throws InputError for what makes no sense.
std::vector<TabulatedFunction> read_tables(XmlNode const& force, TypeOfTables type = TypeOfTables::may_be_missing);
void write_tables(XmlWriter& xml, std::vector<TabulatedFunction> const& tables);

}  // namespace trotter::detail
