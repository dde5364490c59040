// A typed Context uses and reports the best instruction set of the machine, whatever this file is compiled for.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

/// A user-defined pair force.
struct Repulsion {
    static constexpr std::string_view name = "Repulsion";
    struct Particle {
        double size = 1;
    };
    std::vector<Particle> particles{};
    PairSettings pairs{};
    int force_group = 0;

    static constexpr auto sites = &Repulsion::particles;
    static constexpr auto fields = std::tuple{Field{"size", "size", &Particle::size}};
    static constexpr Expression<"(s/r)^12; s=(size1+size2)/2"> energy{};
};

/// A user-defined bonded force.
struct Spring {
    static constexpr std::string_view name = "Spring";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double length = 0;
    };
    std::vector<Bond> bonds{};
    int force_group = 0;

    static constexpr auto terms = &Spring::bonds;
    static constexpr auto particles = std::tuple{&Bond::particle1, &Bond::particle2};
    static constexpr auto fields = std::tuple{Field{"length", "length", &Bond::length}};
    static constexpr auto variables = std::tuple{Distance{"r", {0, 1}}};
    static constexpr Expression<"50*(r-length)^2"> energy{};
};

int main() {
    System<ForceList<Repulsion, Spring, HarmonicBondForce, NonbondedForce>> system;
    for (int i = 0; i < 2; ++i) system.add_particle(40 * amu);
    system.add(Repulsion{.particles = {{0.3}, {0.3}}});
    system.add(Spring{.bonds = {{0, 1, 0.25}}});
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.2, 100}}});
    system.add(NonbondedForce{.particles = {{.epsilon = 0}, {.epsilon = 0}}});
    Context context{system, VerletIntegrator{.step_size = 2 * fs}, Cpu{.threads = 2}, Mixed{}};
    context.set_positions({{0, 0, 0}, {0.3, 0, 0}});
    double const energy = context.state(Energy).potential_energy;
    auto const description = context.description();
    std::printf("%s, %s: %.6f kJ/mol\n", description.device.c_str(), description.precision.c_str(), energy);

    bool const is_right = std::abs(energy - (1 + 50 * 0.05 * 0.05 + 50 * 0.1 * 0.1)) < 1e-5;
    bool const is_described = description.platform == "cpu" && description.precision == "mixed" && description.threads == 2
                              && description.instruction_set == cpu::instruction_sets().front();
    return is_right && is_described ? 0 : 1;
}
