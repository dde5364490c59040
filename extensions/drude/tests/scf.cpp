// DrudeSCFIntegrator: relaxed Drude particles, energy, restart, validation.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/trotter.hpp>

#include <trotter/drude/kernels.hpp>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "oscillators.hpp"

using namespace trotter;

namespace {

DrudeSCFIntegrator const integrator{.step_size = 0.0005, .minimization_tolerance = 1e-3};

/// The chain with massless Drude particles in a field.
System<ExtendedList<ChainForces, CustomExternalForce>> relaxed_chain() {
    System<ExtendedList<ChainForces, CustomExternalForce>> system = chain();
    system.particles.masses[1] = system.particles.masses[3] = 0;
    CustomExternalForce field{.energy = CustomExternalForce::formula("-100*charge*z"), .parameter_names = {"charge"}};
    field.affected = {{1, {-1.5}}, {3, {1.2}}};
    system.add(field);
    return system;
}
double rms_on_drudes(std::vector<Vec3<>> const& forces) {
    return std::sqrt((dot(forces[1], forces[1]) + dot(forces[3], forces[3])) / 2);
}

}  // namespace

TEST_CASE("A relaxed Drude particle has the dipole of its polarizability in a field", "[drude]") {
    System<ForceList<DrudeForce, CustomExternalForce>> system;
    system.add_particle(0);
    system.add_particle(0);
    system.add_particle(0);
    double const polarizability = 1.2e-3, charge = -1.7, field = 50;  // [kJ/mol/nm/e]
    system.add(DrudeForce{.particles = {{1, 0, 2, -1, -1, charge, polarizability, 0.8, 1}}});
    CustomExternalForce force{.energy = CustomExternalForce::formula("1.7*50*(x + y)")};
    force.affected = {{1, {}}};
    system.add(force);
    auto precise = integrator;
    precise.minimization_tolerance = 1e-6;  // of forces of 100 kJ/mol/nm
    Context context{system, precise, Reference{}, Double{}};
    context.set_positions({{}, {}, {-1, 0, 0}});
    context.step(1);
    auto const dipole = context.positions()[1] * charge;
    double const expected = polarizability * field / constants::coulomb;
    CHECK(dipole.x == Approx(expected * 0.8).epsilon(1e-6));
    CHECK(dipole.y == Approx(expected * 1.2).epsilon(1e-6));
}

TEMPLATE_LIST_TEST_CASE("Drude particles are relaxed after each step", "[drude]", TestedBackends) {
    Context context{relaxed_chain(), integrator, typename TestType::Backend{}, typename TestType::Precision{}};
    context.set_positions(chain_positions);
    context.set_velocities({{0.5, 0, 0}, {}, {0, 1, 0}, {}});
    double const limit = TestType::is_double ? 1e-3 : 1e-2;  // single precision resolves forces of 150 kJ/mol/nm
    for (int n = 0; n < 20; ++n) {
        context.step(1);
        CHECK(rms_on_drudes(context.state(Forces).forces) <= limit);
    }
    CHECK(norm(context.positions()[0] - context.positions()[2]) == Approx(0.1).epsilon(1e-5));
}

TEST_CASE("The energy of relaxed oscillators is conserved", "[drude]") {
    auto const spread = [](double dt) {
        auto leapfrog = integrator;
        leapfrog.step_size = dt;
        leapfrog.minimization_tolerance = 1e-5;
        leapfrog.constraint_tolerance = 1e-10;
        Context context{relaxed_chain(), leapfrog, Reference{}, Double{}};
        context.set_positions(chain_positions);
        context.set_velocities({{0.5, 0, 0}, {}, {0.5, 1, 0}, {}});
        context.step(1);
        double low = 1e300, high = -1e300;
        for (int n = 0; n < 200; ++n) {
            context.step(1);
            auto const state = context.state(Energy);
            double const energy = state.potential_energy + state.kinetic_energy;
            low = std::min(low, energy), high = std::max(high, energy);
        }
        return high - low;
    };
    double const coarse = spread(0.001), fine = spread(0.0005);
    CHECK(fine < 0.01);
    CHECK(fine < 0.4 * coarse);  // second order: 1/4
}

TEST_CASE("Drude particles far from the minimum are found by line search", "[drude]") {
    auto system = relaxed_chain();
    Context context{system, integrator, Reference{}, Double{}};
    auto far = chain_positions;
    far[1] = {0.3, -0.2, 0.4};
    context.set_positions(far);
    context.step(1);
    CHECK(rms_on_drudes(context.state(Forces).forces) <= 1e-3);
}

TEMPLATE_LIST_TEST_CASE("A checkpoint of relaxed oscillators continues bit for bit", "[drude]", TestedBackends) {
    auto const make = [] {
        return Context{relaxed_chain(), integrator, typename TestType::Backend{}, typename TestType::Precision{}};
    };
    auto context = make(), other = make();
    context.set_positions(chain_positions);
    context.step(10);
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    other.load(bytes);
    context.step(10);
    other.step(10);
    CHECK(context.positions() == other.positions());
    CHECK(context.velocities() == other.velocities());
}

TEST_CASE("Invalid settings of a DrudeSCFIntegrator are refused", "[drude]") {
    auto const refusal = [](auto const& change) {
        auto changed = integrator;
        change(changed);
        try {
            Context{relaxed_chain(), changed, Reference{}, Double{}};
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal([](auto&) {}).empty());
    CHECK_THAT(refusal([](auto& i) { i.minimization_tolerance = 0; }),
               Catch::Contains("the minimization tolerance of DrudeSCFIntegrator is 0"));
    CHECK_THAT(refusal([](auto& i) { i.drude_temperature = -1; }), Catch::Contains("the Drude temperature of"));
    CHECK_THAT(refusal([](auto& i) { i.step_size = not_set; }),
               Catch::Contains("the step size of DrudeSCFIntegrator was not set"));
}
