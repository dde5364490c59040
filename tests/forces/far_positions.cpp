// Particles far from all others: no cost, no effect on the others, and the same forces as near the origin.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <vector>

#include <trotter/forces/atm.hpp>
#include <trotter/forces/custom_gb.hpp>
#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/gay_berne.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/forces/nonbonded.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace far_positions_test {

namespace {

constexpr int count = 60;
constexpr double cutoff = 0.9;
std::vector<double> const distances{1e5, 1e7, 1e9, 1e12, 1e15, 1e18, 1e30, 1e60, 1e150, 1e300, 1e308};

/// A droplet, and a pair of particles at the given distance from it along some axes, about 0.4 nm apart if doubles can
/// represent that.
struct Far {
    Vec3<> along;
    double distance;

    Vectors positions() const { return with_pair_at(along * distance); }
    /// The pair near the droplet, but out of range.
    Vectors nearby() const {
        Vectors result = positions();
        Vec3<> const place{40, 40, 40}, apart = result[count - 1] - result[count - 2];
        result[count - 2] = place;
        result[count - 1] = place + apart;
        return result;
    }

private:
    static Vectors with_pair_at(Vec3<> const& place) {
        Vectors result = scattered(count - 2, Box::rectangular(1.7, 1.7, 1.7), 0.26, 3);
        for (auto& position : result) position += Vec3<>{1, 1, 1};
        result.push_back(place + Vec3<>{0.1, 0.2, 0.3});
        result.push_back(place + Vec3<>{0.35, 0.5, 0.4});
        return result;
    }
};

/// Calls `visit(far)` for all distances along one axis, and along all three axes while the pair stays in range.
template <class Visit> void for_each_far(Visit const& visit, double most = 1e308) {
    for (double const distance : distances)
        for (Vec3<> const& along : {Vec3<>{1, 0, 0}, Vec3<>{0, -1, 0}, Vec3<>{0, 0, 1}, Vec3<>{-1, 1, -1}}) {
            bool const is_diagonal = dot(along, along) > 1;
            if (distance > most || (is_diagonal && distance > 1e12)) continue;
            CAPTURE(along.x, along.y, along.z, distance);
            visit(Far{along, distance});
        }
}

NonbondedForce nonbonded(NonbondedForce::Method method) {
    NonbondedForce force{.method = method, .cutoff_distance = cutoff, .use_dispersion_correction = false};
    for (int i = 0; i < count; ++i) force.particles.push_back({0.3 * (i % 5) - 0.6, 0.24 + 0.002 * (i % 7), 0.4});
    force.exceptions = {{0, 1, 0, 1, 0}, {2, 5, 0.2, 0.3, 0.4}};
    return force;
}
CustomNonbondedForce custom(PairSettings::Method method) {
    CustomNonbondedForce force{.energy = RuntimeExpression("s1*s2*((0.25/r)^8 - 0.1*exp(-3*r))"), .parameter_names = {"s"}};
    for (int i = 0; i < count; ++i) force.particles.push_back({1 + 0.1 * (i % 3)});
    force.pairs = {.method = method, .cutoff_distance = cutoff, .exclusions = {{0, 1}, {4, 7}}};
    return force;
}
GBSAOBCForce solvent(GBSAOBCForce::Method method) {
    GBSAOBCForce force{.method = method, .cutoff_distance = cutoff};
    for (int i = 0; i < count; ++i) force.particles.push_back({0.3 * (i % 5) - 0.6, 0.12 + 0.005 * (i % 7), 0.8});
    return force;
}
CustomGBForce custom_solvent(PairSettings::Method method) {
    using Kind = CustomGBForce::Kind;
    auto const formula = [](char const* text) { return CustomGBForce::formula(text, {}); };
    CustomGBForce force{.parameter_names = {"a"},
                        .computed_values = {{"rho", formula("a2*exp(-(r/0.4)^2)"), Kind::particle_pair},
                                            {"f", formula("sqrt(rho + 1)"), Kind::single_particle}},
                        .energy_terms = {{formula("3*f"), Kind::single_particle},
                                         {formula("0.1*f1*f2/r"), Kind::particle_pair}}};
    for (int i = 0; i < count; ++i) force.particles.push_back({0.5 + 0.1 * (i % 3)});
    force.pairs = {.method = method, .cutoff_distance = cutoff, .exclusions = {{0, 1}, {5, 3}}};
    return force;
}
CustomHbondForce bonds() {
    CustomHbondForce force{.energy = CustomHbondForce::formula("exp(-5*distance(d1,a1))*(1 + angle(a1,d1,d2))"),
                           .method = CustomHbondForce::Method::cutoff_non_periodic,
                           .cutoff_distance = cutoff};
    for (int i = 0; i + 3 < count - 2; i += 4) {
        force.donors.push_back({i, i + 1});
        force.acceptors.push_back({i + 2});
    }
    force.donors.push_back({count - 1, count - 2});
    force.acceptors.push_back({count - 2});
    return force;
}
CustomManyParticleForce sets() {
    CustomManyParticleForce force{.energy = CustomManyParticleForce::formula("exp(-4*(distance(p1,p2) + distance(p1,p3)))"),
                                  .particles = std::vector<CustomManyParticleForce::Particle>(count),
                                  .method = CustomManyParticleForce::Method::cutoff_non_periodic,
                                  .cutoff_distance = 0.6};
    return force;
}
GayBerneForce ellipsoids() {
    GayBerneForce force{.method = GayBerneForce::Method::cutoff_non_periodic, .cutoff_distance = cutoff};
    for (int i = 0; i < count; ++i)
        force.particles.push_back({.sigma = 0.22, .epsilon = 0.5, .size_x = 0.22, .size_y = 0.22, .size_z = 0.22});
    for (int const i : {count - 1, count - 2}) force.particles[static_cast<std::size_t>(i)].x_particle = 2 * count - 3 - i;
    return force;
}
LCPOForce areas() {
    LCPOForce force;
    for (int i = 0; i < count; ++i) force.particles.push_back({0.25, 0.7, -0.28, -0.0013, 0.4});
    return force;
}
ATMForce transfer() {
    ATMForce force{.energy = RuntimeExpression("u0 + 0.3*(u1-u0)"), .particles = std::vector<Displacement>(count)};
    force.particles[3] = FixedDisplacement{.in_state1 = {0.02, 0, 0}};
    force.forces->add(nonbonded(NonbondedForce::Method::cutoff_non_periodic));
    return force;
}

/// Compares energies and forces, relative to the RMS force.
void compare(Evaluation const& found, Evaluation const& expected, double tolerance) {
    double const size = rms(expected.forces);
    CHECK(size > 0.01);
    CHECK(found.energy == Approx(expected.energy).epsilon(tolerance).margin(tolerance * size));
    CHECK(largest_difference(found.forces, expected.forces) < tolerance * size);
}
/// Devices have an additional rounding to the precision of positions at 10^7 nm.
double tolerance_of(TestPlatform const& platform) { return !platform.is_double ? 1e-4 : platform.is_on_device ? 1e-8 : 1e-9; }

/// Checks a force that vanishes between the droplet and the pair, for all distances in one Context.
template <Force F> void check_out_of_range(TestPlatform const& platform, F const& force) {
    INFO(F::name);
    auto here = context_of(platform, system_of(force, count)), there = context_of(reference_platform, system_of(force, count));
    for_each_far([&](Far const& far) {
        here.set_positions(far.positions());
        there.set_positions(far.nearby());
        compare(evaluation(here), evaluation(there), tolerance_of(platform));
    });
}

/// Checks a force of any range against Reference.
template <Force F> void check_in_range(TestPlatform const& platform, F const& force, Box const& box, double most = 1e308) {
    INFO(F::name);
    auto const system = system_of(force, count, box);
    auto here = context_of(platform, system), there = context_of(reference_platform, system);
    auto const check = [&](Far const& far) {
        here.set_positions(far.positions());
        there.set_positions(far.positions());
        compare(evaluation(here), evaluation(there), tolerance_of(platform));
    };
    for_each_far(check, most);
}

}  // namespace

TEST_CASE("what is out of range may be anywhere", "[forces][far]") {
    auto const platform = each_platform();
    check_out_of_range(platform, nonbonded(NonbondedForce::Method::cutoff_non_periodic));
    check_out_of_range(platform, custom(PairSettings::Method::cutoff_non_periodic));
    check_out_of_range(platform, solvent(GBSAOBCForce::Method::cutoff_non_periodic));
    check_out_of_range(platform, custom_solvent(PairSettings::Method::cutoff_non_periodic));
    check_out_of_range(platform, bonds());
    check_out_of_range(platform, sets());
    check_out_of_range(platform, ellipsoids());
    check_out_of_range(platform, areas());
    check_out_of_range(platform, transfer());
}

TEST_CASE("without a cutoff all distances count", "[forces][far]") {
    auto const platform = each_platform();
    check_in_range(platform, nonbonded(NonbondedForce::Method::no_cutoff), {});
    check_in_range(platform, custom(PairSettings::Method::no_cutoff), {});
    check_in_range(platform, solvent(GBSAOBCForce::Method::no_cutoff), {});
    check_in_range(platform, custom_solvent(PairSettings::Method::no_cutoff), {});
}

TEST_CASE("a periodic box holds what is far outside", "[forces][far]") {
    auto const platform = each_platform();
    // In the first, every distance is an integer multiple of the box length.
    for (Box const& box : {Box::rectangular(4, 4, 4), Box::rectangular(3.7, 3.9, 4.1),
                           Box{{4, 0, 0}, {1, 3.9, 0}, {-1, 1.5, 3.8}}}) {
        CAPTURE(box.a.x, box.c.x);
        // At larger distances rounding wraps particles differently in a skewed box.
        double const most = box.is_rectangular() ? 1e308 : 1e5;
        check_in_range(platform, nonbonded(NonbondedForce::Method::cutoff_periodic), box, most);
        check_in_range(platform, custom(PairSettings::Method::cutoff_periodic), box, most);
        check_in_range(platform, solvent(GBSAOBCForce::Method::cutoff_periodic), box, most);
    }
}

TEST_CASE("reciprocal space holds what is far outside", "[forces][far]") {
    auto const platform = each_platform();
    for (auto const method : {NonbondedForce::Method::ewald, NonbondedForce::Method::pme, NonbondedForce::Method::ljpme}) {
        CAPTURE(static_cast<int>(method));
        check_in_range(platform, nonbonded(method), Box::rectangular(4, 4, 4));
    }
}

TEST_CASE("a flat box that is nearly empty takes no more columns than there are particles", "[forces][far]") {
    auto const platform = each_platform();
    check_in_range(platform, nonbonded(NonbondedForce::Method::cutoff_periodic), Box::rectangular(1e9, 1e9, 4));
}

TEST_CASE("single particles all over the range of doubles", "[forces][far]") {
    auto const platform = each_platform();
    auto force = nonbonded(NonbondedForce::Method::cutoff_non_periodic);
    force.exceptions.clear();
    Vectors positions, near;
    for (int i = 0; i < count; ++i) {
        double const size = std::pow(10.0, 308.0 * (i / 2) / (count / 2)) * (i % 4 < 2 ? 1 : -1);
        positions.push_back({size, 0.3 * i, -size});
        near.push_back({10.0 * (i / 2), 0.3 * i, 0});
    }
    compare(evaluate(platform, force, positions), evaluate(reference_platform, force, near), tolerance_of(platform));
}

TEST_CASE("what is out of range of a device may be anywhere", "[forces][devices][slow][far]") {
    auto const platform = each_platform();
    check_out_of_range(platform, nonbonded(NonbondedForce::Method::cutoff_non_periodic));
    check_out_of_range(platform, custom(PairSettings::Method::cutoff_non_periodic));
    check_out_of_range(platform, solvent(GBSAOBCForce::Method::cutoff_non_periodic));
}

}  // namespace far_positions_test
