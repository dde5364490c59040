// Bicubic interpolation in periodic tables of two angles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <numbers>
#include <string_view>
#include <vector>

#include <trotter/expression/formula.hpp>

namespace trotter {

namespace detail {

/// Returns the derivatives, in units of the spacing, of the periodic cubic spline through `size` values with the given
/// stride. They solve d_{i-1} + 4 d_i + d_{i+1} = 3 (y_{i+1} - y_{i-1}), whose inverse is z^|k|/(2√3), z = √3 - 2,
/// summed over all periods.
inline std::vector<double> spline_slopes(double const* values, int size, int stride) {
    double const z = std::numbers::sqrt3 - 2;
    auto y = [&](int i) { return values[((i % size + size) % size) * stride]; };
    std::vector<double> slopes(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) {
            double const inverse =
                (std::pow(z, k) + std::pow(z, size - k)) / ((1 - std::pow(z, size)) * 2 * std::numbers::sqrt3);
            slopes[static_cast<std::size_t>(i)] += inverse * 3 * (y(i + k + 1) - y(i + k - 1));
        }
    return slopes;
}

}  // namespace detail

/// A periodic table of size² knots, each with the value f, its slopes along both axes and its mixed derivative, in
/// units of the spacing: the tensor product of periodic cubic splines.
class CmapTable {
public:
    /// `values[i + size*j]` is at phi = 2 pi i/size, psi = 2 pi j/size.
    CmapTable(int size, std::vector<double> const& values) : size_(size), knots_(values.size()) {
        auto column = [&](std::size_t member) {
            std::vector<double> result;
            for (auto const& knot : knots_) result.push_back(knot[member]);
            return result;
        };
        for (std::size_t n = 0; n < knots_.size(); ++n) knots_[n][0] = values[n];
        for (int line = 0; line < size; ++line) {
            put(1, line * size, 1, detail::spline_slopes(values.data() + line * size, size, 1));
            put(2, line, size, detail::spline_slopes(values.data() + line, size, size));
        }
        auto const along_phi = column(1);
        for (int line = 0; line < size; ++line)
            put(3, line, size, detail::spline_slopes(along_phi.data() + line, size, size));
    }

    /// Grid points along each angle.
    int size() const { return size_; }
    /// Value, both slopes and mixed derivative of each knot.
    std::vector<std::array<double, 4>> const& knots() const { return knots_; }

    /// The value at (phi, psi) and its derivatives by both.
    std::array<double, 3> operator()(double phi, double psi) const {
        Cell const a = cell(phi), b = cell(psi);
        std::array<double, 3> result{};
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                auto const& knot = knots_[static_cast<std::size_t>(a.index[i] + size_ * b.index[j])];
                for (std::size_t m = 0; m < 4; ++m) {
                    std::size_t const p = 2 * i + m % 2, q = 2 * j + m / 2;
                    result[0] += knot[m] * a.value[p] * b.value[q];
                    result[1] += knot[m] * a.slope[p] * b.value[q];
                    result[2] += knot[m] * a.value[p] * b.slope[q];
                }
            }
        double const per_radian = size_ / (2 * std::numbers::pi);
        return {result[0], result[1] * per_radian, result[2] * per_radian};
    }

private:
    // Hermite polynomials for value and slope at the left, then at the right end of a cell, and their derivatives.
    struct Cell {
        std::array<int, 2> index;
        std::array<double, 4> value, slope;
    };
    Cell cell(double angle) const {
        double const x = angle * size_ / (2 * std::numbers::pi), left = std::floor(x), t = x - left, u = 1 - t;
        int const index = (static_cast<int>(left) % size_ + size_) % size_;
        return {{index, (index + 1) % size_},
                {(1 + 2 * t) * u * u, t * u * u, t * t * (1 + 2 * u), -t * t * u},
                {-6 * t * u, u * (u - 2 * t), 6 * t * u, t * (t - 2 * u)}};
    }
    void put(std::size_t member, int first, int stride, std::vector<double> const& numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            knots_[static_cast<std::size_t>(first) + i * static_cast<std::size_t>(stride)][member] = numbers[i];
    }

    int size_;
    std::vector<std::array<double, 4>> knots_;
};

/// The formula of CMAP terms: E = map(phi, psi).
class CmapFormula {
public:
    /// Computes the spline of each map; `maps` have been checked.
    template <class Maps> explicit CmapFormula(Maps const& maps) {
        for (auto const& map : maps) tables_.emplace_back(map.size, map.energy);
    }

    /// Names of the formula's arguments: two angles [radian] and the index of the map.
    static constexpr std::array<std::string_view, 3> names() { return {"phi", "psi", "map"}; }

    /// One for each map of the force, in its order.
    std::vector<CmapTable> const& tables() const { return tables_; }

    /// Evaluates the formula. `T` is a number, a SIMD batch (evaluated lane by lane), or a traced number (generates a
    /// table look-up).
    template <class T> EnergyAndSlopes<T, 3> energy_and_slopes(std::array<T, 3> const& arguments) const {
        if constexpr (std::floating_point<T>) {
            auto const& table = tables_[static_cast<std::size_t>(arguments[2])];
            auto const [energy, by_phi, by_psi] = table(arguments[0], arguments[1]);
            return {static_cast<T>(energy), {static_cast<T>(by_phi), static_cast<T>(by_psi), T(0)}};
        } else if constexpr (requires { look_up_cmap(arguments[0], arguments[1], arguments[2]); }) {
            auto const [energy, by_phi, by_psi] = look_up_cmap(arguments[0], arguments[1], arguments[2]);
            return {energy, {by_phi, by_psi, T(0)}};
        } else {
            return lane_by_lane(arguments);
        }
    }

private:
    template <class T> EnergyAndSlopes<T, 3> lane_by_lane(std::array<T, 3> const& arguments) const {
        using Number = typename T::value_type;
        std::array<std::array<Number, T::size>, 3> in, out;
        for (std::size_t n = 0; n < 3; ++n) arguments[n].store_unaligned(in[n].data());
        for (std::size_t lane = 0; lane < T::size; ++lane) {
            auto const one = energy_and_slopes<Number>({in[0][lane], in[1][lane], in[2][lane]});
            out[0][lane] = one.energy;
            out[1][lane] = one.slopes[0];
            out[2][lane] = one.slopes[1];
        }
        return {T::load_unaligned(out[0].data()),
                {T::load_unaligned(out[1].data()), T::load_unaligned(out[2].data()), T(Number(0))}};
    }

    std::vector<CmapTable> tables_;
};

}  // namespace trotter
