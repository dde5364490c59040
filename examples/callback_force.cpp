// A force computed by your own C++ function, called in every step, on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <span>

#include "every_backend.hpp"

using namespace trotter;

/// Hooke's law between two groups' centres of geometry, as another program might compute it.
struct GroupSpring {
    double k = 500 * kJ_per_mol / (nm * nm), length = 0.4 * nm;

    double operator()(Configuration const& at, std::span<Vec3<>> forces) const {
        auto const half = at.positions.size() / 2;
        Vec3<> apart;
        for (std::size_t n = 0; n < half; ++n)
            apart += (at.positions[half + n] - at.positions[n]) / static_cast<double>(half);
        double const r = norm(apart), stretch = r - length;
        for (std::size_t n = 0; n < half; ++n) {
            forces[n] += apart * (k * stretch / r / static_cast<double>(half));
            forces[half + n] -= apart * (k * stretch / r / static_cast<double>(half));
        }
        return k * stretch * stretch / 2;
    }
};

int main() {
    System<ForceList<HarmonicBondForce, CallbackForce<GroupSpring>>> system;
    for (int i = 0; i < 6; ++i) system.add_particle(12 * amu);
    HarmonicBondForce bonds;
    for (int const i : {0, 1, 3, 4}) bonds.bonds.push_back({i, i + 1, 0.15 * nm, 2e5 * kJ_per_mol / (nm * nm)});
    system.add(bonds);
    system.add(CallbackForce<GroupSpring>{.function = {}, .particles = {0, 1, 2, 3, 4, 5}});

    int status = 0;
    on_every_backend([&](auto backend, auto precision) {
        auto context = Context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
        context.set_positions({{0, 0, 0}, {0.15, 0, 0}, {0.3, 0, 0}, {0, 0.5, 0}, {0.15, 0.5, 0}, {0.3, 0.5, 0}});
        double const before = context.state(Energy).potential_energy;
        context.step(500);
        auto const state = context.state(Energy);
        double const after = state.potential_energy + state.kinetic_energy;
        std::printf("%s, %s: %.6f kJ/mol before, %.6f after 500 steps\n", backend.name.data(), precision.name.data(),
                    before, after);
        if (std::abs(after - before) > 0.01 * before) status = 1;
    });
    return status;
}
