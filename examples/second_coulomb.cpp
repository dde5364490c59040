// A second kind of charge on its own mesh, on every backend: an ionic crystal, whose energy is known.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include "every_backend.hpp"
#include "second_coulomb.hpp"

using namespace trotter;

int main() {
    int const side = 8;                 // ions along an edge of the box
    double const distance = 0.282 * nm;  // of neighbors, as in rock salt
    System<ForceList<SecondCoulombForce>> system;
    system.box = Box::rectangular(side * distance, side * distance, side * distance);
    SecondCoulombForce force;
    std::vector<Vec3<>> positions;
    for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; ++y)
            for (int z = 0; z < side; ++z) {
                system.add_particle(23 * amu);
                force.sites.push_back({(x + y + z) % 2 == 0 ? 1.0 : -1.0});
                positions.push_back(Vec3<>{double(x), double(y), double(z)} * distance);
            }
    system.add(force);

    // From the Madelung constant of this lattice.
    double const expected = -1.747564594633 * 138.935456 / distance * side * side * side / 2;
    bool agree = true;
    on_every_backend([&](auto backend, auto precision) {
        auto context = Context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
        context.set_positions(positions);
        double const energy = context.evaluate({});
        std::printf("%s, %s: %.4f kJ/mol, expected %.4f\n", backend.name.data(), precision.name.data(), energy, expected);
        agree = agree && std::abs(energy / expected - 1) < 1e-4;
    });
    return agree ? 0 : 1;
}
