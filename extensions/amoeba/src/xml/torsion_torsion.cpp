// Reads and writes AmoebaTorsionTorsionForce: versions 1 to 3.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <trotter/amoeba/torsion_torsion.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Knot = AmoebaTorsionTorsionForce::Knot;
using Grid = AmoebaTorsionTorsionForce::Grid;
using Term = AmoebaTorsionTorsionForce::Term;

constexpr auto knot_fields = std::tuple{Field{"f", &Knot::energy}, Field{"fx", &Knot::by_first},
                                        Field{"fy", &Knot::by_second}, Field{"fxy", &Knot::mixed}};
constexpr auto term_fields = std::tuple{Field{"chiralCheckAtomIndex", &Term::chiral}, Field{"gridIndex", &Term::grid}};

// A knot with its angles.
struct Point {
    double x = 0, y = 0;
    Knot knot{};
};
using Row = std::vector<Point>;

std::vector<Row> read_rows(XmlNode const& node) {
    std::vector<Row> rows;
    for (auto const row : node.items("RowNode")) {
        row.only({"dim"}, {"ColumnNode"});
        rows.emplace_back();
        for (auto const element : row.children()) {
            element.only({"dim", "x", "y", "f", "fx", "fy", "fxy"});
            Point point{element.number("x"), element.number("y")};
            read_fields(element, point.knot, knot_fields);
            rows.back().push_back(point);
        }
        if (rows.back().empty() || rows.back().size() != rows.front().size())
            row.fail("the row has " + std::to_string(rows.back().size()) + " columns, expected "
                     + std::to_string(std::max<std::size_t>(rows.front().size(), 2)));
    }
    if (rows.size() < 2) node.fail("the grid has " + std::to_string(rows.size()) + " rows, expected 2 or more");
    return rows;
}

// Rows are of equal first angle x, or of equal second angle y.
Grid grid_of(XmlNode const& node, std::vector<Row> const& rows) {
    bool const is_transposed = rows[0][0].x == rows[1][0].x;
    std::size_t const first = is_transposed ? rows[0].size() : rows.size(),
                      second = is_transposed ? rows.size() : rows[0].size();
    auto at = [&](std::size_t i, std::size_t j) { return is_transposed ? rows[j][i] : rows[i][j]; };
    Grid grid;
    for (std::size_t i = 0; i < first; ++i) grid.first.push_back(at(i, 0).x);
    for (std::size_t j = 0; j < second; ++j) grid.second.push_back(at(0, j).y);
    for (std::size_t i = 0; i < first; ++i)
        for (std::size_t j = 0; j < second; ++j) {
            auto const [x, y, knot] = at(i, j);
            if (x != grid.first[i] || y != grid.second[j])
                node.fail("the point at x = " + std::to_string(x) + ", y = " + std::to_string(y)
                          + " is expected at x = " + std::to_string(grid.first[i])
                          + ", y = " + std::to_string(grid.second[j]) + ", as others of its row and column");
            grid.knots.push_back(knot);
        }
    return grid;
}

Grid read_grid(XmlNode const& node) {
    Grid grid = grid_of(node, read_rows(node));
    try {
        check(grid);
    } catch (InputError const& error) {
        node.fail(error.what());
    }
    return grid;
}

Term read_term(XmlNode const& node, std::size_t grids, int particle_count) {
    node.only({"p1", "p2", "p3", "p4", "p5", "chiralCheckAtomIndex", "gridIndex"});
    Term term;
    detail::read_particles(node, term, AmoebaTorsionTorsionForce::particles, particle_count);
    term.chiral = node.integer<int>("chiralCheckAtomIndex", std::numeric_limits<int>::min(), particle_count - 1);
    term.grid = node.integer<int>("gridIndex", 0, static_cast<int>(grids) - 1);
    return term;
}

void write_grid(XmlWriter& xml, Grid const& grid) {
    xml.open("TorsionTorsionGrid");
    for (std::size_t i = 0; i < grid.first.size(); ++i) {
        xml.open("RowNode").attribute("dim", i);
        for (std::size_t j = 0; j < grid.second.size(); ++j) {
            xml.open("ColumnNode").attribute("dim", j).attribute("x", grid.first[i]).attribute("y", grid.second[j]);
            write_fields(xml, grid.knots[i * grid.second.size() + j], knot_fields);
            xml.close();
        }
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, AmoebaTorsionTorsionForce& force, int particle_count) {
    int const version = node.version(3);
    only_force(node, {"usesPeriodic"}, {"TorsionTorsionGrids", "TorsionTorsion"});
    force.periodic = boolean_since(3, version, node, "usesPeriodic");
    for (auto const grid : node.child("TorsionTorsionGrids").items("TorsionTorsionGrid"))
        force.grids.push_back(read_grid(grid));
    for (auto const term : node.child("TorsionTorsion").items("TorsionTorsion"))
        force.terms.push_back(read_term(term, force.grids.size(), particle_count));
}

void write(XmlWriter& xml, AmoebaTorsionTorsionForce const& force) {
    xml.attribute("version", 3).attribute("usesPeriodic", force.periodic).open("TorsionTorsionGrids");
    for (auto const& grid : force.grids) write_grid(xml, grid);
    xml.close().open("TorsionTorsion");
    for (auto const& term : force.terms) {
        xml.open("TorsionTorsion");
        detail::write_particles(xml, term, AmoebaTorsionTorsionForce::particles);
        write_fields(xml, term, term_fields);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
