// Validation of NonbondedForce and GBSAOBCForce, with error messages, and Ewald parameters chosen from a tolerance.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <functional>

#include <trotter/context/periodic_ranges.hpp>
#include <trotter/physics/gbsa_formula.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>

using namespace trotter;

namespace nonbonded_check_test {

using Catch::Matchers::Contains;
using Method = NonbondedForce::Method;

namespace {

std::string refusal(std::function<void(NonbondedForce&)> const& spoil, Box const& box = Box::rectangular(4, 4, 4)) {
    NonbondedForce force;
    force.particles.resize(3);
    force.method = Method::pme;
    force.global_parameters = {{"lambda", 1}};
    check(force, 3, box);
    spoil(force);
    try {
        check(force, 3, box);
    } catch (InputError const& error) {
        return error.what();
    }
    return "accepted";
}
double const not_a_number = std::nan("");

}  // namespace

TEST_CASE("senseless particles and exceptions", "[forces]") {
    CHECK(refusal([](auto& f) { f.particles.pop_back(); })
          == "there are parameters of 2 particles, expected 3 as in the System");
    CHECK_THAT(refusal([](auto& f) { f.particles[1].sigma = -1; }),
               Contains("particle 1: sigma is -1") && Contains("not negative"));
    CHECK_THAT(refusal([](auto& f) { f.particles[1].epsilon = -2; }), Contains("particle 1: epsilon is -2"));
    CHECK_THAT(refusal([](auto& f) { f.particles[2].charge = not_a_number; }),
               Contains("particle 2: charge is nan, expected a finite number"));
    CHECK_THAT(refusal([](auto& f) {
                   f.exceptions = {{0, 3, 0, 1, 0}};
               }),
               Contains("exception 0: there is no particle 3"));
    CHECK_THAT(refusal([](auto& f) { f.exceptions = {{-1, 2, 0, 1, 0}}; }), Contains("there is no particle -1"));
    CHECK_THAT(refusal([](auto& f) {
                   f.exceptions = {{2, 2, 0, 1, 0}};
               }),
               Contains("exception 0 pairs particle 2 with itself"));
    CHECK_THAT(refusal([](auto& f) {
                   f.exceptions = {{0, 1, 0, 1, 0}, {1, 0, 1, 1, 0}};
               }),
               Contains("exception 1 repeats the pair of particles 0 and 1 of exception 0"));
    CHECK_THAT(refusal([](auto& f) { f.exceptions = {{0, 1, 0, -1, 0}}; }), Contains("exception 0: sigma is -1"));
    CHECK_THAT(refusal([](auto& f) { f.exceptions = {{0, 1, 0, 1, -1}}; }), Contains("exception 0: epsilon is -1"));
}

TEST_CASE("senseless offsets", "[forces]") {
    CHECK_THAT(refusal([](auto& f) {
                   f.particle_offsets = {{"lambda", 3, 1, 0, 0}};
               }),
               Contains("particle offset 0: there is no particle 3; the force has 3"));
    CHECK_THAT(refusal([](auto& f) {
                   f.exception_offsets = {{"lambda", 0, 1, 0, 0}};
               }),
               Contains("exception offset 0: there is no exception 0"));
    CHECK_THAT(refusal([](auto& f) {
                   f.particle_offsets = {{"mu", 0, 1, 0, 0}};
               }),
               Contains("no global parameter 'mu'"));
    CHECK_THAT(refusal([](auto& f) {
                   f.particle_offsets = {{"lambda", 0, not_a_number, 0, 0}};
               }),
               Contains("the charge's scale is nan"));
}

TEST_CASE("senseless cutoffs, switches and meshes", "[forces]") {
    CHECK_THAT(refusal([](auto& f) { f.cutoff_distance = 0; }),
               Contains("the cutoff is 0.000000 nm, expected a positive number"));
    CHECK_THAT(refusal([](auto& f) { f.cutoff_distance = 2.001; }), Contains("expected at most 2.000000 nm"));
    CHECK(refusal([](auto& f) { f.cutoff_distance = 2; }) == "accepted");
    CHECK(refusal([](auto& f) { f.method = Method::no_cutoff, f.cutoff_distance = -1; }) == "accepted");
    CHECK(refusal([](auto& f) { f.method = Method::cutoff_non_periodic, f.cutoff_distance = 9; }) == "accepted");
    CHECK_THAT(refusal([](auto& f) { f.use_switching_function = true; }), Contains("the switching distance is -1"));
    CHECK_THAT(refusal([](auto& f) { f.use_switching_function = true, f.switching_distance = 1; }),
               Contains("below the cutoff of 1"));
    CHECK_THAT(refusal([](auto& f) { f.use_switching_function = true, f.switching_distance = 0; }),
               Contains("infinite"));
    CHECK_THAT(refusal([](auto& f) { f.ewald_error_tolerance = 0.5; }), Contains("the Ewald error tolerance is 0.5"));
    CHECK_THAT(refusal([](auto& f) { f.pme = {3, 4, 30, 30}; }), Contains("the PME mesh is 4 x 30 x 30"));
    CHECK_THAT(refusal([](auto& f) { f.pme.alpha = -3; }), Contains("PME alpha is -3"));
    CHECK_THAT(refusal([](auto& f) {
                   f.method = Method::ljpme, f.ljpme = {3, 30, 30, 0};
               }),
               Contains("the LJPME mesh is 30 x 30 x 0"));
    CHECK_THAT(refusal([](auto& f) { f.method = Method::cutoff_periodic, f.reaction_field_dielectric = -0.5; }),
               Contains("dielectric is -0.5"));
    CHECK(refusal([](auto& f) { f.method = Method::cutoff_periodic, f.reaction_field_dielectric = 0; }) == "accepted");
    CHECK_THAT(refusal([](auto& f) { f.reciprocal_force_group = -2; }), Contains("the reciprocal force group is -2"));
    Box const skewed{{4, 0, 0}, {1, 4, 0}, {0, 0, 4}};
    CHECK_THAT(refusal([](auto& f) { f.method = Method::ewald; }, skewed), Contains("rectangular"));
    CHECK(refusal([](auto&) {}, skewed) == "accepted");
    NonbondedForce live{.method = Method::ewald, .cutoff_distance = 2};
    PeriodicRanges ranges;
    ranges.set(0, live);
    ranges.check({}, {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}});
    CHECK_THROWS_WITH(ranges.check({}, skewed), Contains("the periodic box has become triclinic"));
    live.method = Method::pme;
    ranges.set(0, live);
    ranges.check({}, skewed);
}

TEST_CASE("meshes that no machine holds are refused with what they would take", "[forces]") {
    Box const large = Box::rectangular(1e5, 1e5, 1e5), flat = Box::rectangular(1e5, 2.5, 2.5);
    CHECK(refusal([](auto& f) { f.ewald_error_tolerance = 1e-12; })
          .starts_with("the mesh of charges would be 3477 x 3477 x 3477 and take at least 336283 MB (Ewald error tolerance "
                       "1e-12, cutoff 1 nm, periodic box 4 x 4 x 4 nm); expected at most 100000 along an axis, 1073741824 "
                       "in all, and the "));
    CHECK_THAT(refusal([](auto& f) { f.ewald_error_tolerance = 1e-300; }),
               Contains("(Ewald error tolerance 1e-300, cutoff 1 nm"));
    CHECK(refusal([](auto& f) { f.method = Method::ewald, f.ewald_error_tolerance = 1e-40; })
          == "the Ewald error tolerance is 1e-40, expected at least 1e-16");
    CHECK(refusal([](auto& f) { f.method = Method::ewald, f.ewald_error_tolerance = 1e-16; }) == "accepted");
    CHECK_THAT(refusal([](auto& f) { f.pme = {3, 2000, 2000, 2000}; }), Contains("the mesh of charges would be 2000 x 2000"));
    CHECK_THAT(refusal([](auto& f) { f.method = Method::ljpme, f.ljpme = {3, 100'001, 5, 5}; }),
               Contains("the mesh of dispersion would be 100001 x 5 x 5"));
    for (auto const method : {Method::ewald, Method::pme, Method::ljpme})
        for (auto const& box : {large, flat, Box::rectangular(1e300, 2.5, 2.5)}) {
            NonbondedForce force{.method = method};
            force.particles.resize(1);
            CHECK_THROWS_WITH(check(force, 1, box), Contains("nm); expected at most 100000 along an axis"));
        }
    // 15 MB
    NonbondedForce const force{.method = Method::pme, .pme = {3, 100, 150, 128}};
    CHECK_THROWS_WITH(reciprocal_charges(force, MeshKind::coulomb, Box::rectangular(4, 4, 4), 15e6), Contains("and the 15 MB that there are"));
    CHECK(reciprocal_charges(force, MeshKind::coulomb, Box::rectangular(4, 4, 4), 16e6)->mesh().nx == 100);
}

TEST_CASE("alpha, meshes and wave vectors are OpenMM's", "[forces]") {
    NonbondedForce force;
    force.method = Method::ljpme;
    force.cutoff_distance = 0.9;
    Box const box = Box::rectangular(6.2230, 6.2230, 2);
    auto const mesh_for = [&](Box const& in, MeshKind kind = MeshKind::coulomb) {
        return reciprocal_charges(force, kind, in)->mesh();
    };
    auto const mesh = mesh_for(box), coarse = mesh_for(box, MeshKind::dispersion);
    CHECK(mesh.alpha == std::sqrt(-std::log(1e-3)) / 0.9);
    // 2·2.9202·6.223/(3·0.2187) = 55.4
    CHECK((mesh.nx == 56 && mesh.ny == 56 && mesh.nz == 18));
    CHECK((coarse.nx == 28 && coarse.nz == 9));
    CHECK(mesh_for(Box::rectangular(0.1, 2, 2)).nx == 6);
    force.pme = {3, 20, 21, 22};
    CHECK((mesh_for(box).alpha == 3 && mesh_for(box).nz == 22));

    auto const [alpha, limit] = chosen_waves({force.cutoff_distance, force.ewald_error_tolerance}, 0, box);
    for (std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
        double const scale = (axis == 0 ? 6.2230 : 2) * alpha;
        auto error = [&](int k) {
            return 0.05 * std::sqrt(scale) * k * std::exp(-std::pow(3.14159265358979 * k / scale, 2));
        };
        CHECK(limit[axis] % 2 == 1);
        CHECK(error(limit[axis]) < 5e-4);
        CHECK(error(limit[axis] - 2) >= 5e-4);
    }
}

TEST_CASE("senseless generalized Born parameters", "[forces]") {
    auto refusal = [](auto const& spoil) -> std::string {
        GBSAOBCForce force;
        force.particles = {{1, 0.1, 0.8}, {-1, 0.1, 0.8}};
        force.method = GBSAOBCForce::Method::cutoff_periodic;
        check(force, 2, {});
        spoil(force);
        try {
            check(force, 2, {});
        } catch (InputError const& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK_THAT(refusal([](auto& f) { f.particles.pop_back(); }), Contains("parameters of 1 particles, expected 2"));
    CHECK_THAT(refusal([](auto& f) { f.particles[1].radius = 0; }), Contains("particle 1: radius is 0.0"));
    CHECK_THAT(refusal([](auto& f) { f.particles[1].radius = 0.009; }),
               Contains("more than the dielectric offset of 0.009 nm"));
    CHECK_THAT(refusal([](auto& f) { f.particles[0].scale_factor = -1; }), Contains("particle 0: scale_factor is -1"));
    CHECK_THAT(refusal([](auto& f) { f.particles[0].charge = not_a_number; }), Contains("charge is nan"));
    CHECK_THAT(refusal([](auto& f) { f.cutoff_distance = 1.1; }), Contains("expected at most 1.0"));
    CHECK_THAT(refusal([](auto& f) { f.solvent_dielectric = not_a_number; }), Contains("a dielectric constant is nan"));
    CHECK(refusal([](auto& f) { f.solvent_dielectric = 0; }) == "accepted");
    CHECK(GBSAOBCForce{.solvent_dielectric = 0}.prefactor() == 0);
    CHECK_THAT(refusal([](auto& f) { f.surface_area_energy = not_a_number; }),
               Contains("the surface area energy is nan"));
}

}  // namespace nonbonded_check_test
