// A user of the Cpu backend's headers with loops for its own instruction set; the test checks the symbols of its
// object.
// SPDX-License-Identifier: MIT
#include <trotter/cpu.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

using UserForces = ForceList<HarmonicBondForce, CMAPTorsionForce, NonbondedForce, GBSAOBCForce, CustomGBForce>;

double simulate(System<UserForces> const& system, std::vector<Vec3<>> const& positions) {
    Context context{system, LangevinMiddleIntegrator{.temperature = 300 * kelvin, .friction = 1 / ps, .step_size = 1 * fs}, BasicCpu<xsimd::default_arch>{},
                    Mixed{}};
    context.set_positions(positions);
    context.step(10);
    return context.state(Energy).potential_energy;
}
