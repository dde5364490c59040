// A user-defined force with its own charges on a mesh, against NonbondedForce.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include <trotter/base/archive.hpp>
#include <trotter/base/field.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/reference/observables.hpp>
#include <trotter/replicas/replicate.hpp>

#include "../forces/finite_differences.hpp"
#include "own_contexts.hpp"

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

struct MeshCoulomb {
    static constexpr std::string_view name = "MeshCoulomb";
    struct Site {
        double charge = 0;
    };
    std::vector<Site> sites{};
    PairSettings pairs{.method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.9};
    MeshSettings mesh{5, 24, 25, 27};
    int force_group = 0;

    static constexpr auto parts =
        std::tuple{Pairs{&MeshCoulomb::sites, &MeshCoulomb::pairs, std::array{Field{"q", &Site::charge}},
                         Expression<"138.935457644382*q1*q2*erfc(5*r)/r">{}},
                   Mesh{&MeshCoulomb::sites, &Site::charge, &MeshCoulomb::pairs, &MeshCoulomb::mesh}};
};

int const ion_count = 60;

/// Positions at least 0.3 nm apart; some are in other cells, and the net charge is not zero.
Vectors ion_places() {
    Vectors result;
    for (int n = 0; n < ion_count; ++n)
        result.push_back(Vec3<>{0.42 * (n % 4) + 0.03 * std::sin(n), 0.44 * (n / 4 % 4) + 0.03 * std::cos(2 * n),
                                0.5 * (n / 16) + 0.03 * std::sin(3 * n)}
                         + skewed_box.a * (n % 7 == 0 ? 1 : 0));
    return result;
}
MeshCoulomb charges_on_mesh() {
    MeshCoulomb result;
    for (int n = 0; n < ion_count; ++n) result.sites.push_back({0.3 + std::sin(1.7 * n)});
    // The third crosses a face of the box.
    result.pairs.exclusions = {{0, 1}, {5, 9}, {3, 20}, {17, 16}};
    return result;
}
NonbondedForce as_nonbonded(MeshCoulomb const& force) {
    NonbondedForce result{.method = NonbondedForce::Method::pme,
                          .cutoff_distance = 0.9,
                          .use_dispersion_correction = false,
                          .pme = force.mesh,
                          .exceptions_use_periodic = true};
    for (auto const& site : force.sites) result.particles.push_back({site.charge, 0.3, 0});
    for (auto const& [i, j] : force.pairs.exclusions) result.exceptions.push_back({i, j, 0, 0.3, 0});
    return result;
}
using Here = TestedBackend<Reference, Double>;
Evaluation expected_of(MeshCoulomb const& force) { return evaluate<Here>(as_nonbonded(force), ion_places(), skewed_box); }

template <class TestedBackend> void check_as_expected(Evaluation const& found, MeshCoulomb const& force) {
    auto const expected = expected_of(force);
    double const scale = std::abs(expected.energy);
    CHECK(found.energy == Approx(expected.energy).epsilon(0).margin(10 * TestedBackend::rounding * scale));
    for (std::size_t i = 0; i < found.forces.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            CHECK(found.forces[i][axis]
                  == Approx(expected.forces[i][axis]).epsilon(0).margin(10 * TestedBackend::rounding * scale));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("charges on a mesh of a force's own are those of NonbondedForce", "[forces][devices]",
                        TestedBackends) {
    REQUIRE(std::abs(expected_of(charges_on_mesh()).energy) > 1000);
    check_as_expected<TestType>(evaluate<TestType>(charges_on_mesh(), ion_places(), skewed_box), charges_on_mesh());
}

TEMPLATE_LIST_TEST_CASE("forces of charges on a mesh are gradients", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(own_system_of(charges_on_mesh(), ion_count, skewed_box), ion_places());
    context.evaluate({});
    Vectors const forces = context.state(Forces).forces;
    CHECK(gradient_error(context, ion_places(), forces) < (TestType::is_double ? 1e-2 : 20));
}

TEMPLATE_LIST_TEST_CASE("charges on a mesh are updated, all or none", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(own_system_of(charges_on_mesh(), ion_count, skewed_box), ion_places());
    context.evaluate({});
    auto changed = charges_on_mesh();
    changed.sites[7].charge = 2.5;
    context.update(0, changed);
    check_as_expected<TestType>(evaluation(context), changed);
    auto finer = charges_on_mesh();
    finer.mesh.nx = 30;
    CHECK_THROWS_WITH(context.update(0, finer), Contains("only charges can be updated"));
    check_as_expected<TestType>(evaluation(context), changed);
}

TEMPLATE_LIST_TEST_CASE("charges on a mesh go on from a checkpoint", "[forces][devices]", TestedBackends) {
    auto const system = own_system_of(charges_on_mesh(), ion_count, skewed_box);
    auto through = context_of<TestType>(system, ion_places());
    through.step(20);
    Archive saved;
    through.save(saved);
    through.step(20);
    auto resumed = context_of<TestType>(system);
    Archive read(saved.bytes());
    resumed.load(read);
    resumed.step(20);
    CHECK(through.state(Positions).positions == resumed.state(Positions).positions);
}

TEST_CASE("the virial of charges on a mesh is that of NonbondedForce", "[forces]") {
    auto own = context_of<Here>(own_system_of(charges_on_mesh(), ion_count, skewed_box), ion_places());
    auto other = context_of<Here>(own_system_of(as_nonbonded(charges_on_mesh()), ion_count, skewed_box), ion_places());
    Tensor const found = virial(own), expected = virial(other);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            CHECK(found[row][column] == Approx(expected[row][column]).epsilon(1e-9).margin(1e-6));
}

TEST_CASE("a mesh takes part in what is asked of a System", "[forces]") {
    auto open = charges_on_mesh();
    open.pairs.method = PairSettings::Method::no_cutoff;
    CHECK(is_periodic(own_system_of(open, ion_count, skewed_box)));
    auto const three = replicate(own_system_of(charges_on_mesh(), ion_count, skewed_box), 3);
    CHECK(three.forces<MeshCoulomb>()[0].sites.size() == 3 * ion_count);
    CHECK(three.forces<MeshCoulomb>()[0].pairs.exclusions.size() == 12);
    auto context = context_of<Here>(own_system_of(charges_on_mesh(), ion_count, skewed_box), ion_places());
    Archive saved;
    context.save(saved);
    auto other = charges_on_mesh();
    other.mesh.alpha = 5.1;
    auto changed = context_of<Here>(own_system_of(other, ion_count, skewed_box), ion_places());
    Archive read(saved.bytes());
    CHECK_THROWS_WITH(changed.load(read), Contains("force 0 (MeshCoulomb)"));
}

TEMPLATE_LIST_TEST_CASE("meshes and charges that make no sense are refused", "[forces][devices]", TestedBackends) {
    auto const refused = [](auto const& change) {
        auto force = charges_on_mesh();
        change(force);
        try {
            context_of<TestType>(own_system_of(force, ion_count, skewed_box));
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    CHECK_THAT(refused([](auto& f) { f.mesh.alpha = 0; }), Contains("Ewald alpha is 0.000000 per nm, expected a positive number"));
    CHECK_THAT(refused([](auto& f) { f.mesh.ny = 4; }), Contains("the Ewald mesh is 24 x 4 x 27, expected at least 5"));
    CHECK_THAT(refused([](auto& f) { f.mesh.nz = 100'001; }), Contains("the Ewald mesh would be 24 x 25 x 100001"));
    CHECK_THAT(refused([](auto& f) { f.sites.pop_back(); }), Contains("parameters of 59 particles, expected 60"));
    CHECK_THAT(refused([](auto& f) { f.sites[3].charge = std::numeric_limits<double>::infinity(); }), Contains("particle 3"));
    CHECK_THAT(refused([](auto& f) { f.pairs.exclusions[1] = {4, 4}; }), Contains("exclusion 1 pairs particle 4 with itself"));
}
