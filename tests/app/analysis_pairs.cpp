// Radial distributions and hydrogen bonds.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <random>
#include <trotter/app/analysis/hydrogen_bonds.hpp>
#include <trotter/app/analysis/radial_distribution.hpp>
#include <trotter/error.hpp>

#include "app/structure_text.hpp"
#include "catch_compat.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

Topology atoms_in_residues(int residues, int atoms_each) {
    Topology topology;
    topology.add_chain("A");
    for (int residue = 0; residue < residues; ++residue) {
        topology.add_residue("MOL", std::to_string(residue + 1));
        for (int atom = 0; atom < atoms_each; ++atom) topology.add_atom("A", Element::from_symbol("Ar"));
    }
    return topology;
}

std::vector<int> all_of(Topology const& topology) {
    std::vector<int> indices;
    for (int n = 0; n < topology.atom_count(); ++n) indices.push_back(n);
    return indices;
}

Box const triclinic{{2.4, 0, 0}, {0.8, 2.2, 0}, {-0.7, 0.9, 2}};

Frame random_frame(int count, unsigned seed, Box const& box) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<> fraction(0, 1);
    Frame frame;
    for (int n = 0; n < count; ++n)
        frame.positions.push_back(box.a * fraction(random) + box.b * fraction(random) + box.c * fraction(random));
    frame.box = box;
    return frame;
}

}  // namespace

TEST_CASE("a radial distribution equals a sum over all pairs and images, in boxes of changing size") {
    auto const topology = atoms_in_residues(20, 3);
    Frames const frames("unused", topology);
    RadialDistributionOptions const options{.bin_width = 0.05, .maximum = 0.9, .excluded = ExcludedPairs::residue};
    RadialDistribution distribution(all_of(topology), all_of(topology), frames, options);
    std::vector<double> expected(18);
    double inverse_volumes = 0;
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Box box = triclinic;
        for (auto* v : {&box.a, &box.b, &box.c}) *v *= 1 + 0.05 * seed;
        auto const frame = random_frame(60, seed, box);
        distribution.add(frame);
        inverse_volumes += 1 / box.volume();
        for (std::size_t i = 0; i < 60; ++i)
            for (std::size_t j = 0; j < 60; ++j)
                for (int x = -2; x <= 2; ++x)
                    for (int y = -2; y <= 2; ++y)
                        for (int z = -2; z <= 2; ++z) {
                            double const r = norm(frame.positions[i] - frame.positions[j] + box.a * x + box.b * y + box.c * z);
                            if (i / 3 != j / 3 && r < 0.9) ++expected[static_cast<std::size_t>(r / 0.05)];
                        }
    }
    auto const bins = distribution.bins();
    REQUIRE(bins.size() == 18);
    double sum = 0;
    for (std::size_t n = 0; n < 18; ++n) {
        double const inner = 0.05 * static_cast<double>(n), outer = inner + 0.05;
        double const volume = 4 * std::numbers::pi / 3 * (std::pow(outer, 3) - std::pow(inner, 3));
        REQUIRE(bins[n].distance == Approx(inner + 0.025));
        REQUIRE(bins[n].density == Approx(expected[n] / (60 * 57 * inverse_volumes * volume)));
        sum += expected[n];
        REQUIRE(bins[n].coordination == Approx(sum / (60 * 3)));
    }
}

TEST_CASE("a radial distribution of a lattice has its shells, and excluded molecules") {
    auto topology = atoms_in_residues(64, 1);
    topology.add_bond(0, 1);
    Frame frame;
    frame.box = Box::rectangular(4, 4, 4);
    for (int n = 0; n < 64; ++n) frame.positions.push_back({1. * (n % 4), 1. * (n / 4 % 4), 1. * (n / 16)});
    RadialDistributionOptions options{.bin_width = 0.1, .maximum = 1.95, .excluded = ExcludedPairs::none};
    RadialDistribution whole(all_of(topology), all_of(topology), Frames("unused", topology), options);
    whole.add(frame);
    REQUIRE(whole.bins().size() == 19);
    REQUIRE(whole.bins()[10].coordination == Approx(6));
    REQUIRE(whole.bins()[15].coordination == Approx(6 + 12));
    REQUIRE(whole.bins()[18].coordination == Approx(6 + 12 + 8));
    options.excluded = ExcludedPairs::molecule;
    RadialDistribution without(std::vector<int>{0}, all_of(topology), Frames("unused", topology), options);
    without.add(frame);
    REQUIRE(without.bins()[11].coordination == Approx(5));
}

TEST_CASE("radial distributions that make no sense are refused") {
    auto const topology = atoms_in_residues(2, 2);
    Frames const frames("unused", topology);
    auto const all = all_of(topology);
    REQUIRE_THROWS_WITH(RadialDistribution({0}, {1}, frames, {}), Contains("there are no pairs of atoms to count"));
    REQUIRE_THROWS_WITH(RadialDistribution(all, all, frames, {.maximum = -1}),
                        Contains("the largest distance is -1 nm, expected a positive number"));
    REQUIRE_THROWS_WITH(RadialDistribution(all, all, frames, {.bin_width = 2}),
                        Contains("the width of bins is 2 nm, expected a positive number up to the largest distance"));
    REQUIRE_THROWS_WITH(RadialDistribution(all, all, frames, {.bin_width = 1e-9}), Contains("which makes more than 1000000 bins"));
    RadialDistribution distribution(all, all, frames, {});
    Frame frame = random_frame(4, 1, Box::rectangular(3, 3, 1.9));
    REQUIRE_THROWS_WITH(distribution.add(frame), Contains("the box is 1.9 nm wide, less than twice the largest distance of 1 nm"));
    frame.box.reset();
    REQUIRE_THROWS_WITH(distribution.add(frame), Contains("has no box, which a radial distribution needs"));
}

namespace {

Structure const two_waters = structure_from(R"(
    A HOH 1 O O 0 0 0
    A HOH 1 H1 H 0.1 0 0
    A HOH 1 H2 H 0 0.1 0
    A HOH 2 O O 0.28 0 0
    A HOH 2 H1 H 0.38 0 0
    A HOH 2 H2 H 0.28 0.1 0
    bond 0 1
    bond 0 2
    bond 3 4
    bond 3 5
)");

std::vector<HydrogenBond> bonds_with_acceptor_at(Vec3<> const& place, HydrogenBondCriterion criterion) {
    HydrogenBonds bonds({0, 1, 2, 3}, two_waters.topology, criterion);
    Frame frame;
    frame.positions = two_waters.positions;
    frame.positions[3] = place;
    return bonds.add(frame);
}

}  // namespace

TEST_CASE("hydrogen bonds by their distances and angles") {
    auto const bh = HydrogenBondCriterion::baker_hubbard, da = HydrogenBondCriterion::distance_angle;
    HydrogenBond const bond{0, 1, 3};
    REQUIRE(bonds_with_acceptor_at({0.28, 0, 0}, bh) == std::vector{bond});
    REQUIRE(bonds_with_acceptor_at({0.349, 0, 0}, bh) == std::vector{bond});
    REQUIRE(bonds_with_acceptor_at({0.351, 0, 0}, bh).empty());  // 0.251 nm from the hydrogen
    auto const at_angle = [](double degrees, double length) {  // D–H–A
        double const tilt = (180 - degrees) * std::numbers::pi / 180;
        return Vec3<>{0.1 + length * std::cos(tilt), length * std::sin(tilt), 0};
    };
    REQUIRE(bonds_with_acceptor_at(at_angle(121, 0.15), bh) == std::vector{bond});
    REQUIRE(bonds_with_acceptor_at(at_angle(119, 0.15), bh).empty());
    auto const tilted = [](double degrees, double length) {  // H–D–A
        return Vec3<>{length * std::cos(degrees * std::numbers::pi / 180), -length * std::sin(degrees * std::numbers::pi / 180), 0};
    };
    REQUIRE(bonds_with_acceptor_at(tilted(29, 0.349), da) == std::vector{bond});
    REQUIRE(bonds_with_acceptor_at(tilted(31, 0.3), da).empty());
    REQUIRE(bonds_with_acceptor_at(tilted(0, 0.351), da).empty());
}

TEST_CASE("hydrogen bonds through the side of a box are counted") {
    HydrogenBonds bonds({0, 1, 2, 3, 4, 5}, two_waters.topology);
    Frame frame;
    frame.positions = two_waters.positions;
    frame.box = Box::rectangular(2, 2, 2);
    bonds.add(frame);
    for (std::size_t atom = 3; atom < 6; ++atom) frame.positions[atom].x -= 2;
    bonds.add(frame);
    for (std::size_t atom = 3; atom < 6; ++atom) frame.positions[atom].y += 1;
    REQUIRE(bonds.add(frame).empty());
    REQUIRE(bonds.frame_count() == 3);
    REQUIRE(bonds.counts() == std::map<HydrogenBond, std::int64_t>{{{0, 1, 3}, 2}});
    REQUIRE_THROWS_WITH(HydrogenBonds({1}, two_waters.topology), Contains("have no acceptor of hydrogen bonds"));
    REQUIRE_THROWS_WITH(HydrogenBonds({0}, two_waters.topology), Contains("have no donor of hydrogen bonds"));
}
