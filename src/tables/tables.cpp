// Validates tabulated functions and computes their splines.
// SPDX-License-Identifier: MIT
#include <trotter/tables/tables.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include <trotter/error.hpp>

namespace trotter {
namespace {

/// Returns the derivatives of a natural cubic spline at equally spaced values, in units of the spacing: the solution d
/// of d_{i-1} + 4 d_i + d_{i+1} = 3 (y_{i+1} - y_{i-1}), with 2 d_0 + d_1 = 3 (y_1 - y_0) and likewise at the other
/// end.
std::vector<double> natural_slopes(std::vector<double> const& y) {
    std::size_t const n = y.size();
    std::vector<double> above(n), d(n);
    for (std::size_t i = 0; i < n; ++i) {  // Gauss elimination
        double const left = y[i == 0 ? i : i - 1], right = y[i + 1 == n ? i : i + 1];
        double const pivot = (i == 0 || i + 1 == n ? 2 : 4) - (i == 0 ? 0 : above[i - 1]);
        above[i] = 1 / pivot;
        d[i] = (3 * (right - left) - (i == 0 ? 0 : d[i - 1])) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 0;) d[i] -= above[i] * d[i + 1];
    return d;
}

/// The same for a periodic spline, whose last value equals its first. The equations are a product of two recursions
/// with the factor z, z² + 4z + 1 = 0, forwards and backwards (M. Unser et al., IEEE Trans. Signal Process. 41, 821
/// (1993)).
std::vector<double> periodic_slopes(std::vector<double> const& y) {
    int const n = static_cast<int>(y.size()) - 1, reach = 40;  // z^40 is below rounding
    double const z = std::numbers::sqrt3 - 2;
    auto const at = [n](std::vector<double> const& v, int i) { return v[static_cast<std::size_t>((i % n + n) % n)]; };
    std::vector<double> d(static_cast<std::size_t>(n)), forwards = d;
    double last = 0;
    for (int i = -reach; i < n; ++i) {
        last = z * (last - 3 * (at(y, i + 1) - at(y, i - 1)));
        if (i >= 0) forwards[static_cast<std::size_t>(i)] = last;
    }
    last = 0;
    for (int i = n + reach; i-- > 0;) {
        last = at(forwards, i) + z * last;
        if (i < n) d[static_cast<std::size_t>(i)] = last;
    }
    d.push_back(d.front());
    return d;
}

/// Applies `change` to every line of a grid along `axis`.
template <class Change>
std::vector<double> along(std::vector<double> grid, std::array<int, 3> const& sizes, int axis, Change const& change) {
    std::size_t stride = 1;
    for (int a = 0; a < axis; ++a) stride *= static_cast<std::size_t>(sizes[static_cast<std::size_t>(a)]);
    auto const size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(axis)]);
    std::vector<double> line(size);
    for (std::size_t first = 0; first < grid.size(); ++first) {
        if (first / stride % size != 0) continue;
        for (std::size_t i = 0; i < size; ++i) line[i] = grid[first + i * stride];
        auto const changed = change(line);
        for (std::size_t i = 0; i < size; ++i) grid[first + i * stride] = changed[i];
    }
    return grid;
}

std::string where(TabulatedFunction const& function) { return "the tabulated function '" + function.name + "'"; }

void check_sizes(TabulatedFunction const& function) {
    int const least = function.is_discrete() ? 1 : function.periodic ? 3 : 2;
    if (function.sizes.empty() || function.sizes.size() > 3)
        throw InputError(where(function) + " has " + std::to_string(function.sizes.size())
                         + " arguments, expected 1 to 3");
    if (!function.is_discrete() && function.ranges.size() != function.sizes.size())
        throw InputError(where(function) + " has " + std::to_string(function.ranges.size()) + " ranges for "
                         + std::to_string(function.sizes.size()) + " arguments");
    std::size_t count = 1;
    for (std::size_t n = 0; n < function.sizes.size(); ++n) {
        if (function.sizes[n] < least)
            throw InputError(where(function) + " has " + std::to_string(function.sizes[n]) + " values along argument "
                             + std::to_string(n + 1) + ", expected at least " + std::to_string(least)
                             + (least == 3 ? " where it is periodic" : ""));
        count *= static_cast<std::size_t>(function.sizes[n]);
    }
    if (function.values.size() != count)
        throw InputError(where(function) + " has " + std::to_string(function.values.size()) + " values, expected "
                         + std::to_string(count));
}

/// Throws InputError if the ends of a periodic function differ by more than rounding.
void check_ends(TabulatedFunction const& function) {
    double largest = 0;
    for (double const value : function.values) largest = std::max(largest, std::abs(value));
    std::size_t stride = 1;
    for (std::size_t n = 0; n < function.sizes.size(); ++n) {
        auto const size = static_cast<std::size_t>(function.sizes[n]);
        for (std::size_t i = 0; i < function.values.size(); ++i) {
            std::size_t const other = i + (size - 1) * stride;
            if (i / stride % size == 0 && std::abs(function.values[i] - function.values[other]) > 1e-14 * largest)
                throw InputError(where(function) + " is periodic, but its value " + std::to_string(other) + " is "
                                 + std::to_string(function.values[other]) + ", expected that of value "
                                 + std::to_string(i) + ", " + std::to_string(function.values[i])
                                 + ", at the other end of argument " + std::to_string(n + 1));
        }
        stride *= size;
    }
}

/// Computes indices of the values at the nearest integers, for some lanes.
template <class T> void find_indices(TableShape const& shape, std::span<T const* const> operands, std::size_t begin,
                                     std::span<std::int32_t> indices) {
    for (auto& index : indices) index = 0;
    std::int32_t stride = 1;
    for (std::size_t n = 0; n < operands.size(); ++n) {
        T const last = static_cast<T>(shape.sizes[n] - 1);
        T const* const x = operands[n] + begin;
        for (std::size_t lane = 0; lane < indices.size(); ++lane)
            indices[lane] += stride * (x[lane] > 0 ? static_cast<std::int32_t>(std::min(x[lane], last) + T(0.5)) : 0);
        stride *= shape.sizes[n];
    }
}

}  // namespace

std::vector<expression::CustomFunction> formula_functions(std::vector<TabulatedFunction> const& tables) {
    std::vector<expression::CustomFunction> result;
    for (auto const& table : tables) result.push_back({table.name, table.arguments(), table.is_discrete()});
    return result;
}

void TabulatedFunction::check() const {
    check_sizes(*this);
    for (std::size_t n = 0; n < ranges.size(); ++n) {
        auto const [min, max] = ranges[n];
        if (!std::isfinite(min) || !std::isfinite(max) || !(min < max))
            throw InputError(where(*this) + ": argument " + std::to_string(n + 1) + " goes from " + std::to_string(min)
                             + " to " + std::to_string(max) + ", expected a maximum above the minimum");
    }
    for (std::size_t n = 0; n < values.size(); ++n)
        if (!std::isfinite(values[n]))
            throw InputError(where(*this) + ": value " + std::to_string(n) + " is " + std::to_string(values[n])
                             + ", expected a finite number");
    if (periodic) check_ends(*this);
}

void check_tables(std::vector<TabulatedFunction> const& tables) {
    for (std::size_t n = 0; n < tables.size(); ++n) {
        tables[n].check();
        for (std::size_t k = 0; k < n; ++k)
            if (tables[k].name == tables[n].name)
                throw InputError("tabulated functions " + std::to_string(k) + " and " + std::to_string(n)
                                 + " have the same name '" + tables[n].name + "'");
    }
}

void check_same_tables(std::vector<TabulatedFunction> const& tables, std::vector<TabulatedFunction> const& changed) {
    if (tables.size() != changed.size())
        throw InputError("the number of tabulated functions has changed from " + std::to_string(tables.size()) + " to "
                         + std::to_string(changed.size()) + "; only their values and ranges can be updated");
    for (std::size_t n = 0; n < tables.size(); ++n)
        if (tables[n].name != changed[n].name || tables[n].sizes != changed[n].sizes
            || tables[n].periodic != changed[n].periodic || tables[n].is_discrete() != changed[n].is_discrete())
            throw InputError(where(tables[n])
                             + " has changed its name, its sizes or its kind; only values and ranges can be updated");
}

Tables::Tables(std::vector<TabulatedFunction> const& functions) {
    check_tables(functions);
    for (auto const& function : functions) add(function);
}

void Tables::add(TabulatedFunction const& function) {
    TableShape shape{function.is_discrete(), function.periodic, function.arguments(), {1, 1, 1}, numbers_.size()};
    std::copy(function.sizes.begin(), function.sizes.end(), shape.sizes.begin());
    names_.push_back(function.name);
    shapes_.push_back(shape);
    if (shape.is_discrete) {
        numbers_.insert(numbers_.end(), function.values.begin(), function.values.end());
        numbers_.resize((numbers_.size() + 3) / 4 * 4);
        return;
    }
    for (std::size_t n = 0; n < function.ranges.size(); ++n) {
        auto const [min, max] = function.ranges[n];
        numbers_.insert(numbers_.end(), {min, max, (shape.sizes[n] - 1) / (max - min), 0});
    }
    auto const differentiate = function.periodic ? periodic_slopes : natural_slopes;
    std::vector<std::vector<double>> members{function.values};  // the function and its derivatives by y, z and both
    for (int axis = 1; axis < shape.arguments; ++axis)
        for (std::size_t m = 0, count = members.size(); m < count; ++m)
            members.push_back(along(members[m], shape.sizes, axis, differentiate));
    std::vector<std::vector<double>> slopes;
    for (auto const& member : members) slopes.push_back(along(member, shape.sizes, 0, differentiate));
    auto const size = static_cast<std::size_t>(shape.sizes[0]);
    for (std::size_t i = 0; i < function.values.size(); ++i)
        for (std::size_t m = 0; i % size + 1 < size && m < members.size(); ++m) {
            double const step = members[m][i + 1] - members[m][i], left = slopes[m][i], right = slopes[m][i + 1];
            numbers_.insert(numbers_.end(),
                            {members[m][i], left, 3 * step - 2 * left - right, left + right - 2 * step});
        }
}

template <class T> void Tables::look_up(int table, std::span<T const* const> operands, std::span<T* const> results,
                                        std::size_t lanes) const {
    auto const& shape = shapes_[static_cast<std::size_t>(table)];
    constexpr std::size_t block = 64;
    if (shape.is_discrete) {
        std::array<std::int32_t, block> indices;
        for (std::size_t begin = 0; begin < lanes; begin += block) {
            auto const some = std::span(indices).first(std::min(block, lanes - begin));
            find_indices(shape, operands, begin, some);
            for (std::size_t lane = 0; lane < some.size(); ++lane) {
                for (std::size_t n = 1; n < results.size(); ++n)
                    if (results[n]) results[n][begin + lane] = 0;
                if (results[0])
                    results[0][begin + lane] =
                        static_cast<T>(numbers_[shape.first + static_cast<std::size_t>(some[lane])]);
            }
        }
        return;
    }
    std::array<double, 3> x{}, slopes{};
    auto const view = this->view(static_cast<std::size_t>(table));
    auto const at = [&view](double place) { return view.numbers[static_cast<std::size_t>(place)]; };
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (std::size_t n = 0; n < operands.size(); ++n) x[n] = static_cast<double>(operands[n][lane]);
        double const value = evaluate_spline(view, x.data(), slopes.data(), at);
        if (results[0]) results[0][lane] = static_cast<T>(value);
        for (std::size_t n = 0; n < operands.size(); ++n)
            if (results[n + 1]) results[n + 1][lane] = static_cast<T>(slopes[n]);
    }
}
template void Tables::look_up(int, std::span<float const* const>, std::span<float* const>, std::size_t) const;
template void Tables::look_up(int, std::span<double const* const>, std::span<double* const>, std::size_t) const;

double Tables::evaluate(int table, double const* x, double* slopes) const {
    std::array<double const*, 3> operands{};
    std::array<double*, 4> results{};
    double value = 0;
    auto const arguments = static_cast<std::size_t>(shapes_[static_cast<std::size_t>(table)].arguments);
    results[0] = &value;
    for (std::size_t n = 0; n < arguments; ++n) operands[n] = x + n, results[n + 1] = slopes + n;
    look_up(table, std::span<double const* const>(operands.data(), arguments),
            std::span<double* const>(results.data(), arguments + 1), 1);
    return value;
}

}  // namespace trotter
