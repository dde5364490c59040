// A ring of strings by the formula in the header, on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <optional>

#include "every_backend.hpp"
#include "string_force.hpp"

using namespace trotter;
using string_theory::StringForce;

/// The energy before and after some steps [kJ/mol].
struct Energies {
    double first = 0, last = 0;
};

template <class Backend, class Precision> Energies swing(Backend backend, Precision precision) {
    int const particles = 12;
    System<ForceList<HarmonicBondForce, StringForce>> system;  // the forces you use, yours among them
    StringForce strings;
    std::vector<Vec3<>> positions;
    for (int i = 0; i < particles; ++i) {
        system.add_particle(12 * amu);
        strings.strings.push_back({i, (i + 1) % particles, 200 * kJ_per_mol / nm, 40 * kJ_per_mol});
        positions.push_back({std::cos(0.5 * i), std::sin(0.5 * i), 0.1 * (i % 3)});
    }
    system.add(strings);
    system.add(HarmonicBondForce{.bonds = {{0, 6, 1.5 * nm, 100}}});

    auto context = Context{system, VerletIntegrator{.step_size = 0.5 * fs}, backend, precision};
    context.set_positions(positions);
    auto const total = [&] {
        auto const state = context.state(Energy);
        return state.potential_energy + state.kinetic_energy;
    };
    Energies energies{.first = total()};
    context.step(200);
    energies.last = total();
    std::printf("%s, %s: %.6f kJ/mol, after 200 steps %.6f\n", backend.name.data(), precision.name.data(),
                energies.first, energies.last);
    return energies;
}

int main() {
    std::optional<Energies> reference;
    bool agree = true;
    on_every_backend([&](auto backend, auto precision) {
        auto const energies = swing(backend, precision);
        if (!reference) reference = energies;
        // Mixed precision computes terms in double; devices sum forces in units of 2^-32 kJ/mol/nm.
        agree = agree && std::abs(energies.first - reference->first) < 1e-9 * reference->first;
        agree = agree && std::abs(energies.last - reference->last) < 1e-9 * reference->last;
    });
    // Leapfrog conserves the energy to second order in the step.
    return agree && std::abs(reference->last - reference->first) < 1e-3 * reference->first ? 0 : 1;
}
