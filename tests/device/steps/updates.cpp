// Tests parameter updates between steps, which may have been recorded.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/compare_steps.hpp"
#include "device/plain_queue.hpp"
#ifndef TROTTER_TEST_CUDA
#include "device/recording_queue.hpp"
#endif

#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/nonbonded.hpp>

using namespace trotter;
using ChangingForces = ForceList<HarmonicBondForce, NonbondedForce, CMAPTorsionForce, GBSAOBCForce,
                                 CustomCompoundBondForce, CustomNonbondedForce>;

namespace {

/// A chain in a box, with a force of each kind that stores its parameters differently.
System<ChangingForces> changing_chain() {
    System<ChangingForces> system;
    system.box = Box::rectangular(3, 3, 3);
    HarmonicBondForce bonds;
    NonbondedForce nonbonded{.method = NonbondedForce::Method::pme, .cutoff_distance = 1};
    CMAPTorsionForce maps;
    GBSAOBCForce born{.method = GBSAOBCForce::Method::cutoff_periodic, .cutoff_distance = 1};
    TabulatedFunction const table{.name = "table", .sizes = {4}, .ranges = {{0, 3}}, .values = {0, 1, 4, 9}};
    CustomCompoundBondForce ends{
        .particles_per_bond = 2,
        .energy = CustomCompoundBondForce::formula("k*scale*table(distance(p1, p2))", {table}),
        .parameter_names = {"k"},
        .tabulated_functions = {table},
        .global_parameters = {{"scale", 2}}};
    CustomNonbondedForce repulsion{.energy = RuntimeExpression("scale*a1*a2*exp(-3*r)"),
                                   .parameter_names = {"a"},
                                   .global_parameters = {{"scale", 2}}};
    repulsion.pairs.method = PairSettings::Method::cutoff_periodic;
    repulsion.pairs.cutoff_distance = 1;
    maps.maps.push_back({3, {1, -2, 3, 5, 2, -4, 2, 8, -3}});
    for (int i = 0; i < 40; ++i) {
        double const sign = i % 2 == 0 ? 1 : -1;
        system.add_particle(i % 2 == 0 ? 12 : 16);
        nonbonded.particles.push_back({0.3 * sign, 0.2, 0.4});
        born.particles.push_back({0.3 * sign, 0.15, 0.8});
        repulsion.particles.push_back({1 + 0.1 * i});
        if (i >= 20) repulsion.pairs.exclusions.push_back({i - 20, i});
        if (i > 0) bonds.bonds.push_back({i - 1, i, 0.2, 5000}), nonbonded.exceptions.push_back({i - 1, i, 0.01, 0.2, 0});
        if (i > 1) nonbonded.exceptions.push_back({i - 2, i, 0, 0.2, 0});
        if (i > 4) maps.torsions.push_back({0, i - 4, i - 3, i - 2, i - 1, i - 3, i - 2, i - 1, i});
        if (i > 5) ends.bonds.push_back({{i - 6, i}, {3}});
    }
    system.add(bonds);
    system.add(nonbonded);
    system.add(maps);
    system.add(born);
    system.add(ends);
    system.add(repulsion);
    return system;
}

void change(HarmonicBondForce& force, double factor) {
    for (auto& bond : force.bonds) bond.k *= factor;
}
// One more exception interacts after each change. The first large charge changes the mesh's fixed-point format.
void change(NonbondedForce& force, double factor) {
    for (auto& particle : force.particles) particle.charge *= factor, particle.epsilon *= factor;
    for (auto& exception : force.exceptions) exception.charge_product *= factor;
    for (auto& exception : force.exceptions)
        if (exception.charge_product == 0) {
            exception.charge_product = 0.05;
            break;
        }
}
void change(CMAPTorsionForce& force, double factor) {
    for (double& energy : force.maps[0].energy) energy *= factor;
}
void change(GBSAOBCForce& force, double factor) {
    for (auto& particle : force.particles) particle.radius *= factor;
}
void change(CustomCompoundBondForce& force, double factor) {
    for (auto& bond : force.bonds) bond.parameters[0] *= factor;
    for (double& value : force.tabulated_functions[0].values) value *= factor;
}
void change(CustomNonbondedForce& force, double factor) {
    for (auto& particle : force.particles) particle[0] *= factor;
}

/// Checks that a new Context with the changed System has the same energy and forces.
template <class ContextType, class B> void check_numbers_arrived(ContextType& context, B const& backend) {
    auto const state = context.state(Positions | Energy | StateData::forces);
    Context fresh{context.system(), VerletIntegrator{.step_size = 1 * fs}, backend, Mixed{}};
    fresh.set_positions(state.positions);
    auto const expected = fresh.state(Energy | StateData::forces);
    double largest = 0;
    for (auto const& force : expected.forces) largest = std::max(largest, norm(force));
    // Pairs are summed in float, in an order that differs between Contexts.
    CHECK(state.potential_energy == Approx(expected.potential_energy).epsilon(2e-6));
    CHECK(largest_difference(state.forces, expected.forces) < 2e-6 * largest);
}

/// Places the particles on a helix.
template <class ContextType> void start_on_helix(ContextType& context) {
    std::vector<Vec3<>> positions;
    for (int i = 0; i < context.system().particle_count(); ++i)
        positions.push_back({0.07 * i, 0.15 * std::sin(i * 1.1), 0.15 * std::cos(i * 1.1)});
    context.set_positions(positions);
}

template <class B> State run(B const& backend) {
    auto const system = changing_chain();
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, backend, Mixed{}};
    start_on_helix(context);
    for (double const factor : {1.5, 0.8, 1.7})
        system.for_each_force([&]<class F>(int index, F const&) {
            context.step(4);
            F force = context.system().template forces<F>()[0];
            auto const before = context.state(Energy).potential_energy;
            change(force, factor);
            context.update(index, force);
            INFO(F::name);
            CHECK(std::abs(context.state(Energy).potential_energy - before) > 1e-3 * std::abs(before));
            check_numbers_arrived(context, backend);
        });
    context.step(4);
    return context.state(all_that_steps_change);
}

}  // namespace

TEST_CASE("numbers that change between steps", "[device]") {
    auto const given = run(PlainDevice{});
    check_same_bits(run(TestedDevice{}), given);
#ifndef TROTTER_TEST_CUDA
    check_same_bits(run(RecordedOpenCl{}), given);
#endif
}

TEST_CASE("an update leaves the state and the recorded step on the device", "[device]") {
    auto const system = changing_chain();
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, TestedDevice{}, Mixed{}};
    start_on_helix(context);
    context.step(4);
    auto const version = version_of_steps(context);
    auto bonds = system.template forces<HarmonicBondForce>()[0];
    change(bonds, 1.01);
    context.update(0, bonds);
    auto nonbonded = system.template forces<NonbondedForce>()[0];
    for (auto& particle : nonbonded.particles) particle.charge *= 1.01;
    context.update(1, nonbonded);
    CHECK(context.engine().is_state_on_device());
    context.step(2);
    CHECK(version_of_steps(context) == version);
}
