// Virials of bonded forces, forces on sets of particles, and containers, against energies of strained Systems.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <trotter/forces/atm.hpp>
#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/custom_angle.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_cv.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_torsion.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>

#include "strain.hpp"

using namespace trotter;

namespace virial_terms_test {

namespace {

constexpr std::size_t count = 14;

template <class F> F chain_of(F force, auto const& make) {
    for (int i = 0; i + 3 < static_cast<int>(count); ++i) make(force, i);
    return force;
}

/// With and without minimum images; some neighbors in the chain are more than half of the box apart.
template <Force F> void check_both(F force, Invariance invariance = Invariance::rotation) {
    for (auto const& box : {small_box, skewed_box})
        for (bool const periodic : {true, false}) {
            CAPTURE(periodic);
            force.periodic = periodic;
            check_virial(force, scattered(count, box, 0.27, 4), box, periodic ? Invariance::rotation : invariance);
        }
}

using CV = CustomCVForce;
using ATM = ATMForce;

NonbondedForce ions() {
    NonbondedForce force{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    for (std::size_t i = 0; i < count; ++i) force.particles.push_back({i % 2 ? 0.5 : -0.4, 0.2, 0.4});
    return force;
}

}  // namespace

TEST_CASE("virials of terms", "[virial]") {
    check_both(chain_of(HarmonicBondForce{}, [](auto& f, int i) {
        f.bonds.push_back({i, i + 1, 0.3 + 0.01 * i, 100.0 * (i + 1)});
    }));
    check_both(chain_of(HarmonicAngleForce{}, [](auto& f, int i) {
        f.angles.push_back({i, i + 1, i + 2, 1.5 + 0.1 * i, 100.0 + i});
    }));
    check_both(chain_of(PeriodicTorsionForce{}, [](auto& f, int i) {
        f.torsions.push_back({i, i + 1, i + 2, i + 3, i % 6 + 1, 0.3 * i, 5.0 + i});
    }));
    check_both(chain_of(RBTorsionForce{}, [](auto& f, int i) {
        f.torsions.push_back({i, i + 1, i + 2, i + 3, 1.0, 2.0 - i, 3.0, -4.0, 5.0, 0.5 * i});
    }));
    CMAPTorsionForce maps;
    auto& map = maps.maps.emplace_back();
    map.size = 9;
    for (int n = 0; n < 81; ++n) map.energy.push_back(5 * std::sin(n * n));
    check_both(chain_of(maps, [](auto& f, int i) {
        f.torsions.push_back({0, i, i + 1, i + 2, i + 3, i + 3, i + 1, i, i + 2});
    }));
}

TEST_CASE("virials of terms by formulas of the run time", "[virial]") {
    check_both(chain_of(CustomBondForce{.energy = RuntimeExpression("k*(r-0.4)^4"), .parameter_names = {"k"}},
                        [](auto& f, int i) {
                            f.bonds.push_back({i, i + 1, {1.0 + i}});
                        }));
    check_both(chain_of(CustomAngleForce{.energy = RuntimeExpression("k*cos(2*theta)"), .parameter_names = {"k"}},
                        [](auto& f, int i) {
                            f.angles.push_back({i, i + 1, i + 2, {1.0 + i}});
                        }));
    check_both(chain_of(CustomTorsionForce{.energy = RuntimeExpression("k*sin(2*theta)"), .parameter_names = {"k"}},
                        [](auto& f, int i) {
                            f.torsions.push_back({i, i + 1, i + 2, i + 3, {1.0 + i}});
                        }));
}

TEST_CASE("virials of places in space are forces times positions", "[virial]") {
    CustomExternalForce force{.energy = CustomExternalForce::formula("k*(x^2*y + z^3) + y"), .parameter_names = {"k"}};
    for (int i = 0; i < static_cast<int>(count); ++i) force.affected.push_back({i, {1.0 + i}});
    auto const positions = scattered(count, small_box, 0.2, 8);
    check_virial(force, positions, small_box, Invariance::none);
    // The reference point in the formula does not scale with the strain.
    force.energy = CustomExternalForce::formula("d^2*k + d*x; d = periodicdistance(x, y, z, 1.9, 0.2, 0.1+0.2*x)");
    for (auto const& box : {small_box, skewed_box}) {
        auto context = context_of(reference_platform, system_of(force, count, box), positions);
        Tensor const found = context.virial();
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = row; column < 3; ++column)
                // Energies of some hundreds over 1e-4: see check_virial.
                CHECK(found[row][column]
                      == Approx(numerical_virial(context, positions, row, column)).epsilon(1e-6).margin(1e-5));
    }
}

TEST_CASE("virials of functions of points", "[virial]") {
    CustomCompoundBondForce force{
        .particles_per_bond = 4,
        .energy = CustomCompoundBondForce::formula(
            "k*(distance(p1, p2) - far)^2*cos(angle(p2, p1, p3)) + s*dihedral(p1, p2, p3, p4)^2*distance(p1, p3);"
            "far = pointdistance(x1, y1, z1, 0.5*(x3+x4), 0.5*(y3+y4), 0.5*(z3+z4)) + table(distance(p2, p3))",
            {{.name = "table", .sizes = {5}, .ranges = {{0, 4}}, .values = {1, 3, 2, 0.5, 1}}}),
        .parameter_names = {"k"},
        .tabulated_functions = {{.name = "table", .sizes = {5}, .ranges = {{0, 4}}, .values = {1, 3, 2, 0.5, 1}}},
        .global_parameters = {{"s", 3}}};
    check_both(chain_of(force, [](auto& f, int i) { f.bonds.push_back({{i, i + 1, i + 2, i + 3}, {1.0 + i}}); }));
    force.energy = CustomCompoundBondForce::formula("k*x1*y2 + s*z3^2*distance(p1, p4)");
    force.bonds = {{{0, 1, 2, 3}, {2}}, {{5, 4, 7, 9}, {3}}};
    force.tabulated_functions.clear();
    for (bool const periodic : {false, true}) {
        force.periodic = periodic;
        auto const positions = scattered(count, skewed_box, 0.2, 8);
        auto context = context_of(reference_platform, system_of(force, count, skewed_box), positions);
        Tensor const found = context.virial();
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = row; column < 3; ++column)
                CHECK(found[row][column]
                      == Approx(numerical_virial(context, positions, row, column)).epsilon(1e-6).margin(1e-6));
    }
}

TEST_CASE("virials of bonds between centroids", "[virial]") {
    CustomCentroidBondForce force{.groups_per_bond = 3,
                                  .energy = CustomCentroidBondForce::formula(
                                      "k*distance(g1, g2)^2 + 3*angle(g1, g2, g3) + distance(g1, g3)*distance(g2, g3)"),
                                  .parameter_names = {"k"},
                                  .groups = {{{0, 1, 2}}, {{3, 4}, {0.25, 0.5}}, {{5}}, {{6, 7, 8, 9, 10}}}};
    force.bonds = {{{0, 1, 2}, {3}}, {{2, 3, 1}, {5}}};
    check_both(force);
}

TEST_CASE("virials of donors, acceptors and sets", "[virial]") {
    CustomHbondForce bonds{
        .energy = CustomHbondForce::formula(
            "s*(distance(d1, a1) - 1.1)^4*(1 + cos(angle(d2, d1, a1)) + q*dihedral(d2, d1, a1, a2))"),
        .donor_parameter_names = {"q"},
        .global_parameters = {{"s", 30}},
        .cutoff_distance = 0.9};
    for (int i = 0; i < 4; ++i) bonds.donors.push_back({2 * i, 2 * i + 1, -1, {0.1 * i}});
    for (int i = 4; i < 7; ++i) bonds.acceptors.push_back({2 * i, 2 * i + 1, -1, {}});
    CustomManyParticleForce sets{
        .particles_per_set = 3,
        .energy = CustomManyParticleForce::formula(
            "s*(distance(p1, p2) - 1.1)^4*(distance(p1, p3) - 1.1)^4*(1 + angle(p2, p1, p3)*q1 + distance(p2, p3))"),
        .parameter_names = {"q"},
        .global_parameters = {{"s", 30}},
        .permutations = CustomManyParticleForce::Permutations::unique_central,
        .cutoff_distance = 0.9};
    for (std::size_t i = 0; i < count; ++i) sets.particles.push_back({{0.1 * static_cast<double>(i)}, 0});
    auto const check_methods = [](auto force) {
        using Method = typename decltype(force)::Method;
        for (auto const& box : {small_box, skewed_box})
            for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic}) {
                force.method = method;
                check_virial(force, off_cutoff(count, 0.9, box), box);
            }
    };
    check_methods(bonds);
    check_methods(sets);
}

TEST_CASE("virials of containers", "[virial]") {
    HarmonicBondForce const spring{.bonds = {{0, 13, 0.5, 20}, {3, 8, 0.2, 30}}, .periodic = true};
    CV variables{.global_parameters = {{"scale", 0.01}}};
    variables.energy = CV::formula("scale*a*b + 3*sin(a)", {});
    variables.add_variable("a", spring);
    variables.add_variable("b", ions());
    ATM transfer{.energy = RuntimeExpression("u0 + 0.3*(u1-u0) + 0.001*u0*u1"),
                 .particles = std::vector<Displacement>(count)};
    transfer.forces->add(ions());
    transfer.forces->add(spring);
    transfer.particles[5] =
        ParticleOffsetDisplacement{.destination1 = 3, .origin1 = 8, .destination0 = 1, .origin0 = 2};
    auto moved = transfer;
    moved.particles[2] = FixedDisplacement{{0.3, -0.1, 0.2}, {0, 0.1, 0}};
    CV nested{};
    nested.energy = CV::formula("0.1*v^2", {});
    nested.add_variable("v", transfer);
    auto const check = [](auto const& force, Box const& box, Invariance invariance) {
        auto const positions = off_cutoff(count, 0.9, box);
        auto context = context_of(reference_platform, system_of(force, count, box), positions);
        if (invariance == Invariance::rotation) return check_virial(context, positions);
        Tensor const found = context.virial();  // an external field is not invariant under rotation
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = row; column < 3; ++column)
                CHECK(found[row][column] == Approx(numerical_virial(context, positions, row, column)).epsilon(1e-5));
    };
    for (auto const& box : {small_box, skewed_box}) {
        check(variables, box, Invariance::rotation);
        check(transfer, box, Invariance::rotation);
        check(nested, box, Invariance::rotation);
        check(moved, box, Invariance::none);
    }
}

}  // namespace virial_terms_test
