// Coincident or nearly coincident particles: energies have their limits if these are finite, and forces are zero.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <trotter/forces/atm.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_gb.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/least_distance.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace coincident_test {

using Catch::Matchers::Contains;

namespace {

/// A formula of r, of e = 2, q = 0.5, s = 0.3 and g = 0 of both particles, and its value at r = 0.
struct Limit {
    std::string formula;
    double value;
};
std::vector<Limit> const limits{
    {"4*e1*0.6*(1/u^2-1/u); u=0.5*0.4+(r/s1)^6", 4 * 2 * 0.6 * 20},
    {"e1*e2*exp(-r^2/0.04)", 4},
    {"e1*sqrt(r^2+0.01)", 0.2},
    {"q1*q2/sqrt(r^2+0.01)", 2.5},
    {"e1*r^1.5", 0},
    {"e1*sqrt(r)", 0},
    {"e1*(r-0.2)^2", 0.08},
    {"e1*abs(r)", 0},
    {"e1*abs(r-0.2)", 0.4},
    {"e1*(1-exp(-r/0.1))^2", 0},
    {"30*exp(-20*r) - g1/r^6", 30},
    {"4*g1*((s/r)^12-(s/r)^6); s=(s1+s2)/2", 0},
    {"4*sqrt(g1*e2)*((s/r)^12-(s/r)^6); s=(s1+s2)/2", 0},
    {"g1*(s1/r)^12 + 3*g2*(1/r)^24 - g1*g2*(r/s2)^-9", 0},
    {"g1*(2*(s1/r)^9 - 3*(s1/r)^6)", 0},
    {"138.9*g1*g2/r + g1*g2/r^2 + g1*e2/r^3", 0},
    {"e1*erf(3*r)/r", 12 / std::sqrt(std::numbers::pi)},
    {"e1*sin(5*r)/r", 10},
    {"select(step(r-0.1), e1/r^12, e2*cos(r))", 2},
    {"e1*min(r, 0.1) + max(r, 0.2)", 0.2},
    {"e1*r^2*log(r/s1) + sin(r)*log(r) + r*log(r)^2", 0},
    {"g1*log(r) + e1*log(r+1)", 0},
};
std::string sum_of_limits(double& value) {
    // Renames definitions, so that all formulas can be summed in one.
    std::string sum, definitions;
    for (std::size_t n = 0; n < limits.size(); ++n) {
        auto const& formula = limits[n].formula;
        auto const end = formula.find(';');
        std::string const number = std::to_string(n);
        auto renamed = [&](std::string text) {
            for (std::string const name : {"u", "s"})
                for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; ++at) {
                    bool const is_word = (at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0)
                                         || (at + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[at + 1])) != 0);
                    if (!is_word) text.replace(at, 1, name + "of" + number);
                }
            return text;
        };
        sum += (n > 0 ? " + " : "") + renamed(formula.substr(0, end));
        if (end != formula.npos) definitions += ";" + renamed(formula.substr(end + 1));
        value += limits[n].value;
    }
    return sum + definitions;
}

CustomNonbondedForce pair_force(std::string const& formula) {
    return {.energy = RuntimeExpression(formula),
            .parameter_names = {"e", "q", "s", "g"},
            .particles = {{2, 0.5, 0.3, 0}, {2, 0.5, 0.3, 0}}};
}
Vectors pair_at(double distance) { return {{0, 0, 0}, {distance, 0, 0}}; }
bool are_finite(Vectors const& vectors) {
    return std::all_of(vectors.begin(), vectors.end(), [](auto const& v) { return is_finite(v); });
}
double largest(Vectors const& vectors) {
    double result = 0;
    for (auto const& v : vectors) result = std::max(result, norm(v));
    return result;
}
constexpr double distances[] = {0, 1e-30, 1e-22, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6};

void check_limit(TestPlatform const& platform, auto const& force, double value) {
    for (double const distance : distances) {
        // Beyond the range of devices: the derivative of a root, and in float the rounding errors of terms that cancel.
        if (platform.is_on_device && distance > 0 && distance < 1e-15) continue;
        INFO("r = " << distance);
        auto const found = evaluate(platform, force, pair_at(distance));
        double const r = std::max(distance, std::sqrt(platform.is_double ? least_square<double>() : double{least_square<float>()}));
        double const beyond = 3 * std::sqrt(r) + 1e3 * r;  // contribution of a root, or of the slope, to the limit
        CHECK(found.energy == Approx(value).epsilon(platform.is_double ? 1e-12 : 3e-6).margin(beyond + 1e-12));
        CHECK(are_finite(found.forces));
        if (distance == 0) CHECK(largest(found.forces) == 0);
    }
}

}  // namespace

TEST_CASE("formulas of pairs at one place have their limits", "[forces]") {
    auto const platform = each_platform();
    for (auto const& [formula, value] : limits) {
        INFO(formula);
        check_limit(platform, pair_force(formula), value);
    }
}

TEST_CASE("all limits of formulas of pairs in one kernel", "[forces][devices][slow]") {
    auto const platform = each_platform();
    double value = 0;
    auto const formula = sum_of_limits(value);
    INFO(formula);
    check_limit(platform, pair_force(formula), value);
}

TEST_CASE("formulas of bonds without length have their limits", "[forces]") {
    auto const platform = each_platform();
    for (auto const& [text, value] : limits) {
        std::string formula = text;
        for (std::string const name : {"e", "q", "s", "g"})
            for (char const side : {'1', '2'})
                for (std::size_t at = 0; (at = formula.find(name + side, at)) != formula.npos;) formula.erase(at + 1, 1);
        if (formula.find("; s=") != formula.npos) continue;
        INFO(formula);
        CustomBondForce const force{.energy = RuntimeExpression(formula),
                                    .parameter_names = {"e", "q", "s", "g"},
                                    .bonds = {{0, 1, {2, 0.5, 0.3, 0}}}};
        check_limit(platform, force, value);
    }
}

TEST_CASE("roots of coordinates have no slope at 0", "[forces][devices]") {
    auto const platform = each_platform();
    CustomExternalForce const sphere{
        .energy = CustomExternalForce::formula("k*max(0, r-0.5)^2 + k*r^2 + 2*k*(r-0.1)^2; r=sqrt(x*x+y*y+z*z)"),
        .parameter_names = {"k"},
        .affected = {{0, {3}}}};
    auto const of_sphere = evaluate(platform, sphere, {{0, 0, 0}, {1, 0, 0}});
    CHECK(of_sphere.energy == Approx(0.06).epsilon(platform.term_rounding));
    CHECK(largest(of_sphere.forces) == 0);
    CustomCompoundBondForce bond{.particles_per_bond = 2,
                                 .energy = CustomCompoundBondForce::formula(
                                     "k*(sqrt((x1-x2)^2+(y1-y2)^2+(z1-z2)^2)-0.1)^2 + k*distance(p1,p2)"),
                                 .parameter_names = {"k"},
                                 .bonds = {{{0, 1}, {3}}}};
    auto const of_bond = evaluate(platform, bond, {{0.3, 0.2, 0.1}, {0.3, 0.2, 0.1}});
    CHECK(of_bond.energy == Approx(0.03).epsilon(platform.term_rounding));
    CHECK(largest(of_bond.forces) == 0);
}

TEST_CASE("a power that leaves the numbers and a coefficient that brings it back", "[forces][devices][slow]") {
    auto const platform = each_platform();
    for (auto const& [formula, r] :
         {std::pair{"1700000*exp(-48.7*r) - 0.0129/r^6 + 2.8e-24/r^24", 0.06},
          std::pair{"d/r^24; d=1e-12*g1*g2 + 1e-20*q1*q2*4e-4", 0.09}, std::pair{"c1*c2*1e-18/r^30", 0.05}}) {
        CustomNonbondedForce const force{.energy = RuntimeExpression(formula),
                                         .parameter_names = {"q", "g", "c"},
                                         .particles = {{0.5, 0, 1e-9}, {0.5, 0, 1e-9}}};
        INFO(formula);
        auto const expected = evaluate(reference_platform, force, pair_at(r));
        auto const found = evaluate(platform, force, pair_at(r));
        double const close = platform.is_double ? 1e-11 : 1e-4;
        CHECK(std::abs(expected.energy) > 1e-3);
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(found.forces[0].x == Approx(expected.forces[0].x).epsilon(close));
    }
}

TEST_CASE("particles without charge and depth feel nothing at any distance", "[forces][devices][slow]") {
    auto const platform = each_platform();
    using Method = NonbondedForce::Method;
    auto const method = GENERATE(Method::no_cutoff, Method::cutoff_periodic, Method::pme);
    bool const is_switched = method == Method::cutoff_periodic;
    NonbondedForce force{.method = method, .cutoff_distance = 0.9};
    force.use_switching_function = is_switched;
    force.switching_distance = 0.7;
    force.particles = {{0, 0.3, 0}, {0, 0.3, 0}, {0.4, 0.3, 0.5}, {-0.4, 0.3, 0.5}, {0, 0.3, 0}, {0, 0.25, 0}};
    // The last two coincide with a real particle and with one that only has a charge.
    force.particles.push_back({0.1, 0.2, 0});
    Vectors apart{{0.5, 0.5, 0.5}, {0.9, 0.5, 0.5}, {1.2, 1.1, 1}, {1.5, 1.3, 1}, {0.2, 1.6, 1}, {0.2, 0.2, 1.6}, {1.7, 1.7, 1.6}};
    auto const expected = evaluate(reference_platform, force, apart, small_box);
    auto const close = platform.is_double ? 1e-10 : 5e-5;
    for (double const distance : distances) {
        INFO("r = " << distance);
        auto near = apart;
        near[0] = {0, 0.5, 0.5}, near[1] = {distance, 0.5, 0.5};
        near[4] = near[2], near[4].x += distance;
        near[5] = near[6], near[5].x += distance;
        auto const found = evaluate(platform, force, near, small_box);
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces));
    }
}

TEST_CASE("what excludes a pair holds at one place too", "[forces][devices][slow]") {
    auto const platform = each_platform();
    using Method = NonbondedForce::Method;
    auto const method = GENERATE(Method::no_cutoff, Method::cutoff_periodic, Method::pme, Method::ljpme);
    NonbondedForce force{.method = method, .cutoff_distance = 0.9};
    force.particles = {{0.4, 0.3, 0.5}, {-0.3, 0.3, 0.5}, {0.2, 0.3, 0.4}, {-0.3, 0.2, 0.3}};
    force.exceptions = {{0, 1, 0, 0.3, 0}, {2, 3, 0, 1, 0}};
    auto const at = [](double distance) {
        return Vectors{{0.5, 0.5, 0.5}, {0.5 + distance, 0.5, 0.5}, {0.9, 0.8, 0.5}, {0.9, 0.8 + distance, 0.5}};
    };
    auto const expected = evaluate(reference_platform, force, at(1e-7), small_box);
    CHECK(is_finite(expected.forces[0]));
    for (double const distance : {0.0, 1e-30, 1e-12, 1e-8}) {
        INFO("r = " << distance);
        auto const found = evaluate(platform, force, at(distance), small_box);
        double const close = platform.is_double ? 1e-5 : 1e-4;  // 1e-7 nm, and mesh errors
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces));
    }
}

namespace {

GBSAOBCForce solvated() {
    return {.particles = {{0.4, 0.15, 0.8}, {-0.6, 0.16, 0.8}, {0.3, 0.17, 0.8}, {-0.1, 0.18, 0.8}}};
}
Vectors const two_at_one_place{{0, 0, 0}, {0, 0, 0}, {0.6, 0.2, 0.04}, {0.9, 0.45, 0.06}};

/// OBC(II) as formulas, as OpenMM's own application layer writes it.
CustomGBForce solvated_by_formulas() {
    CustomGBForce force{.parameter_names = {"q", "radius", "scale"}};
    for (auto const& p : solvated().particles)
        force.particles.push_back({p.charge, p.radius - 0.009, p.scale_factor * (p.radius - 0.009)});
    using Kind = CustomGBForce::Kind;
    auto const formula = [](char const* text) { return CustomGBForce::formula(text, {}); };
    force.computed_values = {
        {"I",
         formula("select(step(r+scale2-radius1), 0.5*(1/L-1/U+0.25*(r-scale2^2/r)*(1/(U^2)-1/(L^2))+0.5*log(L/U)/r+C), 0);"
                 "U=r+scale2; C=2*(1/radius1-1/L)*step(scale2-r-radius1); L=max(radius1, D); D=abs(r-scale2)"),
         Kind::particle_pair_no_exclusions},
        {"B", formula("1/(1/radius-tanh(psi-0.8*psi^2+4.85*psi^3)/(radius+0.009)); psi=I*radius"), Kind::single_particle}};
    force.energy_terms = {
        {formula("28.3919551*(radius+0.009+0.14)^2*((radius+0.009)/B)^6-0.5*138.935456*(1-1/78.3)*q^2/B"), Kind::single_particle},
        {formula("-138.935456*(1-1/78.3)*q1*q2/f; f=sqrt(r^2+B1*B2*exp(-r^2/(4*B1*B2)))"), Kind::particle_pair_no_exclusions}};
    return force;
}

}  // namespace

TEST_CASE("generalized Born solvent of particles at one place", "[forces][devices][slow]") {
    auto const platform = each_platform();
    auto const expected = evaluate(reference_platform, solvated(), two_at_one_place);
    CHECK(expected.energy == Approx(-22.7239798369).epsilon(1e-9));  // OpenMM 8.6, every platform
    CHECK(expected.forces[0].x == Approx(34.0131930887).epsilon(1e-9));
    double const close = platform.is_double ? 1e-9 : 3e-5;
    for (double const distance : {0.0, 1e-30, 1e-15}) {
        INFO("r = " << distance);
        auto positions = two_at_one_place;
        positions[1].x = distance;
        auto const found = evaluate(platform, solvated(), positions);
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces));
        auto const by_formulas = evaluate(platform, solvated_by_formulas(), positions);
        CHECK(by_formulas.energy == Approx(expected.energy).epsilon(std::max(close, 2e-6)));  // precision of OpenMM's values
        CHECK(largest_difference(by_formulas.forces, expected.forces) < std::max(close, 1e-5) * rms(expected.forces));
    }
}

TEST_CASE("a displaced particle lands exactly on another", "[forces][devices][slow]") {
    auto const platform = each_platform();
    using ATM = BasicATMForce<InnerForces>;
    NonbondedForce inner;
    double const epsilon = GENERATE(0.5, 0.0);
    inner.particles = {{0.1, 0.3, epsilon}, {0.1, 0.3, epsilon}, {-0.2, 0.3, 0.5}};
    double const lambda = 0.4, cap = 200;
    auto force = ATM::standard({.lambda1 = lambda, .lambda2 = lambda, .umax = cap, .ubcore = 100, .acore = 0.0625});
    force.forces->add(inner);
    force.particles.resize(3);
    force.particles[1] = FixedDisplacement{.in_state1 = {-0.5, 0, 0}};
    Vectors const positions{{0, 0, 0}, {0.5, 0, 0}, {0, 0.6, 0.3}};
    auto const found = evaluate(platform, force, positions);
    auto const without = evaluate(reference_platform, inner, positions);  // state 0
    double const close = platform.is_double ? 1e-9 : 2e-5;
    CHECK(found.energy == Approx(without.energy + lambda * cap).epsilon(close));
    CHECK(largest_difference(found.forces, without.forces) < 2 * close * rms(without.forces));
}

TEST_CASE("what has no limit at one place is no number", "[forces][devices]") {
    auto const platform = each_platform();
    for (auto const* formula : {"1/r", "1/r^2", "e1*e2/r^12", "1/r - 1/r^6", "-g1/r + e1/r^3", "log(r)",
                              "-q1*q2*log(s1/r)", "e1*exp(-r)*log(r^2)"}) {
        INFO(formula);
        CHECK_THROWS_WITH(evaluate(platform, pair_force(formula), pair_at(0)), Contains("is not a finite number"));
    }
    for (auto const* formula : {"1/r", "1/r^2", "3/r^12"}) {
        INFO(formula);
        CustomBondForce const bond{.energy = RuntimeExpression(formula), .bonds = {{0, 1, {}}}};
        auto context = context_of(platform, system_of(bond, 2), pair_at(0));
        CHECK_THROWS_WITH(context.state(StateData::energy), Contains("is not a finite number"));
    }
    CustomExternalForce const root{.energy = CustomExternalForce::formula("sqrt(x)"), .affected = {{0, {}}}};
    CHECK_THROWS_WITH(evaluate(platform, root, {{0, 1, 2}}), Contains("is not a finite number"));
}

}  // namespace coincident_test
