// A user-defined force that is a sum of parts: bonds and pairs in one struct.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <tuple>

#include <trotter/base/archive.hpp>
#include <trotter/base/field.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/replicas/replicate.hpp>

#include "../forces/finite_differences.hpp"
#include "own_contexts.hpp"

using namespace trotter;
using Catch::Matchers::Contains;


namespace {

/// A chain with repulsive beads: two lists of terms and one of pairs, with a common global parameter.
struct BeadChain {
    static constexpr std::string_view name = "BeadChain";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double k = 300, length = 0.3;
    };
    struct Bend {
        int particle1 = 0, particle2 = 0, particle3 = 0;
        double k = 20;
    };
    struct Bead {
        double size = 0.35;
    };
    std::vector<Bond> bonds{};
    std::vector<Bend> bends{};
    std::vector<Bead> beads{};
    PairSettings near{.method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.8};
    std::vector<GlobalParameter> global_parameters{{"strength", 1.5}};
    std::vector<std::string> energy_parameter_derivatives{"strength"};
    int force_group = 0;
    bool periodic = true;

    static constexpr auto parts =
        std::tuple{Terms{&BeadChain::bonds, std::array{&Bond::particle1, &Bond::particle2}, std::array{Distance{"r", {0, 1}}},
                         std::array{Field{"k", "k", &Bond::k, Valid::not_negative}, Field{"length", "length", &Bond::length}},
                         Expression<"k/2*(r - length)^2">{}, true},
                   Terms{&BeadChain::bends, std::array{&Bend::particle1, &Bend::particle2, &Bend::particle3},
                         std::array{Angle{"theta", {0, 1, 2}}}, std::array{Field{"k", "k", &Bend::k}},
                         Expression<"strength*k*(1 + cos(theta))">{}},
                   Pairs{&BeadChain::beads, &BeadChain::near, std::array{Field{"size", "size", &Bead::size, Valid::positive}},
                         Expression<"strength*exp(-r/s)/r; s = (size1+size2)/2">{}}};
};

// Its parts as separate forces.
struct ChainSprings {
    static constexpr std::string_view name = "ChainSprings";
    std::vector<BeadChain::Bond> bonds{};
    int force_group = 0;
    bool periodic = true;

    static constexpr auto terms = &ChainSprings::bonds;
    static constexpr auto particles = std::get<0>(BeadChain::parts).particles;
    static constexpr auto variables = std::get<0>(BeadChain::parts).variables;
    static constexpr auto fields = std::get<0>(BeadChain::parts).fields;
    static constexpr Expression<"k/2*(r - length)^2"> energy{};
};
struct ChainBends {
    static constexpr std::string_view name = "ChainBends";
    std::vector<BeadChain::Bend> bends{};
    std::vector<GlobalParameter> global_parameters{{"strength", 1.5}};
    std::vector<std::string> energy_parameter_derivatives{"strength"};
    int force_group = 0;
    bool periodic = true;

    static constexpr auto terms = &ChainBends::bends;
    static constexpr auto particles = std::get<1>(BeadChain::parts).particles;
    static constexpr auto variables = std::get<1>(BeadChain::parts).variables;
    static constexpr auto fields = std::get<1>(BeadChain::parts).fields;
    static constexpr Expression<"strength*k*(1 + cos(theta))"> energy{};
};
struct ChainBeads {
    static constexpr std::string_view name = "ChainBeads";
    std::vector<BeadChain::Bead> beads{};
    PairSettings pairs{};
    std::vector<GlobalParameter> global_parameters{{"strength", 1.5}};
    std::vector<std::string> energy_parameter_derivatives{"strength"};
    int force_group = 0;

    static constexpr auto sites = &ChainBeads::beads;
    static constexpr auto fields = std::get<2>(BeadChain::parts).fields;
    static constexpr Expression<"strength*exp(-r/s)/r; s = (size1+size2)/2"> energy{};
};

int const bead_count = 24;
Box const bead_box = Box::rectangular(2, 2, 2);

Vectors chain_helix() {
    Vectors result;
    for (int n = 0; n < bead_count; ++n)
        result.push_back({0.25 * std::cos(1.1 * n), 0.25 * std::sin(1.1 * n), 0.13 * n});
    return result;
}
BeadChain bead_chain() {
    BeadChain result;
    for (int n = 0; n < bead_count; ++n) {
        result.beads.push_back({0.3 + 0.01 * (n % 3)});
        if (n > 0) result.bonds.push_back({n - 1, n}), result.near.exclusions.push_back({n - 1, n});
        if (n > 1) result.bends.push_back({n - 2, n - 1, n});
    }
    return result;
}
/// The sum of the separate parts.
template <class TestedBackend> Evaluation sum_of_forces(BeadChain const& chain, ParameterValues const& parameters) {
    System<ForceList<ChainSprings, ChainBends, ChainBeads>> system;
    system.box = bead_box;
    for (int n = 0; n < bead_count; ++n) system.add_particle(1);
    system.add(ChainSprings{.bonds = chain.bonds});
    system.add(ChainBends{.bends = chain.bends});
    system.add(ChainBeads{.beads = chain.beads, .pairs = chain.near});
    auto context = context_of<TestedBackend>(system, chain_helix());
    for (auto const& [name, value] : parameters) context.set_parameter(name, value);
    return evaluation(context);
}
template <class TestedBackend> Approx close_to_sum(double expected) {
    return Approx(expected).epsilon(10 * TestedBackend::rounding).margin(10 * TestedBackend::rounding * 100);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a force of parts is the sum of these", "[forces][devices]", TestedBackends) {
    for (double const strength : {1.5, 0.7}) {
        auto const whole = evaluate<TestType>(bead_chain(), chain_helix(), bead_box, {{"strength", strength}});
        auto const sum = sum_of_forces<TestType>(bead_chain(), {{"strength", strength}});
        CHECK(sum.energy > 20);
        CHECK(whole.energy == close_to_sum<TestType>(sum.energy));
        CHECK(whole.derivatives.at("strength") == close_to_sum<TestType>(sum.derivatives.at("strength")));
        for (std::size_t i = 0; i < whole.forces.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                CHECK(whole.forces[i][axis] == close_to_sum<TestType>(sum.forces[i][axis]));
    }
}

TEMPLATE_LIST_TEST_CASE("forces of a force of parts are gradients", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(own_system_of(bead_chain(), bead_count, bead_box), chain_helix());
    context.evaluate({});
    Vectors const forces = context.state(Forces).forces;
    CHECK(gradient_error(context, chain_helix(), forces) < (TestType::is_double ? 1e-5 : 0.2));
}

TEMPLATE_LIST_TEST_CASE("a force of parts takes over other numbers, all or none", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(own_system_of(bead_chain(), bead_count, bead_box), chain_helix());
    double const before = context.evaluate({});
    auto changed = bead_chain();
    changed.bonds[3].k = 500;
    changed.beads[5].size = 0.5;
    context.update(0, changed);
    CHECK(context.evaluate({}) == close_to_sum<TestType>(evaluate<TestType>(changed, chain_helix(), bead_box).energy));
    auto refused = bead_chain();
    refused.bonds[3].k = 600;
    refused.beads[5].size = -1;
    CHECK_THROWS_WITH(context.update(0, refused), Contains("particle 5") && Contains("size is -1"));
    CHECK(context.evaluate({}) == close_to_sum<TestType>(evaluate<TestType>(changed, chain_helix(), bead_box).energy));
    context.update(0, bead_chain());
    CHECK(context.evaluate({}) == close_to_sum<TestType>(before));
}

TEST_CASE("what is wrong in a part is told of as in a force of its own", "[forces]") {
    using Here = TestedBackend<Reference, Double>;
    auto missing = bead_chain(), negative = bead_chain(), infinite = bead_chain();
    missing.bends[2].particle3 = bead_count;
    CHECK_THROWS_WITH(context_of<Here>(own_system_of(missing, bead_count, bead_box)),
                      Contains("force 0 (BeadChain)") && Contains("there is no particle 24"));
    negative.bonds[1].k = -1;
    CHECK_THROWS_WITH(context_of<Here>(own_system_of(negative, bead_count, bead_box)), Contains("k is -1"));
    infinite.bonds[7].k = infinite.bonds[7].length = 1e200;
    auto context = context_of<Here>(own_system_of(infinite, bead_count, bead_box), chain_helix());
    CHECK_THROWS_WITH(context.step(1), Contains("force 0 (BeadChain)") && Contains("term 7"));
}

TEST_CASE("parts tie particles into molecules and take periodic images", "[forces]") {
    auto const system = own_system_of(bead_chain(), bead_count + 2, bead_box);
    CHECK(find_molecules(system).size() == 3);
    CHECK(is_periodic(system));
    auto open = bead_chain();
    open.near.method = PairSettings::Method::no_cutoff;
    open.periodic = false;
    CHECK_FALSE(is_periodic(own_system_of(open, bead_count, bead_box)));
    open.periodic = true;
    CHECK(is_periodic(own_system_of(open, bead_count, bead_box)));
}

TEST_CASE("a force of parts is copied with its System", "[forces]") {
    auto const one = own_system_of(bead_chain(), bead_count, bead_box);
    auto const three = replicate(one, 3);
    auto const& force = three.forces<BeadChain>()[0];
    CHECK(force.bonds.size() == 3 * bead_chain().bonds.size());
    CHECK(force.beads.size() == 3 * bead_count);
    CHECK(force.near.exclusions.size() == 3 * bead_chain().near.exclusions.size());
    CHECK(force.bends.back().particle3 == 3 * bead_count - 1);
    CHECK(find_molecules(three).size() == 3);
}

TEMPLATE_LIST_TEST_CASE("a force of parts goes on from a checkpoint", "[forces][devices]", TestedBackends) {
    auto make = [] {
        return Context<System<ForceList<BeadChain>>, typename TestType::Backend, typename TestType::Precision,
                       IntegratorList<VerletIntegrator>>(own_system_of(bead_chain(), bead_count, bead_box),
                                                         VerletIntegrator{.step_size = 0.0005}, {}, {});
    };
    auto through = make();
    through.set_positions(chain_helix());
    through.step(20);
    Archive saved;
    through.save(saved);
    through.step(20);
    auto resumed = make();
    Archive read(saved.bytes());
    resumed.load(read);
    resumed.step(20);
    CHECK(through.state(Positions).positions == resumed.state(Positions).positions);
}

TEST_CASE("a checkpoint of other parts is refused", "[forces]") {
    using Here = TestedBackend<Reference, Double>;
    auto context = context_of<Here>(own_system_of(bead_chain(), bead_count, bead_box), chain_helix());
    Archive saved;
    context.save(saved);
    auto longer = bead_chain(), larger = bead_chain(), excluding = bead_chain();
    longer.bonds[4].length += 0.1;
    larger.beads[4].size += 0.1;
    excluding.near.exclusions.push_back({0, 5});
    for (auto const& other : {longer, larger, excluding}) {
        auto changed = context_of<Here>(own_system_of(other, bead_count, bead_box), chain_helix());
        Archive read(saved.bytes());
        CHECK_THROWS_WITH(changed.load(read), Contains("force 0 (BeadChain)"));
    }
}
