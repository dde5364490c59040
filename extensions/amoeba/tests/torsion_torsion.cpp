// AmoebaTorsionTorsionForce: values of OpenMM 8.6, splines, gradients, virials, files, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <trotter/amoeba/torsion_torsion.hpp>
#include <trotter/io/forces.hpp>

#include "simulation.hpp"

using namespace trotter;

namespace amoeba_torsion_torsion_test {
namespace {

using Catch::Matchers::Contains;
using Vectors = std::vector<Vec3<>>;
using Grid = AmoebaTorsionTorsionForce::Grid;

Box const skewed{{2, 0, 0}, {0.6, 2, 0}, {-0.7, 0.8, 2}};

struct Simulated : KernelSimulation<AmoebaTorsionTorsionForce> {
    explicit Simulated(AmoebaTorsionTorsionForce const& force, std::size_t particles = 6, int threads = 1)
        : KernelSimulation(force, particles, skewed, threads) {}
};

std::vector<double> angles(int count, double first = -180) {
    std::vector<double> result;
    for (int n = 0; n < count; ++n) result.push_back(first + 360.0 * n / (count - 1));
    return result;
}
template <class Energy> Grid grid_of(int count, Energy const& energy, double first = -180) {
    auto const axis = angles(count, first);
    std::vector<double> energies;
    for (double const x : axis)
        for (double const y : axis) energies.push_back(energy(x, y));
    return Grid::fitted(axis, axis, energies);
}
double radians(double degrees) { return degrees * std::numbers::pi / 180; }
double uneven(double x, double y) { return std::sin(radians(x)) + 0.5 * y / 180 + 0.001 * x * y / 10; }

Vectors chain(double z = 0.2) {
    return {{0, 0, 0}, {0.15, 0.02, 0}, {0.2, 0.15, 0.05}, {0.33, 0.2, 0.01}, {0.4, 0.3, 0.12}, {0.15, 0.2, z}};
}
AmoebaTorsionTorsionForce one_term(Grid const& grid, int chiral = 5) {
    return {.grids = {grid}, .terms = {{0, 1, 2, 3, 4, chiral, 0}}};
}

std::string refusal(AmoebaTorsionTorsionForce const& force) {
    try {
        check(force, 6);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}
AmoebaTorsionTorsionForce read_text(std::string const& text) {
    auto const document = parse_xml(text, "test");
    return detail::read_force<AmoebaTorsionTorsionForce>(document.root("Force"), 6);
}
std::string written(AmoebaTorsionTorsionForce const& force) {
    XmlWriter xml;
    detail::write_force(xml, force);
    return xml.finish();
}
std::string file(int version, std::array<double, 8> const& xy) {
    std::string text = "<Force type=\"AmoebaTorsionTorsionForce\" version=\"" + std::to_string(version)
                       + "\"><TorsionTorsionGrids><TorsionTorsionGrid>";
    for (std::size_t row = 0; row < 2; ++row) {
        text += "<RowNode dim=\"" + std::to_string(row) + "\">";
        for (std::size_t column = 0; column < 2; ++column) {
            auto const n = 2 * row + column;
            text += "<ColumnNode dim=\"" + std::to_string(column) + "\" x=\"" + std::to_string(xy[2 * n]) + "\" y=\""
                    + std::to_string(xy[2 * n + 1]) + "\" f=\"" + std::to_string(n)
                    + "\" fx=\"0\" fy=\"0\" fxy=\"0\"/>";
        }
        text += "</RowNode>";
    }
    return text + "</TorsionTorsionGrid></TorsionTorsionGrids><TorsionTorsion/></Force>";
}

}  // namespace

TEST_CASE("energies of two torsions and of their mirror image", "[amoeba]") {
    struct Row {
        double z, energy;
        Vec3<> first, third;  // forces
    };
    // Computed with OpenMM 8.6; the substituent of particle 3 is on both sides.
    for (auto const& [z, energy, first, third] :
         {Row{0.2, 1.570128887076574, {-0.6640449611655579, 4.980337208741683, -12.284831781562819},
              {6.036691730571043, -5.396279798078488, 5.332515618589338}},
          Row{-0.2, 3.2099812315448495, {0.016452094904899184, -0.12339071178674384, 0.3043637557406348},
              {-4.097749113750421, 3.4858170719447132, -8.77357119509885}}}) {
        Simulated simulated(one_term(grid_of(13, uneven)));
        CHECK(simulated.energy(chain(z)) == Approx(energy).epsilon(1e-12));
        CHECK(norm(simulated.forces[0] - first) < 1e-11);
        CHECK(norm(simulated.forces[2] - third) < 1e-11);
    }
    CHECK(Simulated(one_term(grid_of(13, uneven), -1)).energy(chain(0.2))
          == Simulated(one_term(grid_of(13, uneven), -1)).energy(chain(-0.2)));
}

TEST_CASE("splines through the energies of a grid", "[amoeba]") {
    auto wave = [](double x, double y) { return std::cos(radians(x)) * (2 + std::cos(radians(2 * y))); };
    auto const periodic =
        grid_of(73, [&](double x, double y) { return wave(x == 180 ? -180 : x, y == 180 ? -180 : y); });
    double const unit = radians(1);
    for (std::size_t i : {0u, 7u, 30u, 72u})
        for (std::size_t j : {0u, 11u, 72u}) {
            auto const& knot = periodic.knots[i * 73 + j];
            double const x = radians(periodic.first[i]), y = radians(periodic.second[j]);
            CHECK(knot.by_first == Approx(-unit * std::sin(x) * (2 + std::cos(2 * y))).margin(1e-6));
            CHECK(knot.by_second == Approx(-2 * unit * std::cos(x) * std::sin(2 * y)).margin(1e-6));
            CHECK(knot.mixed == Approx(2 * unit * unit * std::sin(x) * std::sin(2 * y)).margin(1e-7));
        }
    // Natural splines reproduce bilinear energies, with any spacing.
    auto const natural =
        Grid::fitted({-180, -100, 20, 180}, {-180, 0, 180}, {1, 2, 3, 9, 10, 11, 21, 22, 23, 37, 38, 39});
    for (auto const& knot : natural.knots) {
        CHECK(knot.by_first == Approx(0.1));
        CHECK(knot.by_second == Approx(1 / 180.0));
        CHECK(knot.mixed == Approx(0).margin(1e-15));
    }
    // The smallest: constant, or linear.
    CHECK(Grid::fitted({-180, 180}, {-180, 180}, {1, 1, 1, 1}).knots[0].by_first == 0);
    CHECK(Grid::fitted({-180, 180}, {-180, 180}, {1, 1, 2, 2}).knots[3].by_first == Approx(1 / 360.0));
    CHECK_THROWS_WITH(Grid::fitted({-180, 180}, {-180, 180}, {1}), Contains("1 energies, expected 2 times 2"));
}

TEST_CASE("grids may begin at any angle", "[amoeba]") {
    auto wave = [](double x, double y) { return std::cos(radians(x)) + std::sin(radians(2 * y)); };
    double const expected = Simulated(one_term(grid_of(181, wave))).energy(chain());
    CHECK(Simulated(one_term(grid_of(181, wave, 0))).energy(chain()) == Approx(expected).epsilon(1e-5));
    CHECK(Simulated(one_term(grid_of(181, wave, -300))).energy(chain()) == Approx(expected).epsilon(1e-5));
}

TEST_CASE("gradient and virial of torsion pairs across periodic boundaries", "[amoeba]") {
    auto force = one_term(grid_of(25, uneven));
    force.periodic = true;
    Simulated simulated(force);
    auto positions = chain();
    for (auto& x : positions) x += Vec3<>{1.8, 1.9, 1.95};
    double const inside = simulated.energy(positions);
    positions[2] -= skewed.a;
    positions[3] -= skewed.c;
    positions[5] += skewed.b;
    simulated.host.box_virial = Tensor{};
    CHECK(simulated.energy(positions) == Approx(inside));
    Tensor virial = *simulated.host.box_virial;
    simulated.host.box_virial.reset();
    auto const forces = simulated.forces;
    double const h = 1e-6;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        virial += outer(forces[i], positions[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto energy = [&](double shift) {
                auto moved = positions;
                moved[i][axis] += shift;
                return simulated.energy(moved);
            };
            CHECK(forces[i][axis] == Approx((energy(-h) - energy(h)) / (2 * h)).margin(1e-6));
        }
    }
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = row; column < 3; ++column) {
            auto energy = [&](double strain) {
                auto strained = [&](Vec3<> v) {
                    double const other = v[column];
                    v[row] += strain * other;
                    return v;
                };
                auto moved = positions;
                for (auto& x : moved) x = strained(x);
                simulated.host.box = {strained(skewed.a), strained(skewed.b), strained(skewed.c)};
                return simulated.energy(moved);
            };
            CHECK(virial[row][column] == Approx((energy(-h) - energy(h)) / (2 * h)).margin(1e-6));
        }
}

TEST_CASE("collinear, half-turn and undefined torsion pairs", "[amoeba]") {
    Simulated simulated(one_term(grid_of(13, uneven), -1));
    auto positions = chain();
    positions[0] = {0.1, -0.11, -0.05};  // in line with the next two
    positions[1] = {0.15, 0.02, 0};
    CHECK(std::isfinite(simulated.energy(positions)));
    CHECK(simulated.energy({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {3, 1, 1}, {}}) == 0);
    CHECK(simulated.forces == Vectors(6));
    // Both angles of a planar zigzag are 180 degrees, at the end of the grid.
    CHECK(std::isfinite(simulated.energy({{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {}})));
    positions[3].y = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(simulated.energy(positions)));
}

TEST_CASE("torsion pairs do not depend on threads", "[amoeba]") {
    AmoebaTorsionTorsionForce force{.grids = {grid_of(25, uneven)}};
    Vectors positions;
    for (int n = 0; n < 400; ++n) positions.push_back({0.1 * n, 0.1 * std::sin(2.0 * n), 0.1 * std::cos(3.0 * n)});
    for (int n = 0; n + 5 < 400; ++n)
        force.terms.push_back({n, n + 1, n + 2, n + 3, n + 4, n % 2 == 0 ? n + 5 : -1, 0});
    Simulated one(force, 400), four(force, 400, 4);
    CHECK(one.energy(positions) == four.energy(positions));
    CHECK(one.forces == four.forces);
}

TEST_CASE("invalid torsion pairs", "[amoeba]") {
    auto refused = [](auto const& change) {
        auto force = one_term(grid_of(3, uneven));
        change(force);
        return refusal(force);
    };
    CHECK(refused([](auto&) {}).empty());
    CHECK_THAT(refused([](auto& f) { f.terms[0].particle5 = 6; }), Contains("Term 0: there is no particle 6"));
    CHECK_THAT(refused([](auto& f) { f.terms[0].chiral = 6; }), Contains("Term 0: there is no particle 6"));
    CHECK_THAT(refused([](auto& f) { f.terms[0].grid = 1; }), Contains("Term 0: there is no grid 1; the force has 1"));
    CHECK_THAT(refused([](auto& f) { f.grids[0].first = {0}; }), Contains("Grid 0: the grid has 1 first angles"));
    CHECK_THAT(refused([](auto& f) { f.grids[0].second[1] = -180; }), Contains("second angle 1 of the grid is -180"));
    CHECK_THAT(refused([](auto& f) { f.grids[0].first[2] = 170; }), Contains("expected 360 degrees"));
    CHECK_THAT(refused([](auto& f) { f.grids[0].knots.pop_back(); }), Contains("8 energies, expected 3 times 3"));
    CHECK_THAT(refused([](auto& f) { f.grids[0].knots[4].mixed = NAN; }),
               Contains("point 4 has an energy or derivative of nan"));
}

TEST_CASE("files of torsion pairs", "[amoeba]") {
    auto const text = written(one_term(grid_of(5, uneven)));
    CHECK(written(read_text(text)) == text);
    auto const rows = read_text(file(1, {-180, -180, -180, 180, 180, -180, 180, 180})).grids[0],
               transposed = read_text(file(2, {-180, -180, 180, -180, -180, 180, 180, 180})).grids[0];
    CHECK(rows.knots[1].energy == 1);
    CHECK(transposed.knots[1].energy == 2);
    CHECK_THROWS_WITH(read_text(file(2, {-180, -180, -180, 180, 180, -180, 180, 170})), Contains("is expected at"));
    CHECK_THROWS_WITH(read_text(file(2, {-90, -180, -90, 180, 90, -180, 90, 180})), Contains("expected 360 degrees"));
    CHECK_THROWS_WITH(read_text(file(3, {-180, -180, -180, 180, 180, -180, 180, 180})), Contains("usesPeriodic"));
    CHECK_THROWS_WITH(read_text("<Force type=\"AmoebaTorsionTorsionForce\" version=\"1\"><TorsionTorsionGrids>"
                                "<TorsionTorsionGrid/></TorsionTorsionGrids><TorsionTorsion/></Force>"),
                      Contains("0 rows, expected 2 or more"));
}

}  // namespace amoeba_torsion_torsion_test
