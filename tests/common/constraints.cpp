// Constraints satisfy their distances, act only along them, and conserve momentum and angular momentum.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "folder.hpp"
#include "largest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <trotter/common/constraints.hpp>
#include <trotter/common/constraints/general.hpp>
#include <trotter/error.hpp>

using namespace trotter;

namespace {

using Vectors = std::vector<Vec3<>>;

std::mt19937_64 generator{42};

double uniform(double from, double to) { return std::uniform_real_distribution<double>{from, to}(generator); }

Vec3<> random_vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

Vectors displaced(Vectors values, double size) {
    for (auto& value : values) value += random_vector(size);
    return values;
}

/// Particles with constraints, all satisfied at `positions`.
struct Cluster {
    Particles particles;
    Vectors positions;

    int add(Vec3<> const& position, double mass = uniform(1, 16)) {
        particles.masses.push_back(mass);
        positions.push_back(position);
        return particles.count() - 1;
    }
    void tie(int i, int j) {
        particles.constraints.push_back(
            {i, j, norm(positions[static_cast<std::size_t>(i)] - positions[static_cast<std::size_t>(j)])});
    }
};

/// Points at typical interatomic distances, no three of them nearly collinear.
Vectors const sites{{0, 0, 0},         {0.11, 0, 0}, {-0.03, 0.1, 0.02}, {-0.05, -0.06, 0.09}, {-0.04, -0.05, -0.1},
                    {0.13, 0.12, 0.04}};

Cluster cluster_of(std::vector<std::pair<int, int>> const& pairs) {
    Cluster cluster;
    int size = 0;
    for (auto const& [i, j] : pairs) size = std::max({size, i + 1, j + 1});
    for (int i = 0; i < size; ++i) cluster.add(sites[static_cast<std::size_t>(i)] + random_vector(0.01));
    for (auto const& [i, j] : pairs) cluster.tie(i, j);
    return cluster;
}

struct Shape {
    std::string name;
    std::vector<std::pair<int, int>> pairs;
};
std::vector<Shape> const shapes{
    {"pair", {{0, 1}}},
    {"angle", {{0, 1}, {2, 0}}},
    {"star of three", {{0, 1}, {2, 0}, {0, 3}}},
    {"scalene triangle", {{0, 1}, {2, 0}, {1, 2}}},
    {"star of four", {{0, 1}, {2, 0}, {0, 3}, {4, 0}}},
    {"chain", {{1, 0}, {0, 2}, {1, 5}}},
    {"ring", {{0, 1}, {1, 5}, {5, 2}, {2, 0}}},
    {"triangle with a tail", {{0, 1}, {0, 2}, {1, 2}, {1, 5}}},
    {"tetrahedron", {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"rigid methyl", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {2, 3}, {2, 4}, {3, 4}}},
    {"one constraint too many", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
};

double worst_distance(Particles const& particles, Vectors const& x) {
    double worst = 0;
    for (auto const& [i, j, distance] : particles.constraints)
        worst = worst_of(
            worst, std::abs(norm(x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)]) / distance - 1));
    return worst;
}

double worst_stretching(Particles const& particles, Vectors const& x, Vectors const& v) {
    double worst = 0;
    for (auto const& [i, j, distance] : particles.constraints) {
        auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        worst = worst_of(worst, std::abs(dot(x[a] - x[b], v[a] - v[b])) / distance);
    }
    return worst;
}

/// |Σ m (after - before)| and |Σ m x × (after - before)|, whichever is larger.
double momentum_change(Particles const& particles, Vectors const& x, Vectors const& before, Vectors const& after) {
    Vec3<> momentum, angular_momentum;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Vec3<> const change = particles.masses[i] * (after[i] - before[i]);
        momentum += change;
        angular_momentum += cross(x[i], change);
    }
    return std::max(norm(momentum), norm(angular_momentum));
}

/// Many separate clusters, so that SIMD lanes and tasks are filled unevenly.
Cluster many_clusters(int copies) {
    Cluster all;
    for (int copy = 0; copy < copies; ++copy)
        for (auto const& shape : shapes) {
            auto const one = cluster_of(shape.pairs);
            int const first = all.particles.count();
            Vec3<> const shift = random_vector(5);
            for (std::size_t i = 0; i < one.positions.size(); ++i)
                all.add(one.positions[i] + shift, one.particles.masses[i]);
            for (auto const& c : one.particles.constraints) all.tie(first + c.particle1, first + c.particle2);
        }
    return all;
}

struct Example {
    Particles particles;
    Vectors positions, velocities, constrained_positions, constrained_velocities;
};

/// Reference data written by common/data/make_data.py.
Example read_example(std::string const& name) {
    std::ifstream in(std::filesystem::path(tests_folder()) / "common" / "data" / (name + ".txt"));
    REQUIRE(in);
    std::size_t particles = 0, pairs = 0;
    in >> particles >> pairs;
    Example e;
    for (std::size_t i = 0; i < particles; ++i) {
        in >> e.particles.masses.emplace_back();
        for (auto* column : {&e.positions, &e.velocities, &e.constrained_positions, &e.constrained_velocities}) {
            Vec3<>& value = column->emplace_back();
            in >> value.x >> value.y >> value.z;
        }
    }
    for (std::size_t n = 0; n < pairs; ++n) {
        auto& c = e.particles.constraints.emplace_back();
        in >> c.particle1 >> c.particle2 >> c.distance;
    }
    REQUIRE(in);
    return e;
}

}  // namespace

TEST_CASE("every arrangement of constraints is solved to rounding", "[constraints]") {
    Threads threads;
    for (auto const& shape : shapes)
        for (double size : {1e-4, 1e-3, 1e-2, 0.02})
            for (int repetition = 0; repetition < 50; ++repetition) {
                CAPTURE(shape.name, size, repetition);
                auto const cluster = cluster_of(shape.pairs);
                // Redundant constraints have large opposing forces, which cancel.
                double const momentum_limit = shape.pairs.size() > 9 ? 1e-9 : 1e-14;
                ConstraintSolver const solver(cluster.particles);
                auto const before = displaced(cluster.positions, size);
                auto x = before;
                solver.apply_to_positions(cluster.positions, x, 1e-13, threads);
                REQUIRE(worst_distance(cluster.particles, x) < 2e-13);
                REQUIRE(momentum_change(cluster.particles, cluster.positions, before, x) < momentum_limit);

                auto const velocities = displaced(Vectors(x.size()), 2);
                auto v = velocities;
                solver.apply_to_velocities(x, v, 1e-5, threads);
                REQUIRE(worst_stretching(cluster.particles, x, v) < 1e-12);
                REQUIRE(momentum_change(cluster.particles, x, velocities, v) < 1e-12);
                auto again = v;
                solver.apply_to_velocities(x, again, 1e-5, threads);
                REQUIRE(largest_difference(v, again) < 1e-12);
            }
}

TEST_CASE("special solvers and the general one agree", "[constraints]") {
    Threads threads;
    for (auto const& shape : shapes)
        for (int repetition = 0; repetition < 50; ++repetition) {
            CAPTURE(shape.name, repetition);
            auto const cluster = cluster_of(shape.pairs);
            ConstraintNetwork const general(constraint_clusters(cluster.particles).front(), cluster.particles.masses);
            ConstraintSolver const solver(cluster.particles);
            // The constraints need not be satisfied at the start.
            auto const start = displaced(cluster.positions, repetition % 2 ? 0 : 0.005);
            auto x = displaced(start, 0.01), v = displaced(Vectors(start.size()), 2);
            auto general_x = x, general_v = v;
            solver.apply_to_positions(start, x, 1e-14, threads);
            general.apply_to_positions(start, general_x.data(), 1e-14);
            CHECK(largest_difference(x, general_x) < 2e-14);
            solver.apply_to_velocities(start, v, 1e-14, threads);
            general.apply_to_velocities(start.data(), general_v.data());
            CHECK(largest_difference(v, general_v) < 1e-12);
        }
}

TEST_CASE("displacements of half a bond are put right", "[constraints]") {
    Threads threads;
    for (auto const& shape : shapes) {
        int solved = 0;
        for (int repetition = 0; repetition < 200; ++repetition) {
            CAPTURE(shape.name, repetition);
            auto const cluster = cluster_of(shape.pairs);
            auto x = displaced(cluster.positions, 0.05 / std::sqrt(3.0));
            try {
                ConstraintSolver(cluster.particles).apply_to_positions(cluster.positions, x, 1e-12, threads);
                ++solved;
                REQUIRE(worst_distance(cluster.particles, x) < 2e-12);
            } catch (SimulationError const&) {
                // A light centre can be moved to where no displacement along the initial directions satisfies all
                // three.
                CHECK(shape.pairs.size() > 1);
            }
        }
        CHECK(solved > 190);
    }
}

TEST_CASE("results agree with OpenMM's", "[constraints]") {
    // OpenMM rounds the lengths of a rigid water to float32: 5e-9 nm.
    for (auto const& [name, limit, velocity_limit] :
         {std::tuple{"constraints_dipeptide", 1e-11, 1e-9}, {"constraints_water", 1e-8, 1e-6}}) {
        CAPTURE(name);
        auto const example = read_example(name);
        ConstraintSolver const solver(example.particles);
        Threads threads;
        auto x = example.positions;
        solver.apply_to_positions(example.positions, x, 1e-12, threads);
        CHECK(largest_difference(x, example.constrained_positions) < limit);
        auto v = example.velocities;
        solver.apply_to_velocities(example.constrained_positions, v, 1e-12, threads);
        CHECK(largest_difference(v, example.constrained_velocities) < velocity_limit);
    }
}

TEST_CASE("a stiff lattice of constraints converges", "[constraints]") {
    Cluster diamond;
    int const cells = 3;
    for (int x = 0; x < cells; ++x)
        for (int y = 0; y < cells; ++y)
            for (int z = 0; z < cells; ++z)
                for (Vec3<> site :
                     {Vec3<>{0, 0, 0}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {1, 1, 1}, {3, 3, 1}, {3, 1, 3}, {1, 3, 3}})
                    diamond.add((site + 4.0 * Vec3<>{double(x), double(y), double(z)}) * 0.0892, 12);
    for (int i = 0; i < diamond.particles.count(); ++i)
        for (int j = 0; j < i; ++j)
            if (norm(diamond.positions[static_cast<std::size_t>(i)] - diamond.positions[static_cast<std::size_t>(j)])
                < 0.16)
                diamond.tie(i, j);
    REQUIRE(diamond.particles.constraints.size() > 330);
    ConstraintSolver const solver(diamond.particles);
    Threads threads;
    auto const before = displaced(diamond.positions, 0.01);
    auto x = before;
    solver.apply_to_positions(diamond.positions, x, 1e-13, threads);
    CHECK(worst_distance(diamond.particles, x) < 2e-13);
    CHECK(momentum_change(diamond.particles, diamond.positions, before, x) < 1e-11);
    auto v = displaced(Vectors(x.size()), 1);
    solver.apply_to_velocities(x, v, 1e-5, threads);
    CHECK(worst_stretching(diamond.particles, x, v) < 1e-12);
}

TEST_CASE("a long chain is solved far from the origin", "[constraints]") {
    Cluster chain;
    for (int i = 0; i < 3000; ++i) chain.add({50 + 0.1 * i, 50 + 0.05 * (i % 2), 0.02 * (i % 3)});
    for (int i = 1; i < 3000; ++i) chain.tie(i - 1, i);
    Threads threads;
    auto x = displaced(chain.positions, 0.005);
    ConstraintSolver(chain.particles).apply_to_positions(chain.positions, x, 1e-13, threads);
    CHECK(worst_distance(chain.particles, x) < 1e-12);  // 1e-13 in differences, the rounding of positions of 350 nm
}

TEST_CASE("the number of threads changes no bit of constrained positions and velocities", "[constraints]") {
    auto const all = many_clusters(700);
    ConstraintSolver const solver(all.particles);
    auto const moved = displaced(all.positions, 0.005), velocities = displaced(Vectors(moved.size()), 2);
    Vectors first_x, first_v;
    for (int count : {1, 2, 3, 4, 7}) {
        Threads threads(count);
        auto x = moved, v = velocities;
        solver.apply_to_positions(all.positions, x, 1e-12, threads);
        solver.apply_to_velocities(x, v, 1e-12, threads);
        if (count == 1) {
            CHECK(worst_distance(all.particles, x) < 2e-12);
            CHECK(worst_stretching(all.particles, x, v) < 1e-12);
            first_x = x;
            first_v = v;
        }
        CHECK(x == first_x);
        CHECK(v == first_v);
    }
}

TEST_CASE("Blocks cut no cluster, and one after the other they are all constraints", "[constraints]") {
    auto all = many_clusters(100);
    auto const far = all.particles.count() - 1;
    SECTION("clusters of neighbours") {}
    SECTION("one from the first third to the last particle") { all.tie(far / 3, far); }
    ConstraintSolver const solver(all.particles);
    Threads threads;
    auto const moved = displaced(all.positions, 0.005), velocities = displaced(Vectors(moved.size()), 2);
    auto x = moved, v = velocities, block_x = moved, block_v = velocities;
    solver.apply_to_positions(all.positions, x, 1e-12, threads);
    solver.apply_to_velocities(x, v, 1e-12, threads);
    std::size_t reached = 0;
    std::vector<std::size_t> block_of;
    for (std::size_t n = 0; n < solver.blocks(); ++n) {
        auto const block = solver.block(n);
        CHECK((block.begin == reached && block.end > block.begin));
        reached = block.end;
        block_of.resize(reached, n);
        solver.apply_to_positions(block, all.positions.data() + block.begin, block_x.data(), 1e-12);
        solver.apply_to_velocities(block, block_x.data(), block_v.data());
    }
    CHECK(solver.blocks() > 1);
    CHECK(reached == all.positions.size());
    for (auto const& c : all.particles.constraints)
        CHECK(block_of[static_cast<std::size_t>(c.particle1)] == block_of[static_cast<std::size_t>(c.particle2)]);
    CHECK(block_x == x);
    CHECK(block_v == v);
}

TEST_CASE("constraints between massless particles are ignored", "[constraints]") {
    Particles const particles{{0, 0, 12, 1, 1, 0}, {{0, 1, 0.1}, {3, 2, 0.2}, {2, 4, 0.3}, {1, 5, 0.1}}, {}};
    ConstraintSolver const solver(particles);
    CHECK(solver.count() == 2);
    CHECK_FALSE(solver.empty());
    CHECK(solver.clusters() == std::vector<std::vector<int>>{{2, 3, 4}});
    CHECK(ConstraintSolver(Particles{{0, 0}, {{0, 1, 0.1}}, {}}).empty());

    Vectors const start{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0.2, 0}, {2.3, 0, 0}, {3, 3, 3}};
    auto x = start;
    x[3].y = 0.25;
    Threads threads;
    solver.apply_to_positions(start, x, 1e-12, threads);
    for (std::size_t i : {0u, 1u, 5u}) CHECK(x[i] == start[i]);
    CHECK(norm(x[3] - x[2]) == Approx(0.2).epsilon(1e-12));
}

TEST_CASE("a constraint that cannot be satisfied is named", "[constraints]") {
    Threads threads;
    auto const message = [&](Particles const& particles, Vectors const& start, Vectors x) -> std::string {
        try {
            ConstraintSolver(particles).apply_to_positions(start, x, 1e-5, threads);
        } catch (SimulationError const& error) {
            return error.what();
        }
        return "";
    };
    Vectors const start{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0.1, 0.1, 0}};
    auto sideways = start;
    sideways[1] = {0, 0, 0.3};
    Particles const pair{{1, 1, 1, 1}, {{2, 3, 0.1}, {0, 1, 0.1}}, {}};
    CHECK_THAT(message(pair, start, sideways),
               Catch::Contains("constraint 1 between particles 0 and 1 could not be satisfied")
                   && Catch::Contains("expected 0.1 nm"));
    Particles const ring{{1, 1, 1, 1}, {{0, 1, 0.1}, {1, 3, 0.1}, {3, 2, 0.1}, {2, 0, 0.1}}, {}};
    CHECK_THAT(message(ring, start, sideways), Catch::Contains("could not be satisfied"));
    Particles const triangle{{1, 1, 1, 1}, {{0, 1, 0.1}, {0, 2, 0.1}, {1, 2, 0.1 * std::sqrt(2.0)}}, {}};
    CHECK_THAT(message(triangle, start, sideways),
               Catch::Contains("particles 0, 1 and 2 a rigid triangle cannot be satisfied"));
    auto not_a_number = start;
    not_a_number[0].x = NAN;
    for (auto const* particles : {&pair, &ring, &triangle}) CHECK(message(*particles, start, not_a_number) != "");
}

TEST_CASE("A flat ring with more constraints than it can have free directions is put right or refused", "[constraints]") {
    // A regular hexagon with constrained first and second neighbors: as many constraints as make it rigid, but
    // planar, so that no displacement along the initial directions leaves the plane.
    Cluster ring;
    for (int i = 0; i < 6; ++i) ring.add({0.14 * std::cos(i * M_PI / 3), 0.14 * std::sin(i * M_PI / 3), 0}, 12);
    for (int reach : {1, 2})
        for (int i = 0; i < 6; ++i) ring.tie(i, (i + reach) % 6);
    ConstraintSolver const solver(ring.particles);
    Threads threads;
    auto in_plane = ring.positions;
    for (auto& x : in_plane) x += Vec3<>{uniform(-0.002, 0.002), uniform(-0.002, 0.002), 0};
    auto const before = in_plane;
    solver.apply_to_positions(ring.positions, in_plane, 1e-10, threads);
    CHECK(worst_distance(ring.particles, in_plane) < 2e-10);
    CHECK(momentum_change(ring.particles, ring.positions, before, in_plane) < 1e-9);
    auto buckled = ring.positions;
    for (std::size_t i = 0; i < 6; ++i) buckled[i].z = i % 2 ? 0.01 : -0.01;
    CHECK_THROWS_WITH(solver.apply_to_positions(ring.positions, buckled, 1e-10, threads),
                      Catch::Contains("could not be satisfied: after"));
    auto v = displaced(Vectors(6), 2);
    solver.apply_to_velocities(ring.positions, v, 1e-5, threads);
    CHECK(worst_stretching(ring.particles, ring.positions, v) < 1e-11);
}

TEST_CASE("Frozen particles tied to each other do not disturb a network that holds their neighbours", "[constraints]") {
    // Frozen and moving particles interleaved; only the moving ones are solved for.
    Cluster cluster;
    for (auto const& site : sites) cluster.add(site, 12);
    for (int i = 0; i < 3; ++i) cluster.add({5.0 + i, 0, 0}, 0);
    for (auto const& [i, j] : {std::pair{0, 1}, {1, 5}, {5, 2}, {2, 0}, {0, 3}, {6, 7}, {7, 8}}) cluster.tie(i, j);
    cluster.particles.constraints.push_back({8, 6, 0.3});  // not satisfied, but ignored between frozen particles
    ConstraintSolver const solver(cluster.particles);
    Threads threads;
    auto x = displaced(cluster.positions, 0.005);
    auto const before = x;
    solver.apply_to_positions(cluster.positions, x, 1e-13, threads);
    for (std::size_t i = 6; i < 9; ++i) CHECK(x[i] == before[i]);
    cluster.particles.constraints.resize(5);
    CHECK(worst_distance(cluster.particles, x) < 2e-13);
}
