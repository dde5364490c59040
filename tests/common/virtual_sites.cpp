// Positions of virtual sites are OpenMM's, and the forces distributed to their parents are the gradient of the energy.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <trotter/common/virtual_sites.hpp>

using namespace trotter;

namespace {

using Vectors = std::vector<Vec3<>>;

double const half = 0.5, root = std::sqrt(0.75);
std::array<Vec3<>, 3> const third_of_a_turn{Vec3<>{-half, -root, 0}, Vec3<>{root, -half, 0}, Vec3<>{0, 0, 1}};
std::array<Vec3<>, 3> const half_a_turn{Vec3<>{-1, 0, 0}, Vec3<>{0, -1, 0}, Vec3<>{0, 0, 1}};

/// The System of common/data/make_data.py: particles 0 to 3, then sites of every kind; 12 and 13 depend on sites.
Particles every_kind() {
    Particles particles;
    particles.masses.assign(14, 0.0);
    std::fill_n(particles.masses.begin(), 4, 12.0);
    particles.virtual_sites = {
        {4, TwoParticleAverageSite{0, 1, 0.3, 0.7}},
        {5, ThreeParticleAverageSite{0, 1, 2, 0.5, 0.2, 0.3}},
        {6, OutOfPlaneSite{0, 1, 2, 0.4, 0.3, 2.5}},
        {7, LocalCoordinatesSite{{0, 1, 2}, {0.2, 0.3, 0.5}, {-1, 0.5, 0.5}, {0, -1, 1}, {0.06, -0.04, 0.08}}},
        {8,
         LocalCoordinatesSite{
             {0, 1, 2, 3}, {0.1, 0.2, 0.3, 0.4}, {-1, 0.3, 0.3, 0.4}, {0.2, -1, 0.4, 0.4}, {-0.05, 0.07, 0.03}}},
        {9, LocalCoordinatesSite{{3, 1}, {0.5, 0.5}, {1, -1}, {0, 0}, {0.1, 0.2, 0.3}}},
        {10, SymmetrySite{3, third_of_a_turn, {0.1, 0.25, -0.3}, false}},
        {11, SymmetrySite{2, half_a_turn, {0, 0, 0.5}, true}},
        {12, OutOfPlaneSite{7, 13, 2, -0.4, 0.6, 1.5}},
        {13, TwoParticleAverageSite{8, 10, 0.25, 0.75}},
    };
    return particles;
}

Vectors random_vectors(std::size_t count, double size, unsigned seed) {
    std::mt19937_64 generator{seed};
    std::uniform_real_distribution<double> value{-size, size};
    Vectors result(count);
    for (auto& v : result)
        for (std::size_t axis : {0u, 1u, 2u}) v[axis] = value(generator);
    return result;
}

double total(Vectors const& a, Vectors const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

double work_of(VirtualSites const& sites, Vectors const& forces, Vectors positions, Box const& box) {
    sites.place(positions, box);
    return total(forces, positions);
}

/// Largest difference between distributed forces and the gradient of Σ f·x, over all particles except sites.
double gradient_error(Particles const& particles, Vectors positions, Box const& box) {
    VirtualSites const sites(particles);
    Vectors const own = random_vectors(positions.size(), 1, 3);
    sites.place(positions, box);
    auto handed_on = own;
    sites.distribute_forces(positions, handed_on, box);
    double worst = 0, h = 1e-4;
    for (int i = 0; i < particles.count(); ++i)
        for (std::size_t axis : {0u, 1u, 2u}) {
            if (particles.is_virtual(i)) continue;
            auto const at = [&](double step) {
                auto moved = positions;
                moved[static_cast<std::size_t>(i)][axis] += step;
                return work_of(sites, own, moved, box);
            };
            double const slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            worst = std::max(worst, std::abs(slope - handed_on[static_cast<std::size_t>(i)][axis]));
        }
    return worst;
}

std::string refusal(std::map<int, VirtualSite> sites) {
    Particles particles;
    particles.masses = {12, 12, 12, 0, 0, 0};
    particles.virtual_sites = std::move(sites);
    try {
        VirtualSites const made(particles);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("sites of every kind agree with OpenMM", "[virtual-sites]") {
    std::ifstream in(std::filesystem::path(tests_folder()) / "common" / "data" / "virtual_sites.txt");
    Vectors expected(14), own(14), handed_on(14);
    for (std::size_t i = 0; i < 14; ++i)
        for (auto* column : {&expected, &own, &handed_on}) in >> (*column)[i].x >> (*column)[i].y >> (*column)[i].z;
    REQUIRE(in);
    auto const particles = every_kind();
    VirtualSites const sites(particles);
    Box const box = Box::rectangular(1.8, 1.7, 1.9);
    auto positions = expected;
    for (std::size_t i = 4; i < 14; ++i) positions[i] = {7, 7, 7};
    sites.place(positions, box);
    auto forces = own;
    sites.distribute_forces(positions, forces, box);
    for (std::size_t i = 0; i < 14; ++i) {
        CAPTURE(i);
        CHECK(norm(positions[i] - expected[i]) < 1e-14);
        CHECK(norm(forces[i] - handed_on[i]) < 1e-12);
    }
}

TEST_CASE("forces handed on are the gradient, also in triclinic boxes", "[virtual-sites]") {
    Box const triclinic{{1.8, 0, 0}, {0.4, 1.7, 0}, {-0.3, 0.5, 1.9}};
    auto particles = every_kind();
    particles.virtual_sites[11] = SymmetrySite{2, third_of_a_turn, {0.2, -0.1, 0.5}, true};
    for (unsigned seed = 10; seed < 40; ++seed)
        for (auto const& box : {Box{}, triclinic}) {
            CAPTURE(seed);
            auto positions = random_vectors(14, 0.3, seed);
            // Not nearly collinear, where the local frame of three or four particles rotates arbitrarily fast.
            for (std::size_t i = 0; i < 4; ++i)
                positions[i] = 0.1 * positions[i] + Vec3<>{0.1 * (i == 1), 0.1 * (i == 2), 0.1 * (i == 3)};
            CHECK(gradient_error(particles, positions, box) < 1e-8);  // for forces of about 1
        }
}

TEST_CASE("sites keep the net force and torque, except those of a symmetry", "[virtual-sites]") {
    auto particles = every_kind();
    for (int site : {10, 11, 12, 13}) particles.virtual_sites.erase(site);
    particles.masses.resize(10);
    VirtualSites const sites(particles);
    auto positions = random_vectors(10, 0.3, 1);
    sites.place(positions, Box{});
    auto const before = random_vectors(10, 1, 2);
    auto after = before;
    sites.distribute_forces(positions, after, Box{});
    Vec3<> force, torque;
    for (std::size_t i = 0; i < 10; ++i) {
        force += (i < 4 ? after[i] : Vec3<>{}) - before[i];
        torque += cross(positions[i], (i < 4 ? after[i] : Vec3<>{}) - before[i]);
    }
    CHECK(norm(force) < 1e-14);
    CHECK(norm(torque) < 1e-13);
}

TEST_CASE("a direction without length is a zero vector", "[virtual-sites]") {
    Particles particles;
    particles.masses = {1, 1, 1, 0};
    particles.virtual_sites[3] = LocalCoordinatesSite{{0, 1, 2}, {0.5, 0.5, 0}, {0, 0, 0}, {0, 1, -1}, {1, 2, 3}};
    Vectors positions{{0, 0, 0}, {0.2, 0, 0}, {0.4, 0, 0}, {}};
    VirtualSites(particles).place(positions, Box{});
    CHECK(positions[3] == Vec3<>{0.1, 0, 0});

    particles.virtual_sites[3] = LocalCoordinatesSite{{0, 1, 2}, {0.5, 0.5, 0}, {-1, 1, 0}, {-1, 0, 1}, {1, 2, 3}};
    VirtualSites const in_line(particles);
    in_line.place(positions, Box{});
    CHECK(norm(positions[3] - Vec3<>{1.1, 0, 0}) < 1e-15);
    Vectors forces{{}, {}, {}, {1, 2, 3}};
    in_line.distribute_forces(positions, forces, Box{});
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::isfinite(norm(forces[i])));
    CHECK(norm(forces[0] + forces[1] + forces[2] - forces[3]) < 1e-14);
}

TEST_CASE("the number of threads changes no bit of sites and their forces", "[virtual-sites]") {
    Particles const unit = every_kind();
    Particles all;
    for (int copy = 0; copy < 500; ++copy) {
        int const first = all.count();
        all.masses.insert(all.masses.end(), unit.masses.begin(), unit.masses.end());
        all.virtual_sites[first + 4] = OutOfPlaneSite{first, first + 1, first + 2, 0.4, 0.3, 2.5};
        all.virtual_sites[first + 5] = TwoParticleAverageSite{first + 6, first + 1, 0.4, 0.6};
        all.virtual_sites[first + 6] = TwoParticleAverageSite{first + 4, first, 0.4, 0.6};
    }
    VirtualSites const sites(all);
    auto const start = random_vectors(all.masses.size(), 1, 5), own = random_vectors(all.masses.size(), 1, 6);
    auto serial = start, serial_forces = own;
    sites.place(serial, Box{});
    sites.distribute_forces(serial, serial_forces, Box{});
    for (int count : {1, 2, 3, 7}) {
        Threads threads(count);
        auto positions = start, forces = own;
        sites.place(positions, Box{}, threads);
        sites.distribute_forces(positions, forces, Box{}, threads);
        CHECK(positions == serial);
        CHECK(forces == serial_forces);
    }
}

TEST_CASE("sites that make no sense are refused", "[virtual-sites]") {
    CHECK(refusal({{3, TwoParticleAverageSite{0, 1, 0.5, 0.3}}}) == "");
    CHECK_THAT(refusal({{4, ThreeParticleAverageSite{0, 1, 2, 0.5, 0.5, NAN}}}),
               Catch::Contains("expected a finite number"));
    CHECK_THAT(refusal({{4, OutOfPlaneSite{0, 1, 2, 0.5, 0.5, INFINITY}}}),
               Catch::Contains("expected a finite number"));
    LocalCoordinatesSite const good{{0, 1, 2}, {0.5, 0.5, 0}, {1, -1, 0}, {0, 1, -1}, {0, 0, 0.1}};
    CHECK(refusal({{5, good}}) == "");
    auto bad = good;
    bad.origin_weights[0] = 0;
    CHECK_THAT(refusal({{5, bad}}),
               Catch::Contains("origin weights of the virtual site of particle 5 add up to 0.500000, expected 1"));
    bad = good;
    bad.x_weights[2] = 0.1;
    CHECK_THAT(refusal({{5, bad}}),
               Catch::Contains("x weights of the virtual site of particle 5 add up to 0.100000, expected 0"));
    bad = good;
    bad.y_weights.pop_back();
    CHECK_THAT(refusal({{5, bad}}), Catch::Contains("2 y weights"));
    CHECK_THAT(refusal({{5, LocalCoordinatesSite{{0}, {1}, {0}, {0}, {}}}}), Catch::Contains("expected two or more"));
    CHECK_THAT(refusal({{3, SymmetrySite{0, {Vec3<>{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}, {}, true}}}),
               Catch::Contains("the rotation of the virtual site of particle 3 is not orthogonal")
                   && Catch::Contains("4.000000"));
    // 5 depends on the cycle of 3 and 4 without being part of it.
    std::map<int, VirtualSite> const circle{{3, TwoParticleAverageSite{0, 4, 0.5, 0.5}},
                                            {4, TwoParticleAverageSite{3, 1, 0.5, 0.5}},
                                            {5, TwoParticleAverageSite{4, 1, 0.5, 0.5}}};
    CHECK_THAT(refusal(circle), Catch::Matches("the virtual site of particle (3|4) depends on itself.*"));
    CHECK(VirtualSites(Particles{}).empty());
}
