// A protein in water, from OpenMM's files: the program of the README.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include <trotter/cpu.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

int main() {
    auto const system = read_system("dhfr/system.xml.gz");
    auto context = Context{system, LangevinMiddleIntegrator{.temperature = 300 * kelvin, .friction = 1 / ps, .step_size = 2 * fs},
                           Cpu{}, Mixed{}};
    context.set_state(read_state("dhfr/state.xml.gz"));
    for (int round = 0; round < 3; ++round) {
        context.step(10);
        std::printf("%5.3f ps  %.1f kJ/mol\n", context.time(), context.state(Energy).potential_energy);
    }
}
