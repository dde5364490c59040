// Whole molecules, superposition, RMSD, fluctuations, and measures of groups of atoms.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>
#include <trotter/app/analysis/geometry.hpp>
#include <trotter/app/analysis/rmsd.hpp>
#include <trotter/app/analysis/run_files.hpp>
#include <trotter/app/analysis/superposition.hpp>
#include <trotter/error.hpp>

#include "app/analysis_text.hpp"
#include "app/structure_text.hpp"
#include "catch_compat.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

constexpr double pi = std::numbers::pi;

Structure const chain = structure_from(R"(
    A GLY 1 N N 0 0 0
    A GLY 1 CA C 0.15 0 0
    A GLY 1 C C 0.2 0.14 0
    A GLY 1 O O 0.25 0.2 0.1
    B HOH 2 O O 1 1 1
    B HOH 2 H1 H 1.1 1 1
    bond 0 1
    bond 1 2
    bond 2 3
    bond 4 5
)");

/// By rotations about x, then about z, then a shift.
std::vector<Vec3<>> moved(std::vector<Vec3<>> positions, double about_x, double about_z, Vec3<> const& shift) {
    for (auto& p : positions) {
        p = {p.x, p.y * std::cos(about_x) - p.z * std::sin(about_x), p.y * std::sin(about_x) + p.z * std::cos(about_x)};
        p = {p.x * std::cos(about_z) - p.y * std::sin(about_z), p.x * std::sin(about_z) + p.y * std::cos(about_z), p.z};
        p += shift;
    }
    return positions;
}

}  // namespace

TEST_CASE("bonded atoms are brought together through the sides of a triclinic box") {
    Box const box{{2, 0, 0}, {0.8, 1.9, 0}, {-0.7, 0.6, 1.8}};
    Molecules const molecules(chain.topology);
    REQUIRE(molecules.count() == 2);
    REQUIRE(molecules.of_atoms() == std::vector<int>{0, 0, 0, 0, 1, 1});
    auto positions = chain.positions;
    positions[1] += box.a * 3 - box.b;
    positions[2] -= box.c * 2;
    positions[3] += box.a + box.b + box.c;
    positions[5] -= box.b;
    molecules.make_whole(positions, box);
    for (std::size_t n = 0; n < positions.size(); ++n) REQUIRE(norm(positions[n] - chain.positions[n]) < 1e-12);
}

TEST_CASE("a box is made as short as its lattice allows") {
    Box const box{{2, 0, 0}, {0.8, 1.9, 0}, {-0.7, 0.6, 1.8}};
    Box longer = box;
    longer.b += box.a * 2;
    longer.c += box.b * -3 + box.a;
    Box const back = reduced(longer);
    REQUIRE_NOTHROW(back.check());
    REQUIRE(back.volume() == Approx(box.volume()));
    for (auto const& [p, q] : {std::pair{back.b, box.b}, {back.c, box.c}}) REQUIRE(norm(p - q) < 1e-12);
    longer.a.y = 1;
    REQUIRE_THROWS_WITH(reduced(longer), Contains("expected positive numbers, its first vector along x"));
    longer = box;
    longer.c.z = std::nan("");
    REQUIRE_THROWS_AS(reduced(longer), InputError);
}

TEST_CASE("a superposition undoes a rotation and a shift") {
    std::vector<double> const weights{1, 2, 3, 4, 5, 6};
    for (double const angle : {0., 0.3, 2., 3.1, -1.4}) {
        auto const other = moved(chain.positions, angle, 1.7 * angle + 0.2, {3, -4, 5});
        auto const superposition = superpose(other, chain.positions, weights);
        for (std::size_t n = 0; n < other.size(); ++n) REQUIRE(norm(superposition(other[n]) - chain.positions[n]) < 1e-12);
    }
}

TEST_CASE("no rotation and shift near the superposition brings the points closer") {
    std::mt19937 random(3);
    std::normal_distribution<> noise(0, 0.05);
    auto other = moved(chain.positions, 1, 2, {1, 2, 3});
    for (auto& p : other) p += {noise(random), noise(random), noise(random)};
    std::vector<double> const weights{1, 2, 3, 4, 5, 6};
    auto const superposition = superpose(other, chain.positions, weights);
    auto fitted = other;
    for (auto& p : fitted) p = superposition(p);
    double const least = root_mean_square_distance(fitted, chain.positions, weights);
    REQUIRE(least > 0.01);
    for (int trial = 0; trial < 100; ++trial) {
        auto const nearby = moved(fitted, noise(random), noise(random), {noise(random), noise(random), noise(random)});
        REQUIRE(root_mean_square_distance(nearby, chain.positions, weights) >= least);
    }
}

TEST_CASE("points on a mirror image are not superposed by a reflection") {
    auto mirrored = chain.positions;
    for (auto& p : mirrored) p.x = -p.x;
    std::vector<double> const weights(6, 1);
    auto const superposition = superpose(mirrored, chain.positions, weights);
    auto const& r = superposition.rotation;
    REQUIRE(dot(r[0], cross(r[1], r[2])) == Approx(1));
    for (auto& p : mirrored) p = superposition(p);
    REQUIRE(root_mean_square_distance(mirrored, chain.positions, weights) > 0.05);
}

TEST_CASE("distances, angles and dihedrals, through the sides of a box") {
    std::optional<Box> const box = Box::rectangular(2, 2, 2);
    REQUIRE(distance({0.1, 0, 0}, {1.9, 0, 0}, box) == Approx(0.2));
    REQUIRE(distance({0.1, 0, 0}, {1.9, 0, 0}, {}) == Approx(1.8));
    REQUIRE(angle({0.3, 0, 0}, {0, 0, 0}, {0, 1.7, 0}, box) == Approx(pi / 2));
    REQUIRE(angle({0.3, 0, 0}, {0, 0, 0}, {-0.3, 0, 0}, {}) == Approx(pi));
    for (double const phi : {-3., -1., 0.5, 2.})
        REQUIRE(dihedral({1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {std::cos(phi), std::sin(phi), 1}, {}) == Approx(phi));
    REQUIRE(dihedral({1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 1, 1.9}, Box::rectangular(9, 9, 9)) == Approx(pi / 2));
}

TEST_CASE("the nearest image in a triclinic box is the shortest of all") {
    Box const box{{2, 0, 0}, {0.95, 1.9, 0}, {-0.95, 0.9, 1.8}};
    std::mt19937 random(8);
    std::uniform_real_distribution<> fraction(-3, 3);
    for (int trial = 0; trial < 1000; ++trial) {
        auto const d = box.a * fraction(random) + box.b * fraction(random) + box.c * fraction(random);
        double shortest = 100;
        for (int x = -6; x <= 6; ++x)
            for (int y = -6; y <= 6; ++y)
                for (int z = -6; z <= 6; ++z) shortest = std::min(shortest, norm(d + box.a * x + box.b * y + box.c * z));
        REQUIRE(norm(nearest_image(d, box)) == Approx(shortest));
    }
}

TEST_CASE("the radius of gyration of two masses") {
    std::vector<double> const masses{3, 1};
    auto const group = AtomGroup::of({0, 1}, masses);
    std::vector<Vec3<>> const positions{{0, 0, 0}, {0, 0.4, 0}};
    REQUIRE(norm(group.center(positions) - Vec3<>{0, 0.1, 0}) < 1e-15);
    REQUIRE(radius_of_gyration(group, positions) == Approx(std::sqrt((3 * 0.01 + 0.09) / 4)));
    REQUIRE_THROWS_WITH(AtomGroup::of({0}, std::vector<double>{0}), Contains("has no mass"));
}

TEST_CASE("fluctuations of an atom on a circle") {
    Fluctuations fluctuations;
    for (int n = 0; n < 12; ++n)
        fluctuations.add(std::vector<Vec3<>>{{5 + 0.3 * std::cos(n * pi / 6), 0.3 * std::sin(n * pi / 6), 1}, {1, 2, 3}});
    REQUIRE(fluctuations.count() == 12);
    REQUIRE(norm(fluctuations.mean()[0] - Vec3<>{5, 0, 1}) < 1e-12);
    REQUIRE(fluctuations.root_mean_square()[0] == Approx(0.3));
    REQUIRE(fluctuations.root_mean_square()[1] == 0);
}

TEST_CASE("frames: molecules are whole, ranges, and a fit on a moving structure") {
    Box const box = Box::rectangular(2, 2, 2);
    TestTrajectory const file("frames.dcd", 6);
    for (int n = 1; n <= 5; ++n) {
        auto positions = moved(chain.positions, 0.2 * n, 0.1 * n, {0.3 * n, 0, 0});
        for (auto& p : positions) p += box.wrapping_shift(p);  // atom by atom: molecules are cut
        file.write(positions, box, n);
    }
    Frames const frames(file.path(), chain.topology);
    Fit const fit({0, 1, 2, 3}, {1, 1, 1, 1}, chain.positions);
    std::vector<double> times;
    frames.for_each([&](Frame const& frame) {
        times.push_back(frame.time);
        std::vector<int> const wanted{0, 1, 2, 3};
        auto const fitted = fit.fitted(frame.positions, wanted);
        // positions are stored as float [Å]
        for (std::size_t n = 0; n < 4; ++n) REQUIRE(norm(fitted[n] - chain.positions[n]) < 1e-6);
    });
    REQUIRE(times.size() == 5);
    REQUIRE(times[1] == Approx(0.02));
    auto const average = average_positions(frames, {0, 1, 2, 3}, {1, 1, 1, 1});
    REQUIRE(norm(average[3] - average[0]) == Approx(norm(chain.positions[3] - chain.positions[0])).epsilon(1e-5));

    std::vector<std::int64_t> indices;
    Frames(file.path(), chain.topology, {0.015, 0.045, 2}).for_each([&](Frame const& frame) {
        indices.push_back(frame.index);
        times.push_back(frame.time);
    });
    REQUIRE(indices == std::vector<std::int64_t>{0, 1});
    REQUIRE(times.back() == Approx(0.04));
}

TEST_CASE("frames that do not fit are refused") {
    TestTrajectory const file("frames.dcd", 6);
    file.write(chain.positions, {}, 1);
    auto const ignore = [](Frame const&) {};
    Topology two;
    two.add_chain("A");
    two.add_residue("GLY", "1");
    two.add_atom("N", {});
    two.add_atom("CA", {});
    REQUIRE_THROWS_WITH(Frames(file.path(), two).for_each(ignore),
                        Contains("has 6 atoms in each frame, but the topology has 2"));
    REQUIRE_THROWS_WITH(Frames(file.path(), chain.topology, {5, 6, 1}).for_each(ignore), Contains("has no frame from 5 to 6 ps"));
    REQUIRE_THROWS_WITH(Frames(file.path(), Topology{}), Contains("the topology has no atoms"));
    REQUIRE_THROWS_WITH(Frames(file.path(), two, {0, 1, 0}), Contains("one of 0 frames is wanted, expected a number from 1 on"));
    REQUIRE_THROWS_WITH(Fit({}, {}, chain.positions), Contains("there are no atoms to superpose"));
    REQUIRE_THROWS_WITH(Fit({1}, {0}, chain.positions), Contains("the atoms to superpose have no mass"));
}

TEST_CASE("a position that is not finite is refused") {
    TestTrajectory const file("frames.dcd", 6);
    file.write(chain.positions, {}, 1);
    auto const size = static_cast<std::streamoff>(std::filesystem::file_size(file.path()));
    float const no_number = NAN;
    {  // the file ends with the z of six atoms and the length of their record
        std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(size - 4 - 3 * 4);
        bytes.write(reinterpret_cast<char const*>(&no_number), sizeof no_number);
    }
    REQUIRE_THROWS_WITH(Frames(file.path(), chain.topology).first(),
                        Contains("frames.dcd: frame 0: the position of atom 3 is not finite"));
}

TEST_CASE("atoms that an analysis looks at") {
    REQUIRE(atoms_of(Selection::parse("water"), chain) == std::vector<int>{4, 5});
    REQUIRE_THROWS_WITH(atoms_of(Selection::parse("resname XYZ"), chain),
                        Contains("the selection `resname XYZ` has no atoms, expected one or more"));
    REQUIRE(main_selection(chain).text() == "polymer and backbone");
    Structure const water = structure_from("A HOH 1 O O 0 0 0");
    REQUIRE(main_selection(water).text() == "all");
}

TEST_CASE("files of a run's folder") {
    TestFolder const folder("run");
    REQUIRE_FALSE(find_run_files(folder.path()).log);
    REQUIRE_FALSE(find_run_files(folder.path() / "nowhere").topology);
    folder.write("log.csv", "");
    folder.write("trajectory.xtc", "");
    folder.write("solvated.pdb", "");
    REQUIRE(find_run_files(folder.path()).topology == (folder.path() / "solvated.pdb").string());
    REQUIRE(find_run_files(folder.path()).trajectory == (folder.path() / "trajectory.xtc").string());
    folder.write("second.cif", "");
    REQUIRE_FALSE(find_run_files(folder.path()).topology);
    folder.write("topology.cif", "");
    REQUIRE(find_run_files(folder.path()).topology == (folder.path() / "topology.cif").string());
}
