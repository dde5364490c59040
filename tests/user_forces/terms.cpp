// A user-defined bonded force.
// SPDX-License-Identifier: MIT
#include <numbers>

#include <trotter/base/field.hpp>

#include "own_contexts.hpp"

using namespace trotter;
using Catch::Matchers::Contains;
using std::numbers::pi;

namespace {

/// Couples the stretch of a bond to an angle.
struct StretchBendForce {
    static constexpr std::string_view name = "StretchBendForce";
    struct Term {
        int particle1 = 0, particle2 = 0, particle3 = 0;
        double length = 0, angle = 0, k = 0;
    };
    std::vector<Term> list;
    std::vector<GlobalParameter> global_parameters{{"coupling", 2}};
    std::vector<std::string> energy_parameter_derivatives{"coupling"};
    int force_group = 0;

    static constexpr auto terms = &StretchBendForce::list;
    static constexpr std::string_view term_name = "term";
    static constexpr auto particles = std::tuple{&Term::particle1, &Term::particle2, &Term::particle3};
    static constexpr auto variables = std::tuple{Distance{"r", {0, 1}}, Angle{"theta", {0, 1, 2}}};
    static constexpr auto fields = std::tuple{Field{"length", "length", &Term::length},
                                              Field{"angle", "angle", &Term::angle}, Field{"k", "k", &Term::k}};
    static constexpr Expression<"coupling^2*k*(r - length)*(theta - angle)"> energy{};
};

Vectors const right_angle{{0.1, 0, 0}, {0, 0, 0}, {0, 0.2, 0}};
Approx close(double expected, double relative) { return Approx(expected).epsilon(relative).margin(relative); }
/// Devices sum forces in units of 2^-32 kJ/mol/nm.
template <class BackendType> Approx close_force(double expected, double relative) {
    return close(expected, relative).margin(relative + (BackendType::is_on_device ? 0x1p-32 : 0));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a user's force with two variables and a global parameter", "[forces][devices]",
                        TestedBackends) {
    auto const eps = 10 * TestType::rounding;
    StretchBendForce const force{.list = {{0, 1, 2, 0.05, pi / 3, 7}}};
    double const product = 7 * 0.05 * pi / 6;
    auto const result = evaluate<TestType>(force, right_angle);
    CHECK(result.energy == close(4 * product, eps));
    CHECK(result.derivatives.at("coupling") == close(4 * product, eps));
    CHECK(result.forces[0].x == close_force<TestType>(-4 * 7 * pi / 6, eps));
    CHECK(result.forces[0].y == close_force<TestType>(4 * 7 * 0.05 / 0.1, eps));

    auto const changed = evaluate<TestType>(force, right_angle, {}, {{"coupling", 3}});
    CHECK(changed.energy == close(9 * product, eps));
    CHECK(changed.derivatives.at("coupling") == close(6 * product, eps));
}

TEMPLATE_LIST_TEST_CASE("a name that the force does not declare is refused", "[forces][devices]", TestedBackends) {
    StretchBendForce undeclared, unknown;
    undeclared.global_parameters.clear();
    CHECK_THROWS_WITH(context_of<TestType>(own_system_of(undeclared, 3)), Contains("the formula has the name 'coupling'"));
    unknown.energy_parameter_derivatives = {"lambda"};
    CHECK_THROWS_WITH(context_of<TestType>(own_system_of(unknown, 3)), Contains("a derivative by 'lambda' is asked for"));
}
