// Per-particle parameters of pair formulas, packed into vectors.
// SPDX-License-Identifier: MIT
#include <set>
#include <utility>

#include <trotter/device/pairs/columns.hpp>

namespace trotter::device {

std::vector<double> ColumnPacking::numbers(std::vector<std::vector<double>> const& columns, std::size_t vector,
                                           std::size_t padded) const {
    std::vector<double> result(width(vector) * padded);
    for (std::size_t n = 0; n < width(vector) && 4 * vector + n < columns_; ++n)
        for (std::size_t i = 0; i < columns[4 * vector + n].size(); ++i)
            result[width(vector) * i + n] = columns[4 * vector + n][i];
    return result;
}
PairInteraction::Parameter TableIndex::parameter(ColumnPacking const& packing, std::function<Argument()> array) const {
    std::string const of_atom = packing.element(column, name() + "[atom]");
    return {name(), "int", std::move(array), packing.type(vector()),
            "real_index(" + of_atom + ", " + std::to_string(size) + ')'};
}

std::string pair_table_call(TableShape const& shape, std::span<std::string const> operands,
                            ColumnPacking const& packing) {
    return table_call(shape, "real", "tables", operands, [&](std::string const& operand, int size) {
        for (std::size_t column = 0; column < packing.columns(); ++column)
            for (char const side : {'1', '2'})
                if (operand == packing.text(column, side)) return TableIndex{column, size}.name() + side;
        return "real_index(" + operand + ", " + std::to_string(size) + ')';
    });
}

std::vector<TableIndex> table_indices(std::string const& text, ColumnPacking const& packing, Tables const& tables) {
    std::set<int> sizes;
    for (std::size_t n = 0; n < tables.count(); ++n)
        if (auto const& shape = tables.shape(n); shape.is_discrete)
            sizes.insert(shape.sizes.begin(), shape.sizes.begin() + shape.arguments);
    std::vector<TableIndex> result;
    for (std::size_t column = 0; column < packing.columns(); ++column)
        for (int const size : sizes)
            if (TableIndex const index{column, size};
                names(text, index.name() + '1') || names(text, index.name() + '2'))
                result.push_back(index);
    return result;
}

}  // namespace trotter::device
