// Tabulated functions in the form that backends evaluate: piecewise polynomials.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trotter/tables/spline.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// Kind and size of a table.
struct TableShape {
    bool is_discrete = false, periodic = false;  ///< as in TabulatedFunction
    int arguments = 0;  ///< 1 to 3
    std::array<int, 3> sizes{1, 1, 1};  ///< values along each argument
    std::size_t first = 0;  ///< index of its first number, a multiple of 4
};

/// The tables of one force, as backends evaluate them: one array of numbers for all. A discrete function is stored as
/// its values. A continuous one begins with four numbers for each argument: both ends of its range, cells per unit, and
/// 0. There follow, for each cell along the first argument and each knot along the others (the first changes fastest),
/// polynomials of the first argument, counted in cells from the cell's left: the coefficients of degree 0 to 3 of the
/// function, of its derivative by the second argument, by the third, and by both, in units of the knot distance.
/// Hermite polynomials interpolate these between knots of the second and third argument.
class Tables {
public:
    /// Throws InputError for the first invalid table.
    explicit Tables(std::vector<TabulatedFunction> const& functions = {});

    /// Whether there are no tables.
    bool empty() const { return shapes_.empty(); }
    /// Number of tables.
    std::size_t count() const { return shapes_.size(); }
    /// The tables as custom functions of formulas.
    std::vector<expression::CustomFunction> formula_functions() const {
        std::vector<expression::CustomFunction> result;
        for (std::size_t n = 0; n < count(); ++n)
            result.push_back({names_[n], shapes_[n].arguments, shapes_[n].is_discrete});
        return result;
    }
    /// Shape of one table.
    TableShape const& shape(std::size_t table) const { return shapes_[table]; }
    /// Numbers of all tables, consecutively.
    std::vector<double> const& numbers() const { return numbers_; }
    /// A view of one table, valid until the tables change.
    TableView view(std::size_t table) const {
        auto const& s = shapes_[table];
        return {
            s.is_discrete, s.periodic, s.arguments, {s.sizes[0], s.sizes[1], s.sizes[2]}, numbers_.data() + s.first};
    }

    /// The value at `x`, a number for each argument; the derivatives are written to `slopes`.
    double evaluate(int table, double const* x, double* slopes) const;

    /// Evaluates custom functions of a formula, numbered as the tables: see `expression::run`. T is a number or a SIMD
    /// batch.
    template <class T> void operator()(int table, std::span<T const* const> operands, std::span<T* const> results,
                                       std::size_t lanes) const {
        if constexpr (std::floating_point<T>)
            look_up(table, operands, results, lanes);
        else
            for (std::size_t batch = 0; batch < lanes; ++batch) one_batch(table, operands, results, batch);
    }

private:
    template <class T>
    void look_up(int table, std::span<T const* const> operands, std::span<T* const> results, std::size_t lanes) const;
    template <class T> void one_batch(int table, std::span<T const* const> operands, std::span<T* const> results,
                                      std::size_t batch) const {
        using Number = typename T::value_type;
        std::array<std::array<Number, T::size>, 3> in;
        std::array<std::array<Number, T::size>, 4> out;
        std::array<Number const*, 3> from{};
        std::array<Number*, 4> to{};
        for (std::size_t n = 0; n < operands.size(); ++n) {
            operands[n][batch].store_unaligned(in[n].data());
            from[n] = in[n].data();
        }
        for (std::size_t n = 0; n < results.size(); ++n) to[n] = results[n] ? out[n].data() : nullptr;
        (*this)(table, std::span<Number const* const>(from.data(), operands.size()),
                std::span<Number* const>(to.data(), results.size()), T::size);
        for (std::size_t n = 0; n < results.size(); ++n)
            if (results[n]) results[n][batch] = T::load_unaligned(out[n].data());
    }
    void add(TabulatedFunction const& function);

    std::vector<std::string> names_;
    std::vector<TableShape> shapes_;
    std::vector<double> numbers_;
};

extern template void Tables::look_up(int, std::span<float const* const>, std::span<float* const>, std::size_t) const;
extern template void Tables::look_up(int, std::span<double const* const>, std::span<double* const>, std::size_t) const;

}  // namespace trotter
