// DPD against OpenMM's Reference platform (data/make_dpd.py), conserved quantities and sampling.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"
#include "folder.hpp"
#include "io/scratch.hpp"

#include <trotter/context.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/integrators/dpd.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/reference.hpp>

using namespace trotter;
using testing::message_of;

namespace {

using Vectors = std::vector<Vec3<>>;
using Springs = System<ForceList<HarmonicBondForce>>;

Springs springs(bool periodic) {
    Springs system;
    for (double const mass : {10, 12, 1, 14, 3, 5}) system.add_particle(mass);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 3000}, {2, 5, 0.3, 500}}, .periodic = periodic});
    if (periodic) system.box = {{0.9, 0, 0}, {0.2, 0.8, 0}, {0.1, -0.3, 0.85}};
    return system;
}
DPDIntegrator cold() {
    return {.temperature = 0, .default_friction = 8, .default_cutoff = 0.4, .step_size = 0.002, .constraint_tolerance = 1e-12};
}
/// Sets the initial state of data/make_dpd.py.
template <class Context> void start_springs(Context& context) {
    Vectors x, v;
    for (int i = 0; i < 6; ++i) {
        x.push_back({0.1 * i, 0.07 * (i * i % 5), 0.05 * (i * 3 % 4)});
        v.push_back({0.5 - 0.2 * i, 0.3 * (i % 2), 0.1 * i});
    }
    context.set_positions(x);
    context.set_velocities(v);
}
template <class Context> void compare_dpd(Context& context, std::string const& name, double tolerance) {
    std::ifstream file(tests_folder() + "/integrators/data/dpd_steps.txt");
    std::string line;
    std::size_t i = 0;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string of;
        Vec3<> x, v;
        words >> of >> x.x >> x.y >> x.z >> v.x >> v.y >> v.z;
        if (of != name) continue;
        INFO(line);
        CHECK(norm(context.positions()[i] - x) < tolerance);
        CHECK(norm(context.velocities()[i] - v) < 1000 * tolerance);
        ++i;
    }
    CHECK(i == 6);
}
std::string refusal(DPDIntegrator const& integrator) {
    return message_of<InputError>([&] {
        Context context(springs(true), integrator, Reference{}, Double{}, 5);
        start_springs(context);
        context.step(1);
    });
}

}  // namespace

TEST_CASE("DPD without noise takes the steps that OpenMM's takes") {
    auto integrator = cold();
    for (std::string const name : {"free", "types", "periodic", "constrained"}) {
        INFO(name);
        auto system = springs(name == "periodic");
        if (name == "constrained") system.add_constraint(3, 4, 0.15);
        integrator = cold();
        if (name == "types") {
            integrator.particle_types = {{0, 3}, {1, 3}, {4, 7}};
            integrator.type_pairs = {{3, 7, 100, 0.6}, {3, 3, 0, 0.5}, {0, 3, 20, 0.2}, {0, 9, 1e6, 0.2}};
        }
        Context context(system, integrator, Reference{}, Double{}, 5);
        start_springs(context);
        if (name == "constrained") context.apply_constraints(1e-12);
        context.step(20);
        // Rounding of twenty steps; the constraint is solved to 1e-12. In boxes OpenMM visits the neighbors of a
        // particle in the order of its cells, which causes differences of second order in friction times step.
        compare_dpd(context, name, name == "periodic" ? 1e-6 : 1e-12);
    }
}

TEST_CASE("The last of several pairs of the same types counts, in whichever order it names them") {
    auto integrator = cold(), other = cold();
    integrator.particle_types = other.particle_types = {{0, 1}, {3, 1}};
    integrator.type_pairs = {{0, 1, 50, 0.3}, {1, 0, 5, 0.5}};
    other.type_pairs = {{0, 1, 5, 0.5}};
    auto const run = [](DPDIntegrator const& i) {
        Context context(springs(false), i, Reference{}, Double{}, 5);
        start_springs(context);
        context.step(5);
        return context.velocities();
    };
    CHECK(run(integrator) == run(other));
}

TEST_CASE("DPD conserves momentum and heats a gas to its temperature") {
    // Free particles in a box: only the thermostat acts on them.
    Particles particles;
    for (int i = 0; i < 216; ++i) particles.masses.push_back(i % 2 ? 20 : 5);
    DPDIntegrator const integrator{.temperature = 300, .default_friction = 5, .default_cutoff = 0.9, .step_size = 0.005, .seed = 4};
    TestSimulation<DPDIntegrator> simulation(particles, integrator, harmonic_well(0), 1, Box::rectangular(2, 2, 2));
    auto& host = simulation.host();
    host.is_periodic = true;
    for (int i = 0; i < 216; ++i)
        host.positions[static_cast<std::size_t>(i)] = {i % 6 / 3., i / 6 % 6 / 3., i / 36 / 3.};
    host.velocities[7] = {1, 2, 3};
    double sum = 0;
    simulation.step(200);
    for (int n = 0; n < 1000; ++n) {
        simulation.step();
        sum += simulation.kinetic_energy();
    }
    Vec3<> momentum{};
    for (std::size_t i = 0; i < host.size(); ++i) momentum += host.velocities[i] * particles.masses[i];
    CHECK(norm(momentum - Vec3<>{20, 40, 60}) < 1e-9);
    double const wanted = 0.5 * 3 * 215 * constants::gas_constant * 300;
    // A thousand steps of 5 fs at 5/ps are some fifty independent samples of 645 squares: 3 standard errors.
    CHECK(sum / 1000 == Approx(wanted).epsilon(3 * std::sqrt(2. / 645 / 50)));
}

TEST_CASE("Frozen particles slow others down, virtual sites do not") {
    DPDIntegrator const integrator{.temperature = 0, .default_friction = 5, .default_cutoff = 1, .step_size = 0.1};
    Springs wall;
    wall.add_particle(2);
    wall.add_particle(0);
    Context context(wall, integrator, Reference{}, Double{}, 5);
    context.set_positions({{0, 0, 0}, {0.5, 0, 0}});
    context.set_velocities({{1e-9, 1, 0}, {0, 0, 0}});
    context.step(1);
    // Along the pair's axis the velocity decays by exp(-2 g w² dt), w = 1/2; the axis has rotated (0.05 over 0.5 nm).
    CHECK(norm(context.velocities()[1]) == 0);
    double const lost = 1 - std::exp(-2 * 5 * 0.1 * std::pow(1 - std::hypot(0.5, 0.05), 2));
    double const cosine = 0.05 / std::hypot(0.5, 0.05);
    CHECK(context.velocities()[0].y == Approx(1 - lost * cosine * cosine).epsilon(1e-6));

    Springs with_site;
    with_site.add_particle(2);
    with_site.add_particle(2);
    with_site.add_particle(0);
    with_site.particles.virtual_sites[2] = TwoParticleAverageSite{0, 1, 0.5, 0.5};
    auto const lonely = DPDIntegrator{.temperature = 0, .default_friction = 5, .default_cutoff = 0.4, .step_size = 0.1};
    Context sites(with_site, lonely, Reference{}, Double{}, 5);
    sites.set_positions({{0, 0, 0}, {0.5, 0, 0}, {0.25, 0, 0}});
    sites.set_velocities({{0, 1, 0}, {0, 1, 0}, {0, 0, 0}});
    sites.step(1);
    CHECK(sites.velocities()[0].y == 1);
}

TEST_CASE("DPD refuses numbers that make no sense") {
    auto bad = cold();
    bad.default_cutoff = 0;
    CHECK(refusal(bad) == "the default cutoff of DPDIntegrator is 0.000000, expected a positive number");
    bad = cold(), bad.default_friction = -1;
    CHECK(refusal(bad) == "the default friction of DPDIntegrator is -1.000000, expected a finite number that is not negative");
    bad = cold(), bad.type_pairs = {{0, 0, 1, -0.5}};
    CHECK(refusal(bad) == "the cutoff of type pair 0 of the DPDIntegrator is -0.500000, expected a positive number");
    bad = cold(), bad.particle_types = {{6, 1}};
    CHECK(refusal(bad) == "the DPDIntegrator has a type for particle 6 of a System of 6 particles");
    bad = cold(), bad.type_pairs = {{0, 0, 1, 0.41}};
    CHECK(refusal(bad).find("the longest cutoff of the DPDIntegrator is 0.410000 nm, expected at most half of the box") == 0);
    bad = cold(), bad.step_size = 0;
    CHECK(refusal(bad) == "the step size of DPDIntegrator is 0.000000, expected a positive number");
}

TEST_CASE("DPD is the same after a file") {
    auto integrator = cold();
    integrator.seed = 3;
    integrator.particle_types = {{0, 3}, {5, -2}};
    integrator.type_pairs = {{3, -2, 100, 0.6}, {3, 3, 0, 0.5}};
    auto const text = integrator_to_xml(integrator);
    auto const again = std::get<DPDIntegrator>(parse_integrator(text));
    CHECK(again.particle_types == integrator.particle_types);
    CHECK(again.type_pairs.at(1).cutoff == 0.5);
    CHECK(again.default_friction == 8);
    CHECK(again.default_cutoff == 0.4);
    CHECK(integrator_to_xml(again) == text);
    auto const broken = [&](std::string const& from, std::string const& to) {
        auto copy = text;
        copy.replace(copy.find(from), from.size(), to);
        return message_of<InputError>([&] { (void)parse_integrator(copy, "i.xml"); });
    };
    CHECK(broken("particle=\"5\"", "particle=\"0\"").find("expected a particle that no earlier element of the list has") != std::string::npos);
    CHECK(broken("cutoff=\".6\"", "cutoff=\"0\"").find("cutoff is \"0\", expected a positive number") != std::string::npos);
}
