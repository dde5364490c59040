// Calls of tabulated functions in kernel source.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include <trotter/kernels/tables.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// A call that returns a vector of four: the value and the derivatives by up to three operands. `array` points to the
/// values of all tables, vectors of four of `type`. `index(operand, size)` rounds an operand to an index below the
/// size.
template <class Index>
std::string table_call(TableShape const& shape, std::string const& type, std::string const& array,
                       std::span<std::string const> operands, Index const& index) {
    std::string text =
        type + (shape.is_discrete ? "_discrete(" : "_continuous(") + array + " + " + std::to_string(shape.first / 4);
    if (shape.is_discrete) {
        std::string at;
        for (std::size_t n = operands.size(); n-- > 0;) {
            if (!at.empty()) at = '(' + at + ")*" + std::to_string(shape.sizes[n]) + " + ";
            at += index(operands[n], shape.sizes[n]);
        }
        return text + ", " + at + ')';
    }
    text += ", " + std::to_string(shape.arguments) + (shape.periodic ? ", 1" : ", 0");
    for (int const size : shape.sizes) text += ", " + std::to_string(size);
    for (std::size_t n = 0; n < 3; ++n) text += ", " + (n < operands.size() ? operands[n] : "0");
    return text + ')';
}
inline std::string table_call(TableShape const& shape, std::string const& type, std::string const& array,
                              std::span<std::string const> operands) {
    return table_call(shape, type, array, operands, [&](std::string const& operand, int size) {
        return type + "_index(" + operand + ", " + std::to_string(size) + ')';
    });
}

}  // namespace trotter::device
