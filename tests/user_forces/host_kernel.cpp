// Kernels that compute on the host for every backend, and forces that depend on another force of their System.
// SPDX-License-Identifier: MIT
#include <trotter/trotter.hpp>

#include <trotter/common/fallback/define_host_kernel.hpp>

#include "own_contexts.hpp"

namespace trotter {

/// The stiffness of a Tether [kJ/mol/nm²].
struct Stiffness {
    static constexpr std::string_view name = "Stiffness";
    static constexpr bool is_all_members = true;

    double value = 1;
    int force_group = 0;
};

/// Springs to the origin, with the stiffness of another force.
struct Tether {
    static constexpr std::string_view name = "Tether";
    static constexpr bool is_all_members = true;
    using Answer = double;  ///< sum of squared distances [nm²]

    double scale = 1;
    std::optional<Stiffness> stiffness{};
    int force_group = 0;

    template <class List> Tether joined_with(System<List> const& system) const {
        Tether result = *this;
        for (auto const& found : system.template forces<Stiffness>()) result.stiffness = found;
        return result;
    }
};

template <> inline constexpr bool has_host_kernel<Tether> = true;
template <> inline constexpr bool has_host_kernel<Stiffness> = true;

template <> class HostKernel<Tether>::Implementation {
public:
    Implementation(Tether const& force, HostState& host, Registration) {
        host.parameters.declare("tether", 1);
        host.parameter_derivatives.emplace("tether", 0);
        update(force, host);
    }
    void update(Tether const& force, HostState&) {
        if (!force.stiffness) throw InputError("a Tether needs a Stiffness");
        k_ = force.scale * force.stiffness->value;
    }
    double compute(HostEvaluation const& evaluation) {
        auto& host = evaluation.host;
        double const scale = host.parameters.value("tether");
        squares_ = 0;
        for (std::size_t i = 0; i < evaluation.positions.size(); ++i) {
            squares_ += dot(evaluation.positions[i], evaluation.positions[i]);
            evaluation.forces[i] -= evaluation.positions[i] * (scale * k_);
        }
        if (evaluation.request.parameter_derivatives) host.parameter_derivatives["tether"] += k_ / 2 * squares_;
        return scale * k_ / 2 * squares_;
    }
    double answer() const { return squares_; }

private:
    double k_ = 0, squares_ = 0;
};
template <> class HostKernel<Stiffness>::Implementation {
public:
    Implementation(Stiffness const& force, HostState& host, Registration) { update(force, host); }
    void update(Stiffness const& force, HostState&) {
        if (!(force.value > 0)) throw InputError("the stiffness is not positive");
    }
    double compute(HostEvaluation const&) { return 0; }
};
template class HostKernel<Tether>;
template class HostKernel<Stiffness>;

}  // namespace trotter

using namespace trotter;

namespace {

using Tethered = ForceList<Stiffness, Tether>;

Vectors const tethered_places{{1, 0, 0}, {0, 2, 0}, {0, 0, -3}};

System<Tethered> tethered() {
    System<Tethered> system;
    for (std::size_t i = 0; i < tethered_places.size(); ++i) system.add_particle(1);
    system.add(Tether{.scale = 2, .force_group = 1});
    system.add(Stiffness{.value = 5});
    return system;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("kernels compiled once add forces on every backend", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(tethered(), tethered_places);
    auto const state = context.state(Energy | Forces | ParameterDerivatives);
    CHECK(state.potential_energy == Approx(70));
    CHECK(state.forces[2].z == Approx(30));
    CHECK(state.parameter_derivatives->at("tether") == Approx(70));
    CHECK(context.state(Energy, ForceGroups::only({0})).potential_energy == 0);
    CHECK(context.template ask<Tether>(0) == Approx(14));
    context.set_parameter("tether", -1);
    CHECK(context.state(Energy).potential_energy == Approx(-70));
}

TEMPLATE_LIST_TEST_CASE("a force that depends on another follows its updates", "[forces][devices]", TestedBackends) {
    auto context = context_of<TestType>(tethered(), tethered_places);
    context.update(1, Stiffness{.value = 10});
    CHECK(context.state(Energy).potential_energy == Approx(140));
    CHECK_THROWS_AS(context.update(1, Stiffness{.value = 0}), InputError);
    context.update(0, Tether{.scale = 1, .force_group = 1});
    CHECK(context.state(Energy).potential_energy == Approx(70));
    context.system().template force<Stiffness>(1).value = 1;
    context.update(1);
    CHECK(context.state(Energy).potential_energy == Approx(7));
    context.reinitialize(true);
    CHECK(context.state(Energy).potential_energy == Approx(7));

    System<Tethered> alone;
    for (std::size_t i = 0; i < tethered_places.size(); ++i) alone.add_particle(1);
    alone.add(Tether{});
    CHECK_THROWS_WITH(context_of<TestType>(alone), "force 0 (Tether): a Tether needs a Stiffness");
}
