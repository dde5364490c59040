// Observables on request, on every backend: virials with virtual sites, energies of terms and between groups.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/forces/callback_force.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/forces/rg.hpp>

#include <trotter/reference/observables.hpp>

#include "../forces/strain.hpp"
#include "own_contexts.hpp"

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

constexpr std::size_t mixture_size = 14;
constexpr double mixture_cutoff = 0.9;
using OnReference = TestedBackend<Reference, Double>;

struct PairSpring {
    double operator()(Configuration const& at, std::span<Vec3<>> forces) const {
        Vec3<> const d = at.positions[0] - at.positions[1];
        forces[0] = -d;
        forces[1] = d;
        return dot(d, d) / 2;
    }
};
using Callback = CallbackForce<PairSpring>;
using TestSystem = System<ForceList<HarmonicBondForce, HarmonicAngleForce, NonbondedForce, CustomNonbondedForce,
                                    CustomCentroidBondForce, RGForce, MonteCarloFlexibleBarostat, Callback>>;

NonbondedForce ions(NonbondedForce::Method method = NonbondedForce::Method::pme) {
    NonbondedForce force{.method = method, .cutoff_distance = mixture_cutoff};
    for (std::size_t i = 0; i < mixture_size; ++i)
        force.particles.push_back({0.3 * static_cast<double>(i % 5) - 0.5, 0.2, 0.4});
    force.exceptions = {{0, 1, 0, 0.2, 0}, {2, 3, 0.1, 0.2, 0.3}, {3, 11, -0.1, 0.2, 0.3}};
    return force;
}
HarmonicBondForce bonds() { return {.bonds = {{0, 1, 0.3, 200}, {2, 3, 0.4, 300}}, .periodic = true}; }
CustomNonbondedForce repulsion() {
    CustomNonbondedForce force{.energy = RuntimeExpression("a1*a2*exp(-3*r)"),
                               .parameter_names = {"a"},
                               .pairs = {.method = PairSettings::Method::cutoff_periodic,
                                         .cutoff_distance = mixture_cutoff,
                                         .exclusions = {{0, 1}, {4, 7}}}};
    for (std::size_t i = 0; i < mixture_size; ++i) force.particles.push_back({1 + 0.1 * static_cast<double>(i)});
    return force;
}
TestSystem mixture(Box const& box) {
    TestSystem system;
    system.box = box;
    for (std::size_t i = 0; i < mixture_size; ++i) system.add_particle(static_cast<double>(i + 1));
    system.add(bonds());
    system.add(ions());
    system.add(repulsion());
    system.add(HarmonicAngleForce{.angles = {{0, 1, 2, 1.8, 30}, {3, 4, 5, 1.7, 20}}, .force_group = 3});
    system.add(CustomCentroidBondForce{.groups_per_bond = 2,
                                       .energy = CustomCentroidBondForce::formula("distance(g1, g2)^2"),
                                       .groups = {{{0, 1, 2}}, {{3, 4}}, {{5}}},
                                       .bonds = {{{0, 1}, {}}, {{1, 2}, {}}}});
    system.add(RGForce{});
    return system;
}
double sum_of(std::vector<TermEnergy> const& terms) {
    double sum = 0;
    for (auto const& term : terms) sum += term.energy;
    return sum;
}
template <class TestedBackend> constexpr double position_tolerance =
    TestedBackend::is_double ? 1e-12 : 1e-5;  // rounding of positions in float

/// Virtual sites of every kind, some of them depending on others: see common/virtual_sites.cpp.
Particles particles_with_sites() {
    double const root = std::sqrt(0.75);
    std::array<Vec3<>, 3> const third_of_a_turn{Vec3<>{-0.5, -root, 0}, Vec3<>{root, -0.5, 0}, Vec3<>{0, 0, 1}};
    std::array<Vec3<>, 3> const half_a_turn{Vec3<>{-1, 0, 0}, Vec3<>{0, -1, 0}, Vec3<>{0, 0, 1}};
    Particles particles;
    particles.masses.assign(mixture_size, 0.0);
    std::fill_n(particles.masses.begin(), 4, 12.0);
    particles.virtual_sites = {
        {4, TwoParticleAverageSite{0, 1, 0.3, 0.7}},
        {5, ThreeParticleAverageSite{0, 1, 2, 0.5, 0.2, 0.3}},
        {6, OutOfPlaneSite{0, 1, 2, 0.4, 0.3, 2.5}},
        {7, LocalCoordinatesSite{{0, 1, 2}, {0.2, 0.3, 0.5}, {-1, 0.5, 0.5}, {0, -1, 1}, {0.06, -0.04, 0.08}}},
        {8, TwoParticleAverageSite{3, 6, 0.4, 0.5}},  // depends on the origin, since the weights do not add up to 1
        {9, LocalCoordinatesSite{{3, 1}, {0.5, 0.5}, {1, -1}, {0, 0}, {0.1, 0.2, 0.3}}},
        {10, SymmetrySite{3, third_of_a_turn, {0.1, 0.25, -0.3}, false}},
        {11, SymmetrySite{2, half_a_turn, {0, 0, 0.5}, true}},
        {12, OutOfPlaneSite{7, 13, 2, -0.4, 0.6, 1.5}},
        {13, TwoParticleAverageSite{11, 10, 0.25, 0.75}}};
    return particles;
}

}  // namespace

TEST_CASE("virials of virtual sites of every kind, which follow their particles", "[virial]") {
    for (auto const& box : {small_box, skewed_box})
        for (unsigned const seed : {3u, 4u}) {
            auto positions = scattered(mixture_size, box, 0.4, seed);
            TestSystem system;
            system.box = box;
            system.particles = particles_with_sites();
            system.add(ions(NonbondedForce::Method::no_cutoff));
            system.add(HarmonicBondForce{.bonds = {{4, 12, 0.3, 20}, {11, 9, 0.4, 30}, {13, 8, 0.1, 10}, {6, 10, 1, 3}},
                                         .periodic = true});
            auto reciprocal = ions();
            reciprocal.include_direct_space = false;
            system.add(reciprocal);
            auto context = context_of<OnReference>(system, positions);
            context.compute_virtual_sites();
            positions = context.positions();
            Tensor const found = virial(context);  // not symmetric: symmetry sites are not invariant under rotation
            for (std::size_t row = 0; row < 3; ++row)
                for (std::size_t column = row; column < 3; ++column) {
                    CAPTURE(seed, row, column);
                    CHECK(found[row][column]
                          == Approx(numerical_virial(context, positions, row, column)).epsilon(1e-6).margin(1e-4));
                }
        }
}

TEMPLATE_LIST_TEST_CASE("what is computed on request is that of Reference, and changes nothing", "[observables][devices]",
                        TestedBackends) {
    auto const system = mixture(skewed_box);
    auto const positions = scattered(mixture_size, skewed_box, 0.3, 5);
    auto here = context_of<TestType>(system, positions);
    auto there = context_of<OnReference>(system, positions);
    Vectors velocities;
    for (auto const& x : positions) velocities.push_back(x * 0.3 - Vec3<>{0.1, 0.2, 0.3});
    here.set_velocities(velocities);
    there.set_velocities(velocities);
    auto const before = here.state(Positions | Velocities | Energy | Forces);
    auto const first = ForceGroups::only({0});
    for (auto const& [found, expected] : {std::pair{virial(here), virial(there)},
                                          {virial(here, first), virial(there, first)},
                                          {pressure_tensor(here), pressure_tensor(there)}})
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                CHECK(found[row][column]
                      == Approx(expected[row][column])
                             .epsilon(position_tolerance<TestType>)
                             .margin(position_tolerance<TestType> * std::abs(expected.trace())));
    CHECK(interaction_energy(here, 2, {0, 1, 2}, {5, 6, 9})
          == Approx(interaction_energy(there, 2, {0, 1, 2}, {5, 6, 9})).epsilon(position_tolerance<TestType>));
    for (int force = 0; force < system.force_count(); ++force)
        CHECK(sum_of(term_energies(here, force))
              == Approx(there.evaluate_one(force)).epsilon(position_tolerance<TestType>).margin(1e-12));
    auto const after = here.state(Positions | Velocities | Energy | Forces);
    CHECK(after.positions == before.positions);
    CHECK(after.velocities == before.velocities);
    CHECK(after.forces == before.forces);
}

TEST_CASE("a virial follows the parameters of the Context", "[virial]") {
    TestSystem system = mixture(small_box);
    auto force = repulsion();
    force.energy = RuntimeExpression("scale*exp(-3*r)");
    force.global_parameters = {{"scale", 2}};
    force.force_group = 5;
    system.add(force);
    auto context = context_of<OnReference>(system, scattered(mixture_size, small_box, 0.3, 5));
    auto const trace = [&] { return virial(context, ForceGroups::only({5})).trace(); };
    double const before = trace();
    context.set_parameter("scale", 6);
    CHECK(trace() == Approx(3 * before).epsilon(1e-12));
}

TEST_CASE("terms and their energies", "[observables]") {
    auto const positions = scattered(mixture_size, small_box, 0.3, 5);
    auto context = context_of<OnReference>(mixture(small_box), positions);
    auto const found = term_energies(context, 0);
    REQUIRE(found.size() == 2);
    CHECK(found[1].particles == std::vector{2, 3});
    double const r = norm(small_box.minimum_image(positions[2] - positions[3]));
    CHECK(found[1].energy == Approx(150 * (r - 0.4) * (r - 0.4)).epsilon(1e-13));
    CHECK(term_energies(context, 3)[1].particles == std::vector{3, 4, 5});
    CHECK(term_energies(context, 4)[1].particles == std::vector{1, 2});  // groups
    auto const whole = term_energies(context, 5);
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].particles.empty());
}

TEST_CASE("the parts of a NonbondedForce", "[observables]") {
    using Method = NonbondedForce::Method;
    auto const positions = off_cutoff(mixture_size, mixture_cutoff, small_box);
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic, Method::ewald, Method::pme, Method::ljpme}) {
        CAPTURE(static_cast<int>(method));
        auto const force = ions(method);
        auto context = context_of<OnReference>(own_system_of(force, mixture_size, small_box), positions);
        auto const terms = term_energies(context, 0);
        CHECK(sum_of(terms) == Approx(context.evaluate({})).epsilon(1e-12));
        auto const part = [&](std::string const& name) {
            double sum = 0;
            for (auto const& term : terms)
                if (term.part == name) sum += term.energy;
            return sum;
        };
        auto only = [&](auto change) {
            auto other = force;
            change(other);
            return evaluate(reference_platform, other, positions, small_box).energy;
        };
        auto const exceptions = [](NonbondedForce& f) {
            for (auto& particle : f.particles) particle.charge = particle.epsilon = 0;
        };
        auto const dispersion = [](NonbondedForce& f) {
            for (auto& particle : f.particles) particle.charge = 0;
            for (auto& exception : f.exceptions) exception.charge_product = exception.epsilon = 0;
            f.use_dispersion_correction = false;
        };
        CHECK(part("exception") == Approx(only(exceptions)).epsilon(1e-12));
        if (method != Method::ljpme) CHECK(part("Lennard-Jones within the cutoff") == Approx(only(dispersion)));
        auto with_reciprocal = force;
        with_reciprocal.include_direct_space = false;
        CHECK(part("reciprocal space") + part("self energy and background")
              == Approx(evaluate(reference_platform, with_reciprocal, positions, small_box).energy).margin(1e-10));
    }
}

TEST_CASE("the energy between two groups of particles", "[observables]") {
    auto const positions = scattered(mixture_size, small_box, 0.3, 5);
    auto system = mixture(small_box);
    auto context = context_of<OnReference>(system, positions);
    std::vector<int> const first{0, 1, 2, 3}, second{3, 4, 5, 7, 11};
    // The same by interaction groups. A pair with both particles in both groups counts once.
    auto grouped = repulsion();
    grouped.interaction_groups = {{{0, 1, 2, 3}, {3, 4, 5, 7, 11}}};
    CHECK(interaction_energy(context, 2, first, second)
          == Approx(evaluate(reference_platform, grouped, positions, small_box).energy).epsilon(1e-12));
    double between_pairs = 0;
    auto const plain = ions(NonbondedForce::Method::no_cutoff);
    auto direct = context_of<OnReference>(own_system_of(plain, mixture_size, small_box), positions);
    for (int const i : first)
        for (int const j : second)
            if (i != j) between_pairs += interaction_energy(direct, 0, {i}, {j});
    CHECK(interaction_energy(direct, 0, first, second) == Approx(between_pairs).epsilon(1e-12));
    std::vector<int> everything;
    for (int i = 0; i < static_cast<int>(mixture_size); ++i) everything.push_back(i);
    CHECK(interaction_energy(direct, 0, everything, everything) == Approx(direct.evaluate({})).epsilon(1e-12));
    auto const terms = term_energies(direct, 0);
    auto const exception = std::find_if(terms.begin(), terms.end(), [](auto const& term) {
        return term.particles == std::vector{2, 3};
    });
    REQUIRE(exception != terms.end());
    CHECK(interaction_energy(direct, 0, {2}, {3}) == Approx(exception->energy).epsilon(1e-12));
}

TEST_CASE("what cannot be computed is refused", "[observables]") {
    TestSystem system = mixture(small_box);
    system.add(Callback{.function = {}, .particles = {0, 1}, .periodic = true, .force_group = 7});
    auto const positions = scattered(mixture_size, small_box, 0.3, 5);
    auto context = context_of<OnReference>(system, positions);
    REQUIRE_THROWS_AS(virial(context), UnsupportedError);
    REQUIRE_THROWS_WITH(
        virial(context),
        Contains("force 6 (CallbackForce): its function does not say how the energy depends on the box"));
    CHECK(std::isfinite(virial(context, ForceGroups::only({0})).trace()));
    // A function independent of the box has the virial of its forces.
    Callback const open{.function = {}, .particles = {0, 1}};
    auto alone = context_of<OnReference>(own_system_of(open, mixture_size, small_box), positions);
    check_virial(alone, positions);
    REQUIRE_THROWS_AS(interaction_energy(context, 0, {0}, {1}), InputError);
    REQUIRE_THROWS_WITH(interaction_energy(context, 0, {0}, {1}),
                        Contains("force 0 (HarmonicBondForce): it is no sum over pairs of particles"));
    REQUIRE_THROWS_WITH(interaction_energy(context, 1, {0}, {14}),
                        Contains("entry of a group 0: there is no particle 14"));
    REQUIRE_THROWS_WITH(term_energies(context, 7), Contains("there is no force 7; the System has 7"));
    auto lone = context_of<OnReference>(own_system_of(RGForce{}, mixture_size), positions);
    REQUIRE_THROWS_AS(pressure_tensor(lone), InputError);
    REQUIRE_THROWS_WITH(pressure_tensor(lone),
                        Contains("a pressure needs a periodic System, but none of its forces takes periodic images"));
}
