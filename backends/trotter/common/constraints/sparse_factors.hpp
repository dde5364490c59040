// Sparse LDU factorization of a matrix with symmetric pattern, with fill-reducing ordering.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace trotter {

/// Nonzero entries of a square matrix by rows (CSR). Symmetric, with the whole diagonal.
struct SparsePattern {
    std::vector<std::size_t> row_begin{0};
    std::vector<std::size_t> column;     ///< ascending within a row
    std::vector<std::size_t> transpose;  ///< per entry: index of the transposed entry

    /// `rows[p]`: the columns of row p in ascending order.
    [[gnu::cold]] explicit SparsePattern(std::vector<std::vector<std::size_t>> const& rows) {
        for (auto const& row : rows) {
            for (std::size_t const entry : row) column.push_back(entry);
            row_begin.push_back(column.size());
        }
        transpose.resize(column.size());
        auto next = row_begin;  // going row by row, the transposed entries of a row appear in ascending order
        for (std::size_t p = 0; p < size(); ++p)
            for (std::size_t at = row_begin[p]; at < row_begin[p + 1]; ++at) transpose[at] = next[column[at]]++;
    }
    std::size_t size() const { return row_begin.size() - 1; }
};

/// Union of two ascending lists.
[[gnu::cold]] inline std::vector<std::size_t> united(std::vector<std::size_t> const& a, std::vector<std::size_t> const& b) {
    std::vector<std::size_t> result;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

/// Minimum-degree ordering: eliminates the unknown with the fewest neighbors next and connects these to each other
/// (George & Liu, SIAM Review 31, 1 (1989)).
[[gnu::cold]] inline std::vector<std::size_t> elimination_order(std::vector<std::vector<std::size_t>> neighbours) {
    std::size_t const size = neighbours.size();
    std::vector<std::size_t> order, queue;  // the top of the queue is the largest complement of (neighbours, unknown)
    auto enter = [&](std::size_t p) {
        queue.push_back(~(neighbours[p].size() * size + p));
        std::push_heap(queue.begin(), queue.end());
    };
    for (std::size_t p = 0; p < size; ++p) enter(p);
    while (!queue.empty()) {
        std::size_t const top = ~queue.front(), eliminated = top % size;
        std::pop_heap(queue.begin(), queue.end());
        queue.pop_back();
        if (top / size != neighbours[eliminated].size()) continue;  // outdated entry: its neighbors have changed
        order.push_back(eliminated);
        auto const tied = std::move(neighbours[eliminated]);
        for (std::size_t p : tied) {
            auto const all = united(neighbours[p], tied);
            neighbours[p].clear();
            for (std::size_t q : all)
                if (q != p && q != eliminated) neighbours[p].push_back(q);
            enter(p);
        }
    }
    return order;
}

/// LDU factors without pivoting. The fill-in is found once from the pattern (elimination tree; Liu, SIAM J. Matrix
/// Anal. Appl. 11, 134 (1990)); the values are computed row by row whenever the matrix changes.
class SparseFactors {
public:
    [[gnu::cold]] explicit SparseFactors(SparsePattern const& pattern) : diagonal_(pattern.size()) {
        std::size_t const size = pattern.size(), none = size;
        std::vector<std::size_t> parent(size, none), visited(size, none), count(size + 1, 0);
        for (std::size_t k = 0; k < size; ++k) {
            visited[k] = k;
            for (std::size_t at = pattern.row_begin[k]; at < pattern.row_begin[k + 1] && pattern.column[at] < k; ++at)
                for (std::size_t i = pattern.column[at]; visited[i] != k; i = parent[i]) {
                    if (parent[i] == none) parent[i] = k;
                    visited[i] = k;
                    row_column_.push_back(i);
                    ++count[i + 1];
                }
            std::sort(row_column_.begin() + static_cast<std::ptrdiff_t>(row_begin_.back()), row_column_.end());
            row_begin_.push_back(row_column_.size());
        }
        column_begin_ = count;
        for (std::size_t i = 0; i < size; ++i) column_begin_[i + 1] += column_begin_[i];
        index_.resize(row_column_.size());
        lower_.resize(row_column_.size());
        upper_.resize(row_column_.size());
    }

    /// `values` are the entries of `pattern`, which must be that of the constructor.
    void factorize(SparsePattern const& pattern, std::vector<double> const& values) {
        std::size_t const size = diagonal_.size();
        std::vector<double> row(size, 0.0), column(size, 0.0);
        auto column_end = column_begin_;
        for (std::size_t k = 0; k < size; ++k) {
            std::size_t at = pattern.row_begin[k];
            for (; pattern.column[at] < k; ++at) {
                row[pattern.column[at]] = values[at];
                column[pattern.column[at]] = values[pattern.transpose[at]];
            }
            double pivot = values[at];
            for (std::size_t n = row_begin_[k]; n < row_begin_[k + 1]; ++n) {
                std::size_t const i = row_column_[n];
                double const in_row = std::exchange(row[i], 0.0), in_column = std::exchange(column[i], 0.0);
                for (std::size_t m = column_begin_[i]; m < column_end[i]; ++m) {
                    column[index_[m]] -= lower_[m] * in_column;
                    row[index_[m]] -= upper_[m] * in_row;
                }
                std::size_t const entry = column_end[i]++;
                index_[entry] = k;
                lower_[entry] = in_row / diagonal_[i];
                upper_[entry] = in_column / diagonal_[i];
                pivot -= lower_[entry] * in_column;
            }
            diagonal_[k] = pivot;
        }
    }

    /// Replaces b by A⁻¹ b.
    void solve(std::vector<double>& b) const {
        std::size_t const size = diagonal_.size();
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t m = column_begin_[i]; m < column_begin_[i + 1]; ++m) b[index_[m]] -= lower_[m] * b[i];
        for (std::size_t i = size; i-- > 0;) {
            b[i] /= diagonal_[i];
            for (std::size_t m = column_begin_[i]; m < column_begin_[i + 1]; ++m) b[i] -= upper_[m] * b[index_[m]];
        }
    }

private:
    std::vector<std::size_t> row_begin_{0}, row_column_;  // columns of L in row k
    std::vector<std::size_t> column_begin_, index_;       // rows of L in column i, which are the columns of U in row i
    std::vector<double> lower_, upper_, diagonal_;
};

}  // namespace trotter
