// The pressure tensor against finite differences of energies, as barostats compute it.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "catch_compat.hpp"
#include "folder.hpp"

#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/reference.hpp>
#include <trotter/reference/observables.hpp>

using namespace trotter;

namespace {

struct Inputs {
    System<StandardForces> system;
    State state;
};
Inputs inputs(std::string const& name) {
    auto const folder = std::filesystem::path(tests_folder()) / "common" / "data";
    return {read_system<StandardForces>(folder / ("pressures_" + name + "_system.xml")),
            read_state(folder / ("pressures_" + name + "_state.xml"))};
}

// The order of the stress tensor's elements in barostats.
constexpr std::array<std::size_t, 6> rows{0, 1, 2, 0, 0, 1}, columns{0, 1, 2, 1, 2, 2};

/// Σ F⊗(x - R), with the centers R of molecules: the intramolecular part of the virial.
Tensor inner_virial(HostState const& host) {
    Tensor sum;
    for (auto const& molecule : host.molecules) {
        Vec3<> center;
        for (int const particle : molecule) center += host.positions[static_cast<std::size_t>(particle)];
        center *= 1 / static_cast<double>(molecule.size());
        for (int const particle : molecule)
            if (!host.particles.is_virtual(particle)) {
                auto const i = static_cast<std::size_t>(particle);
                sum += outer(host.forces[i], host.positions[i] - center);
            }
    }
    return sum;
}

}  // namespace

TEST_CASE("The pressure tensor is what barostats of rigid molecules see") {
    auto const [system, state] = inputs("triclinic");  // no pair crosses the cutoff within a strain of 1e-3
    Context context(system, VerletIntegrator{.step_size = 0.0005}, Reference{}, Double{});
    context.set_state(state);
    Tensor const found = pressure_tensor(context);
    auto& engine = context.engine();
    auto evaluate = [&](Request const& request) { return context.evaluate(request); };
    // Second-order differences over that strain have an error of a millionth of a third derivative, of some 1e6 bar.
    auto const close = [](double value) { return Approx(value).epsilon(1e-3).margin(5); };
    std::vector<bool> rigid;
    system.for_each_force([&](int, auto const& force) {
        if constexpr (requires { force.scale_molecules_as_rigid; })
            rigid.push_back(force.scale_molecules_as_rigid);
        else
            rigid.push_back(false);
    });
    int compared = 0;
    context.for_each_kernel([&](int index, auto& kernel) {
        if (!rigid[static_cast<std::size_t>(index)]) return;
        CAPTURE(index);
        ++compared;
        if constexpr (requires { kernel.stress_tensor(engine, evaluate); }) {
            auto const stress = kernel.stress_tensor(engine, evaluate);
            for (std::size_t n = 0; n < 6; ++n) CHECK(found[rows[n]][columns[n]] == close(stress[n]));
        } else if constexpr (requires { kernel.current_pressure(engine, evaluate).x; }) {
            Vec3<> const p = kernel.current_pressure(engine, evaluate);
            for (std::size_t axis = 0; axis < 3; ++axis) CHECK(found[axis][axis] == close(p[axis]));
        } else if constexpr (requires { kernel.current_pressure(engine, evaluate); }) {
            CHECK(found.trace() / 3 == close(kernel.current_pressure(engine, evaluate)));
        }
    });
    CHECK(compared == 4);
}

TEST_CASE("The pressure tensor is the derivative of the energy by strains that molecules follow") {
    for (std::string const name : {"sites", "triclinic"}) {
        auto const [system, state] = inputs(name);
        Context context(system, VerletIntegrator{.step_size = 0.0005}, Reference{}, Double{});
        context.set_state(state);
        HostState& host = context.engine().host;
        BoxChange change(true);
        auto evaluate = [&](Request const& request) { return context.evaluate(request); };
        auto const kinetic = change.kinetic_tensor(host);
        Tensor const found = pressure_tensor(context);
        context.evaluate({});
        Tensor const between = virial(context) - inner_virial(host);
        double const unit = host.box.volume() * constants::bar;
        for (std::size_t n = 0; n < 6; ++n) {
            double const h = 1e-6;  // so small that no pair crosses the cutoff
            auto const energy = [&](double strain) {
                Box box = host.box;
                for (auto* vector : {&box.a, &box.b, &box.c}) (*vector)[rows[n]] += strain * (*vector)[columns[n]];
                return change.energy_in(box, host, evaluate);
            };
            double const slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
            double const expected = (kinetic[n] - slope) / unit;
            CAPTURE(name, n);
            // Energies of some 1e3 kJ/mol are rounded to 1e-12; over a strain of 1e-6 and some nm³, at 16.6 bar nm³ for
            // 1 kJ/mol, this is 1e-5 bar.
            CHECK(found[rows[n]][columns[n]] == Approx(expected).epsilon(1e-6).margin(1e-4));
            // Torques on molecules make the tensor asymmetric.
            CHECK(found[columns[n]][rows[n]]
                  == Approx((kinetic[n] + between[columns[n]][rows[n]]) / unit).epsilon(1e-9).margin(1e-6));
        }
    }
}
