// Reads and writes the tabulated functions of a force.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter::detail {

/// Whether old versions of the force had only one type of function, without a name.
enum class TypeOfTables { stated, may_be_missing };

/// Reads the list `Functions` of a force. Throws InputError for invalid tables.
std::vector<TabulatedFunction> read_tables(XmlNode const& force, TypeOfTables type = TypeOfTables::may_be_missing);
void write_tables(XmlWriter& xml, std::vector<TabulatedFunction> const& tables);

}  // namespace trotter::detail
