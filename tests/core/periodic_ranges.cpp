// Periodic boxes that become too small for the cutoffs of forces.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "catch_compat.hpp"

#include <trotter/context/periodic_ranges.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

/// Bonds, and pairs within a cutoff.
struct BondedPairs {
    static constexpr std::string_view name = "BondedPairs";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double k = 1;
    };
    struct Site {
        double charge = 0;
    };
    std::vector<Bond> bonds{};
    std::vector<Site> sites{};
    PairSettings settings{.method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.7};
    int force_group = 0;

    static constexpr auto parts = std::tuple{
        Terms{&BondedPairs::bonds, std::array{&Bond::particle1, &Bond::particle2}, std::array{Distance{"r", {0, 1}}},
              std::array{Field{"k", &Bond::k}}, Expression<"k*r^2">{}},
        Pairs{&BondedPairs::sites, &BondedPairs::settings, std::array{Field{"charge", &Site::charge}},
              Expression<"charge1*charge2/r">{}}};
};

Box cube(double edge) { return Box::rectangular(edge, edge, edge); }

}  // namespace

TEST_CASE("How far forces reach between nearest images") {
    CHECK(periodic_reach(HarmonicBondForce{.periodic = true}) == 0);
    CHECK(periodic_reach(NonbondedForce{.method = NonbondedForce::Method::no_cutoff}) == 0);
    CHECK(periodic_reach(NonbondedForce{.method = NonbondedForce::Method::cutoff_non_periodic}) == 0);
    CHECK(periodic_reach(NonbondedForce{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9}) == 0.9);
    CHECK(periodic_reach(GBSAOBCForce{.method = GBSAOBCForce::Method::cutoff_periodic, .cutoff_distance = 2}) == 2);
    CHECK(periodic_reach(LCPOForce{.particles = {{.radius = 0.2}, {.radius = 0.3}}, .periodic = true}) == 0.6);
    CHECK(periodic_reach(LCPOForce{.particles = {{.radius = 0.3}}}) == 0);
    CHECK(periodic_reach(BondedPairs{}) == 0.7);
}

TEST_CASE("A box that has become too narrow for a force that is wanted is refused") {
    System<ForceList<HarmonicBondForce, NonbondedForce>> system;
    for (int n = 0; n < 2; ++n) system.add_particle(10);
    system.box = cube(2);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 100}}, .periodic = true});
    NonbondedForce pairs{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 1, .force_group = 3};
    pairs.particles = {{0.1, 0.3, 0.1}, {-0.1, 0.3, 0.1}};
    system.add(pairs);
    Context context{system, VerletIntegrator{.step_size = 0.001}, Reference{}, Double{}};
    context.set_positions({{0, 0, 0}, {0.5, 0, 0}});
    context.set_box(cube(1.9));
    CHECK_THROWS_WITH(context.evaluate({}), "NonbondedForce: the periodic box has become 1.900000 nm wide, less than twice "
                                            "the cutoff of 1.000000 nm");
    CHECK_THROWS_AS(context.evaluate_one(1), SimulationError);
    CHECK_THROWS_AS(context.step(1), SimulationError);
    CHECK(context.step_count() == 0);
    CHECK(context.evaluate({ForceGroups::only({0})}) == Approx(0.5 * 100 * 0.16));
    CHECK(context.evaluate_one(0) == Approx(8));
    context.set_box(cube(2));
    CHECK(std::isfinite(context.evaluate({})));
}
