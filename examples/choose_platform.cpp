// The same System on every platform and in every precision of this build, chosen at run time.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <string>

#include <trotter/any_context.hpp>
#include <trotter/platforms.hpp>
#include <trotter/units.hpp>

using namespace trotter;

int main() {
    StandardSystem system;
    NonbondedForce argon{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.9 * nm};
    std::vector<Vec3<>> positions;
    int const cells = 6;
    double const spacing = 0.37 * nm;
    system.box = Box::rectangular(cells * spacing, cells * spacing, cells * spacing);
    for (int i = 0; i < cells * cells * cells; ++i) {
        system.add_particle(39.948 * amu);
        argon.particles.push_back({.charge = 0, .sigma = 0.3405 * nm, .epsilon = 0.996 * kJ_per_mol});
        positions.push_back(Vec3<>{double(i % cells), double(i / cells % cells), double(i / (cells * cells))} * spacing);
    }
    int const force = system.add(argon);
    std::printf("the default is %s\n", best_platform().c_str());

    double reference = 0;
    bool agree = true;
    for (auto const platform : list_platforms())
        for (std::string const precision : {"single", "mixed", "double"}) try {
                AnyContext context(system, VerletIntegrator{.step_size = 2 * fs},
                                   {.platform = std::string(platform), .precision = precision});
                context.set_positions(positions);
                context.step(20);
                // Parameters change while the Context lives.
                for (auto& particle : argon.particles) particle.epsilon = 1.2 * kJ_per_mol;
                context.update(force, argon);
                double const energy = context.evaluate({});
                if (reference == 0) reference = energy;  // the reference platform is the first
                agree = agree && std::abs(energy / reference - 1) < 1e-5;
                std::printf("%s, %s: %.4f kJ/mol on %s\n", context.platform().platform.c_str(),
                            context.platform().precision.c_str(), energy, context.platform().device.c_str());
            } catch (UnsupportedError const& error) {  // no such device, or a precision that it lacks
                std::printf("%s\n", error.what());
            }
    return agree ? 0 : 1;
}
