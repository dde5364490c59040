// Per-particle parameters of pair formulas, packed into vectors.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/text/table_text.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// Packs a particle's parameters (columns) into as few vectors as possible, of four, two or one elements.
class ColumnPacking {
public:
    explicit ColumnPacking(std::size_t columns) : columns_(columns) {
        for (std::size_t first = 0; first < columns; first += widths_.back())
            widths_.push_back(columns - first > 2 ? 4 : columns - first);
    }
    std::size_t columns() const { return columns_; }
    std::size_t vectors() const { return widths_.size(); }
    std::size_t width(std::size_t vector) const { return widths_[vector]; }
    std::string type(std::size_t vector) const {
        return width(vector) == 1 ? "real" : "real" + std::to_string(width(vector));
    }
    static std::string name(std::size_t vector) { return "columns" + std::to_string(vector) + '_'; }

    /// Source for a column of the first or second particle.
    std::string text(std::size_t column, char side) const { return element(column, name(column / 4) + side); }
    /// Source for a column's element of a vector.
    std::string element(std::size_t column, std::string const& vector) const {
        return width(column / 4) == 1 ? vector : vector + '.' + "xyzw"[column % 4];
    }
    /// The values of a vector for all particles and padding.
    std::vector<double> numbers(std::vector<std::vector<double>> const& columns, std::size_t vector,
                                std::size_t padded) const;

private:
    std::size_t columns_;
    std::vector<std::size_t> widths_;
};

/// A column used as an argument of discrete tables of this size: it is rounded to an index once per particle, not once
/// per pair.
struct TableIndex {
    std::size_t column;
    int size;

    std::string name() const { return "index" + std::to_string(column) + '_' + std::to_string(size) + '_'; }
    std::size_t vector() const { return column / 4; }
    /// `array` returns the array with the column's vector.
    PairInteraction::Parameter parameter(ColumnPacking const& packing, std::function<Argument()> array) const;
};

/// A table's value for a pair, like `table_call`.
std::string pair_table_call(TableShape const& shape, std::span<std::string const> operands,
                            ColumnPacking const& packing);

/// The indices used by such calls in a source text.
std::vector<TableIndex> table_indices(std::string const& text, ColumnPacking const& packing, Tables const& tables);

}  // namespace trotter::device
