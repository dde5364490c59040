// Your own force in one struct: its parameters and its formula. Works on every backend.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/precision.hpp>
#include <trotter/units.hpp>
// The parts of each backend that formulas need; <trotter/cpu.hpp> would include the kernels of all forces.
#include <trotter/reference/core.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu/core.hpp>
#endif
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl/core.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda/core.hpp>
#endif

using namespace trotter;

/// A chemical bond that can break: E = depth (1 - exp(-stiffness (r - length)))².
struct MorseBondForce {
    static constexpr std::string_view name = "MorseBondForce";
    struct Bond { int particle1, particle2; double length, depth, stiffness; };
    std::vector<Bond> bonds;
    int force_group = 0;
    static constexpr auto terms = &MorseBondForce::bonds;
    static constexpr auto particles = std::tuple{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::tuple{Distance{"r", {0, 1}}};
    static constexpr auto fields = std::tuple{Field{"length", &Bond::length}, Field{"depth", &Bond::depth},
                                              Field{"stiffness", &Bond::stiffness}};
    static constexpr Expression<"depth*(1 - exp(-stiffness*(r - length)))^2"> energy{};
};

template <class Backend, class Precision> double stretch(Backend backend, Precision precision) {
    System<ForceList<HarmonicBondForce, MorseBondForce>> system;  // a list of the forces you use, yours among them
    system.add_particle(14 * amu);
    system.add_particle(16 * amu);
    system.add(MorseBondForce{.bonds = {{0, 1, 0.115 * nm, 627 * kJ_per_mol, 27.7 / nm}}});

    auto context = Context{system, VerletIntegrator{.step_size = 0.5 * fs}, backend, precision};
    context.set_positions({{0, 0, 0}, {0.13, 0, 0}});
    context.step(100);
    auto const state = context.state(Positions | Energy);
    double const length = norm(state.positions[1] - state.positions[0]);
    std::printf("%s, %s: length %.9f nm, energy %.9f kJ/mol\n", Backend::name.data(), Precision::name.data(), length,
                state.potential_energy + state.kinetic_energy);
    return length;
}

int main() {
    double const length = stretch(Reference{}, Double{});
#ifdef TROTTER_HAVE_CPU
    if (std::abs(stretch(Cpu{}, Double{}) - length) > 1e-12) return 1;
    if (std::abs(stretch(Cpu{}, Mixed{}) - length) > 1e-6) return 1;
#endif
#ifdef TROTTER_HAVE_OPENCL
    if (!opencl::devices().empty() && std::abs(stretch(OpenCl{}, Mixed{}) - length) > 1e-6) return 1;
#endif
#ifdef TROTTER_HAVE_CUDA
    if (!cuda::devices().empty() && std::abs(stretch(Cuda{}, Mixed{}) - length) > 1e-6) return 1;
#endif
    return length > 0.09 && length < 0.14 ? 0 : 1;
}
