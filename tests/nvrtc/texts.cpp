// All text of the Cuda backend compiles for the supported architectures, in every precision.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <trotter/device.hpp>
#include <trotter/device/constraints/constraints.hpp>
#include <trotter/replicas.hpp>
#include <trotter/trotter.hpp>

#include "catch_compat.hpp"
#include "queue.hpp"

using namespace trotter;

namespace {

static_assert(device::DeviceQueue<nvrtc::Queue>);

std::vector<Nvrtc> const precisions{{&device::NumberTypes::of<Single>}, {&device::NumberTypes::of<Mixed>}, {&device::NumberTypes::of<Double>}};

/// Eight particles, including a rigid pair and a rigid triangle.
template <class SystemType> SystemType eight_particles() {
    SystemType system;
    for (int i = 0; i < 8; ++i) system.add_particle(i + 1);
    system.particles.constraints = {{0, 1, 0.1}, {2, 3, 0.1}, {2, 4, 0.1}, {3, 4, 0.15}};
    system.box = Box::rectangular(3, 3, 3);
    return system;
}
std::vector<Vec3<>> const apart{{0, 0, 0},     {0.1, 0, 0},   {0.5, 0, 0},   {0.6, 0, 0},
                                {0.5, 0.1, 0}, {1, 1, 1}, {1.2, 1.1, 0.9}, {1.5, 0.4, 0.2}};

template <class SystemType, class I> void evaluate_and_step(SystemType const& system, I const& integrator) {
    for (auto const& precision : precisions) {
        Context context{system, integrator, precision, Mixed{}};
        context.set_positions(apart);
        context.state(Energy | Forces | ParameterDerivatives);
        context.step(2);
    }
}

/// A bond with a global parameter, its parameter derivative, and all functions of formulas.
struct ScaledBondForce {
    static constexpr std::string_view name = "ScaledBondForce";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double length = 0;
    };
    std::vector<Bond> bonds;
    std::vector<GlobalParameter> global_parameters{{"scale", 2}};
    std::vector<std::string> energy_parameter_derivatives{"scale"};
    int force_group = 0;
    bool periodic = true;

    static constexpr auto terms = &ScaledBondForce::bonds;
    static constexpr std::string_view term_name = "Bond";
    static constexpr auto particles = std::tuple{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::tuple{Distance{"r", {0, 1}}};
    static constexpr auto fields = std::tuple{Field{"length", "d", &Bond::length}};
    static constexpr Expression<"scale*(sqrt(r) + exp(-r) + log(r) + sin(r) + cos(r) + tan(r/9) + asin(r/9) + acos(r/9) + atan(r)"
                                " + atan2(r, length) + sinh(r) + cosh(r) + tanh(r) + erf(r) + erfc(r) + step(r - length) + delta(r)"
                                " + abs(r) + floor(r) + ceil(r) + select(r, length, 2) + min(r, length) + max(r, length) + r^12 + r^length)">
        energy{};
};

}  // namespace

TEST_CASE("text of terms", "[nvrtc]") {
    using Forces = ForceList<HarmonicBondForce, HarmonicAngleForce, PeriodicTorsionForce, RBTorsionForce, CMAPTorsionForce, ScaledBondForce, CMMotionRemover>;
    auto system = eight_particles<System<Forces>>();
    system.add(HarmonicBondForce{.bonds = {{0, 5, 0.1, 1000}}, .periodic = true});
    system.add(HarmonicAngleForce{.angles = {{0, 2, 5, 1.1, 1000}}});
    system.add(PeriodicTorsionForce{.torsions = {{0, 2, 5, 6, 3, 0.3, 20}}});
    system.add(RBTorsionForce{.torsions = {{0, 2, 5, 6, 1, 2, 3, 4, 5, 6}}});
    CMAPTorsionForce cmap{.maps = {{.size = 4, .energy = std::vector<double>(16, 1.0)}}};
    cmap.torsions = {{0, 0, 2, 5, 6, 2, 5, 6, 7}};
    system.add(cmap);
    system.add(ScaledBondForce{.bonds = {{1, 6, 0.2}}});
    system.add(CMMotionRemover{});
    evaluate_and_step(system, LangevinMiddleIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001});
    evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
}

TEST_CASE("text that adds forces of the host", "[nvrtc]") {
    auto system = eight_particles<System<ForceList<RGForce>>>();
    system.add(RGForce{});
    evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
}

TEST_CASE("text of pairs and meshes", "[nvrtc]") {
    using Method = NonbondedForce::Method;
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ewald, Method::pme, Method::ljpme}) {
        auto system = eight_particles<System<ForceList<NonbondedForce>>>();
        NonbondedForce force{.method = method, .cutoff_distance = 1, .use_switching_function = true, .switching_distance = 0.8};
        for (int i = 0; i < 8; ++i) force.particles.push_back({i % 2 - 0.5, 0.3, 0.5});
        force.exceptions = {{0, 1}, {2, 3, 0.1, 0.3, 0.5}};
        system.add(force);
        evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
    }
}

TEST_CASE("text of tabulated functions, compound bonds and centroids", "[nvrtc]") {
    auto system = eight_particles<System<ForceList<CustomNonbondedForce, CustomCompoundBondForce, CustomCentroidBondForce>>>();
    auto const grid = [](std::string const& name, std::vector<int> const& sizes, std::vector<TabulatedFunction::Range> const& ranges) {
        std::size_t count = 1;
        for (int const size : sizes) count *= static_cast<std::size_t>(size);
        return TabulatedFunction{name, sizes, ranges, name == "p", std::vector<double>(count, 1.5)};
    };
    std::vector<TabulatedFunction> const tables{grid("a", {5}, {{0, 1}}), grid("b", {3, 3}, {{0, 1}, {0, 2}}),
                                                grid("c", {3, 4, 3}, {{0, 1}, {0, 2}, {1, 2}}), grid("p", {4}, {{0, 1}}),
                                                grid("d", {4}, {}), grid("e", {2, 2}, {}), grid("f", {2, 1, 2}, {})};
    CustomNonbondedForce pairs{.energy = CustomNonbondedForce::formula("a(r) + b(r, q1*q2) + c(r, r, 1) + p(r) + d(q1*q2) + e(1, r) + f(0, 1, r)", tables),
                               .parameter_names = {"q"},
                               .particles = std::vector<std::vector<double>>(8, {0.5}),
                               .tabulated_functions = tables};
    system.add(pairs);
    auto const formula = [&](std::string const& point) {
        auto const at = [&](int n) { return point + std::to_string(n); };
        return CustomCompoundBondForce::formula("scale*(a(distance(" + at(1) + ", " + at(2) + ")) + angle(" + at(1) + ", " + at(2) + ", " + at(3)
                                                + ") + b(dihedral(" + at(1) + ", " + at(2) + ", " + at(3) + ", " + at(4)
                                                + "), x1) + c(x1, 2, 3)*d(1)*e(y1, 0)*f(1, 2, z2)*p(0.3) + pointdistance(0, 0, 0, 1, 2, 3))", tables);
    };
    CustomCompoundBondForce compound{.particles_per_bond = 4, .energy = formula("p"), .tabulated_functions = tables, .global_parameters = {{"scale", 2}},
                                     .energy_parameter_derivatives = {"scale"}, .bonds = {{{0, 2, 4, 5}}, {{1, 2, 6, 7}}}, .periodic = true};
    system.add(compound);
    CustomCentroidBondForce centroids{.groups_per_bond = 4, .energy = formula("g"), .tabulated_functions = tables, .global_parameters = {{"scale", 2}},
                                      .groups = {{{0, 1}}, {{2, 3}, {1, 3}}, {{4}}, {{5, 6, 7}}}, .bonds = {{{0, 1, 2, 3}}}};
    system.add(centroids);
    evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
}

TEST_CASE("text of implicit solvent", "[nvrtc]") {
    using Method = GBSAOBCForce::Method;
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic}) {
        auto system = eight_particles<System<ForceList<GBSAOBCForce>>>();
        GBSAOBCForce force{.method = method, .cutoff_distance = 1};
        for (int i = 0; i < 8; ++i) force.particles.push_back({i % 2 - 0.5, 0.15, 0.8});
        system.add(force);
        evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
    }
}

TEST_CASE("text of values of particles", "[nvrtc]") {
    using Kind = CustomGBForce::Kind;
    TabulatedFunction const table{.name = "table", .sizes = {3}, .ranges = {{0, 2}}, .values = {1, 2, 3}};
    auto const formula = [&](char const* text) { return CustomGBForce::formula(text, {table}); };
    for (auto const method : {PairSettings::Method::no_cutoff, PairSettings::Method::cutoff_periodic}) {
        auto system = eight_particles<System<ForceList<CustomGBForce>>>();
        CustomGBForce force{.parameter_names = {"a", "b", "c"}, .tabulated_functions = {table}, .global_parameters = {{"lambda", 1}},
                            .energy_parameter_derivatives = {"lambda"}, .pairs = {.method = method, .cutoff_distance = 1, .exclusions = {{0, 1}}}};
        for (int i = 0; i < 8; ++i) force.particles.push_back({i % 2 - 0.5, 0.15, 0.8});
        force.computed_values = {{"v", formula("a2*b1*exp(-r)*lambda"), Kind::particle_pair}, {"w", formula("x*y + v*table(c)"), Kind::single_particle},
                                 {"u", formula("w2*v1*table(r)"), Kind::particle_pair_no_exclusions}};
        force.energy_terms = {{formula("u*lambda + table(w)"), Kind::single_particle}, {formula("w1*w2/r"), Kind::particle_pair},
                              {formula("u1*u2*exp(-lambda*r)"), Kind::particle_pair_no_exclusions}};
        system.add(force);
        evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
    }
}

TEST_CASE("text of donors and acceptors, and of sets", "[nvrtc]") {
    using Hbonds = CustomHbondForce;
    using Sets = CustomManyParticleForce;
    using enum Sets::Permutations;
    TabulatedFunction const table{.name = "table", .sizes = {3}, .ranges = {{0, 2}}, .values = {1, 2, 3}};
    for (auto const method : {Hbonds::Method::no_cutoff, Hbonds::Method::cutoff_periodic}) {
        auto system = eight_particles<System<ForceList<CustomHbondForce>>>();
        system.add(Hbonds{.energy = Hbonds::formula("k*q*c*table(distance(d1, a1))*cos(angle(d2, d1, a1)) + dihedral(d2, d1, a1, a2)", {table}),
                          .donor_parameter_names = {"q"}, .acceptor_parameter_names = {"c"}, .global_parameters = {{"k", 2}},
                          .tabulated_functions = {table}, .donors = {{0, 1, -1, {1}}}, .acceptors = {{2, 3, 4, {2}}, {5, 6, -1, {3}}},
                          .exclusions = {{0, 1}}, .method = method});
        evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
    }
    for (auto const permutations : {single, unique_central})
        for (auto const method : {Sets::Method::no_cutoff, Sets::Method::cutoff_periodic}) {
            auto system = eight_particles<System<ForceList<CustomManyParticleForce>>>();
            Sets force{.energy = Sets::formula("k*q1*q3*table(distance(p1, p2))*cos(angle(p2, p1, p3)) + x1", {table}), .parameter_names = {"q"},
                       .global_parameters = {{"k", 2}}, .tabulated_functions = {table}, .exclusions = {{0, 1}}, .permutations = permutations,
                       .method = method};
            for (int i = 0; i < 8; ++i) force.particles.push_back({{1.0 * i}, i % 2});
            if (method == Sets::Method::no_cutoff) force.type_filters = {{0}, {1}};
            system.add(force);
            evaluate_and_step(system, VerletIntegrator{.step_size = 0.001});
        }
}

TEST_CASE("text of replicas", "[nvrtc]") {
    using Method = NonbondedForce::Method;
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::pme}) {
        auto system = eight_particles<System<ForceList<NonbondedForce, CMMotionRemover>>>();
        NonbondedForce force{.method = method, .cutoff_distance = 1};
        for (int i = 0; i < 8; ++i) force.particles.push_back({i % 2 - 0.5, 0.3, 0.5});
        system.add(force);
        system.add(CMMotionRemover{});
        for (auto const& precision : precisions) {
            Replicas replicas{system, VerletIntegrator{.step_size = 0.001}, precision, Mixed{}, 3};
            replicas.set_state(State{.positions = apart});
            replicas.step(2);
        }
    }
}

TEST_CASE("text of virtual sites and of constraints of any shape", "[nvrtc]") {
    auto system = eight_particles<System<ForceList<HarmonicBondForce>>>();
    system.add(HarmonicBondForce{.bonds = {{0, 5, 0.1, 1000}}});
    for (auto const& [i, j] : {std::pair{4, 5}, {5, 6}, {6, 7}}) system.add_constraint(i, j, 0.1);
    for (VirtualSite const& site : std::vector<VirtualSite>{
             TwoParticleAverageSite{0, 1, 0.3, 0.7}, ThreeParticleAverageSite{0, 1, 8, 0.5, 0.2, 0.3}, OutOfPlaneSite{0, 1, 2, 0.4, 0.3, 2.5},
             LocalCoordinatesSite{{0, 1, 2}, {0.2, 0.3, 0.5}, {-1, 0.5, 0.5}, {0, -1, 1}, {0.1, 0.2, 0.3}}, SymmetrySite{3}})
        system.set_virtual_site(system.add_particle(0), site);
    SplittingIntegrator<Splitting{"V R O R V"}> const integrator{.temperature = 300, .friction = 1, .step_size = 0.001};
    for (auto const& precision : precisions) {
        Context context{system, integrator, precision, Mixed{}};
        auto positions = apart;
        positions.resize(13);
        context.set_positions(positions);
        context.step(2);
        auto& device = context.engine().device;
        device::Constraints constraints(device::Clusters(system.particles), device);
        constraints.constrain_positions(device, device.positions, 1e-5);
        constraints.constrain_velocities(device, device.velocities, 1e-5);
    }
}

TEST_CASE("text that does not compile is refused with the compiler's words", "[nvrtc]") {
    CHECK_THROWS_WITH(nvrtc::Queue().compile("KERNEL void f() { forty_two; }"), Catch::Contains("forty_two"));
    // For an architecture newer than the compiler, the result is PTX, which the driver compiles.
    CHECK(cuda::Compilation("KERNEL void f() {}", 999).run().find(".entry f") != std::string::npos);
    CHECK_THROWS_AS(cuda::Compilation("", 20), UnsupportedError);
}
