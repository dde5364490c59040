// AmoebaTorsionTorsionForce: bicubic interpolation in grids of two dihedral angles.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/torsion_torsion.hpp>
#include <trotter/common/fallback/define_host_kernel.hpp>
#include <trotter/common/forces/box_virial.hpp>
#include <trotter/tables/spline.hpp>

namespace trotter {
namespace {

using Grid = AmoebaTorsionTorsionForce::Grid;
using Knot = AmoebaTorsionTorsionForce::Knot;
using Numbers = std::vector<double>;

constexpr double degrees_per_radian = 180 / std::numbers::pi;
constexpr double closure = 1e-6;  // accepted error of 360 degrees, from angles given with few digits

void check_angles(Numbers const& angles, std::string const& axis) {
    if (angles.size() < 2)
        throw InputError("the grid has " + std::to_string(angles.size()) + ' ' + axis + " angles, expected 2 or more");
    for (std::size_t n = 1; n < angles.size(); ++n)
        if (!(angles[n] > angles[n - 1]))
            throw InputError("the " + axis + " angle " + std::to_string(n) + " of the grid is "
                             + std::to_string(angles[n]) + " degrees, expected more than the one before, "
                             + std::to_string(angles[n - 1]));
    if (!(std::abs(angles.back() - angles.front() - 360) <= closure))
        throw InputError("the " + axis + " angles of the grid are from " + std::to_string(angles.front()) + " to "
                         + std::to_string(angles.back()) + " degrees, expected 360 degrees from the first to the last");
}
void check_count(Grid const& grid, std::size_t count) {
    if (count != grid.first.size() * grid.second.size())
        throw InputError("the grid has " + std::to_string(count) + " energies, expected "
                         + std::to_string(grid.first.size()) + " times " + std::to_string(grid.second.size()));
}

/// Row n of a tridiagonal system: before s[n-1] + at s[n] + after s[n+1] = right.
struct Row {
    double before, at, after, right;
};

/// Rows 0 to `count` - 1 solved by elimination.
Numbers solve(std::vector<Row> rows, std::size_t count) {
    for (std::size_t n = 1; n < count; ++n) {
        double const factor = rows[n].before / rows[n - 1].at;
        rows[n].at -= factor * rows[n - 1].after;
        rows[n].right -= factor * rows[n - 1].right;
    }
    Numbers result(count);
    for (std::size_t n = count; n-- > 0;)
        result[n] = (rows[n].right - (n + 1 < count ? rows[n].after * result[n + 1] : 0)) / rows[n].at;
    return result;
}

/// The same with s[-1] = s[count-1] and s[count] = s[0]: the other unknowns are linear functions of the last one.
Numbers solve_cyclic(std::vector<Row> rows) {
    std::size_t const last = rows.size() - 1;
    Row const end = rows[last];
    if (last == 0) return {end.right / (end.before + end.at + end.after)};
    Numbers constant = solve(rows, last);
    for (std::size_t n = 0; n < last; ++n)
        rows[n].right = (n == 0 ? -rows[n].before : 0) - (n + 1 == last ? rows[n].after : 0);
    Numbers const slope = solve(rows, last);
    double const value = (end.right - end.before * constant[last - 1] - end.after * constant[0])
                         / (end.at + end.before * slope[last - 1] + end.after * slope[0]);
    for (std::size_t n = 0; n < last; ++n) constant[n] += slope[n] * value;
    constant.push_back(value);
    return constant;
}

/// Derivatives at the knots of the cubic spline through (x, y) with continuous second derivative, periodic or with zero
/// second derivatives at the ends.
Numbers spline_slopes(Numbers const& x, Numbers const& y, bool is_periodic) {
    std::size_t const intervals = x.size() - 1;
    auto inverse = [&](std::size_t n) { return 1 / (x[n + 1] - x[n]); };
    auto chord = [&](std::size_t n) { return (y[n + 1] - y[n]) * inverse(n); };
    auto row = [&](std::size_t before, std::size_t n) {
        double const a = inverse(before), b = inverse(n);
        return Row{a, 2 * (a + b), b, 3 * (chord(before) * a + chord(n) * b)};
    };
    std::vector<Row> rows;
    if (is_periodic) rows.push_back(row(intervals - 1, 0));
    else rows.push_back({0, 2, 1, 3 * chord(0)});
    for (std::size_t n = 1; n < intervals; ++n) rows.push_back(row(n - 1, n));
    if (!is_periodic) {
        rows.push_back({1, 2, 0, 3 * chord(intervals - 1)});
        return solve(rows, rows.size());
    }
    auto slopes = solve_cyclic(rows);
    slopes.push_back(slopes[0]);
    return slopes;
}

/// Energy [kJ/mol] and derivatives by both angles [kJ/mol/radian].
struct GridValue {
    double energy, by_phi, by_psi;
};

/// The interval with an angle, its width, and the position in it from 0 to 1. NaN is in the last one.
struct Cell {
    Cell(Numbers const& angles, double radians) {
        double const degrees = radians * degrees_per_radian,
                     angle = degrees - 360 * std::floor((degrees - angles.front()) / 360);
        auto const above = std::upper_bound(angles.begin() + 1, angles.end() - 1, angle);
        begin = static_cast<std::size_t>(above - angles.begin()) - 1;
        width = angles[begin + 1] - angles[begin];
        t = (angle - angles[begin]) / width;
    }
    std::size_t begin;
    double width, t;
};

GridValue interpolate(Grid const& grid, double phi, double psi) {
    Cell const a(grid.first, phi), b(grid.second, psi);
    Hermite<double> const p(a.t), q(b.t);
    GridValue result{0, 0, 0};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            auto const& [energy, by_first, by_second, mixed] =
                grid.knots[(a.begin + i) * grid.second.size() + b.begin + j];
            std::array const weights{energy, by_first * a.width, by_second * b.width, mixed * a.width * b.width};
            for (std::size_t m = 0; m < 4; ++m) {
                std::size_t const x = 2 * i + m % 2, y = 2 * j + m / 2;
                result.energy += weights[m] * p.value[x] * q.value[y];
                result.by_phi += weights[m] * p.slope[x] * q.value[y];
                result.by_psi += weights[m] * p.value[x] * q.slope[y];
            }
        }
    result.by_phi *= degrees_per_radian / a.width;
    result.by_psi *= degrees_per_radian / b.width;
    return result;
}

}  // namespace

Grid Grid::fitted(Numbers first, Numbers second, Numbers const& energies) {
    Grid grid{std::move(first), std::move(second)};
    check_angles(grid.first, "first");
    check_angles(grid.second, "second");
    check_count(grid, energies.size());
    grid.knots.resize(energies.size());
    std::size_t const rows = grid.first.size(), columns = grid.second.size();
    bool is_periodic = true;
    for (std::size_t i = 0; i < rows; ++i)
        is_periodic = is_periodic && energies[i * columns] == energies[(i + 1) * columns - 1];
    for (std::size_t j = 0; j < columns; ++j)
        is_periodic = is_periodic && energies[j] == energies[(rows - 1) * columns + j];
    for (std::size_t n = 0; n < energies.size(); ++n) grid.knots[n].energy = energies[n];
    // Derives every line of knots along an axis.
    auto derive = [&](Numbers const& angles, std::size_t lines, std::size_t step, std::size_t next_line,
                      double Knot::* from, double Knot::* to) {
        for (std::size_t line = 0; line < lines; ++line) {
            auto knot = [&](std::size_t n) -> Knot& { return grid.knots[line * next_line + n * step]; };
            Numbers values;
            for (std::size_t n = 0; n < angles.size(); ++n) values.push_back(knot(n).*from);
            auto const slopes = spline_slopes(angles, values, is_periodic);
            for (std::size_t n = 0; n < angles.size(); ++n) knot(n).*to = slopes[n];
        }
    };
    derive(grid.first, columns, columns, 1, &Knot::energy, &Knot::by_first);
    derive(grid.second, rows, 1, columns, &Knot::energy, &Knot::by_second);
    derive(grid.first, columns, columns, 1, &Knot::by_second, &Knot::mixed);
    return grid;
}

void check(Grid const& grid) {
    check_angles(grid.first, "first");
    check_angles(grid.second, "second");
    check_count(grid, grid.knots.size());
    for (std::size_t n = 0; n < grid.knots.size(); ++n)
        for (auto const member : std::array{&Knot::energy, &Knot::by_first, &Knot::by_second, &Knot::mixed})
            if (!std::isfinite(grid.knots[n].*member))
                throw InputError("the grid's point " + std::to_string(n) + " has an energy or derivative of "
                                 + std::to_string(grid.knots[n].*member) + ", expected finite numbers");
}

void check(AmoebaTorsionTorsionForce const& force, int particle_count) {
    for (std::size_t n = 0; n < force.grids.size(); ++n) try {
            check(force.grids[n]);
        } catch (InputError const& error) {
            throw InputError("Grid " + std::to_string(n) + ": " + error.what());
        }
    for (std::size_t n = 0; n < force.terms.size(); ++n) {
        auto const& term = force.terms[n];
        Numbered const where{"Term", n};
        for (auto const particle : AmoebaTorsionTorsionForce::particles)
            check_particle(term.*particle, particle_count, where);
        if (term.chiral >= 0) check_particle(term.chiral, particle_count, where);
        if (term.grid < 0 || static_cast<std::size_t>(term.grid) >= force.grids.size())
            throw InputError(where + (": there is no grid " + std::to_string(term.grid) + "; the force has "
                                      + std::to_string(force.grids.size()) + ", counted from 0"));
    }
}

template <> class HostKernel<AmoebaTorsionTorsionForce>::Implementation {
public:
    Implementation(AmoebaTorsionTorsionForce const& force, HostState& host, Registration) { update(force, host); }

    double compute(HostEvaluation const& evaluation) {
        auto& host = evaluation.host;
        results_.resize(force_.terms.size());
        host.threads.for_ranges(
            results_.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t n = begin; n < end; ++n)
                    results_[n] = evaluate(force_.terms[n], evaluation.positions, host.box);
            },
            64);
        double energy = 0;
        for (std::size_t n = 0; n < results_.size(); ++n) {
            energy += results_[n].energy;
            for (std::size_t p = 0; p < 5; ++p)
                evaluation.forces[index(force_.terms[n], p)] += results_[n].forces[p];
            if (host.box_virial) *host.box_virial += results_[n].virial;
        }
        return energy;
    }

    /// Updates all parameters.
    void update(AmoebaTorsionTorsionForce const& force, HostState& host) {
        check(force, host.particles.count());
        force_ = force;
    }

private:
    using Term = AmoebaTorsionTorsionForce::Term;

    struct Result {
        double energy = 0;
        std::array<Vec3<>, 5> forces{};
        Tensor virial{};  // of periodic images
    };

    static std::size_t index(Term const& term, std::size_t p) {
        return static_cast<std::size_t>(term.*AmoebaTorsionTorsionForce::particles[p]);
    }

    Result evaluate(Term const& term, std::vector<Vec3<>> const& positions, Box const& box) const {
        auto direct = [&](int i, int j) {
            return positions[index(term, static_cast<std::size_t>(i))]
                   - positions[index(term, static_cast<std::size_t>(j))];
        };
        auto nearest = [&](Vec3<> const& d) { return force_.periodic ? box.minimum_image(d) : d; };
        auto difference = [&](int i, int j) { return nearest(direct(i, j)); };
        for (int p = 0; p < 3; ++p)
            if (Vec3<> const normal = cross(difference(p + 1, p), difference(p + 2, p + 1)); dot(normal, normal) == 0)
                return {};
        double hand = 1;
        if (term.chiral >= 0) {
            Vec3<> const substituent =
                nearest(positions[static_cast<std::size_t>(term.chiral)] - positions[index(term, 2)]);
            if (dot(substituent, cross(difference(1, 2), difference(3, 2))) < 0) hand = -1;
        }
        auto const phi = AmoebaTorsionTorsionForce::phi.vary<double>(difference),
                   psi = AmoebaTorsionTorsionForce::psi.vary<double>(difference);
        auto const value =
            interpolate(force_.grids[static_cast<std::size_t>(term.grid)], hand * phi.value, hand * psi.value);
        Result result{.energy = value.energy};
        for (std::size_t p = 0; p < 4; ++p) {
            result.forces[p] -= phi.gradient[p] * (hand * value.by_phi);
            result.forces[p + 1] -= psi.gradient[p] * (hand * value.by_psi);
        }
        if (force_.periodic) {
            auto image_after = [&](int offset) {
                return [&difference, &direct, offset](int i, int j) {
                    return difference(i + offset, j + offset) - direct(i + offset, j + offset);
                };
            };
            result.virial = image_slopes(phi.gradient, image_after(0)) * (-hand * value.by_phi)
                            + image_slopes(psi.gradient, image_after(1)) * (-hand * value.by_psi);
        }
        return result;
    }

    AmoebaTorsionTorsionForce force_;
    std::vector<Result> results_;  // of each term
};

template class HostKernel<AmoebaTorsionTorsionForce>;

}  // namespace trotter
