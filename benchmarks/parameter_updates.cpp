// The time of a step preceded by an update of all parameters of a force, for each force of a System in turn.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/trotter.hpp>

#include "platforms.hpp"

using namespace trotter;

namespace {

using Forces =
    ForceList<HarmonicBondForce, HarmonicAngleForce, PeriodicTorsionForce, NonbondedForce, CMMotionRemover>;

// Scales all parameters by a factor; returns their number.
std::size_t scale(HarmonicBondForce& force, double factor) {
    for (auto& bond : force.bonds) bond.k *= factor;
    return force.bonds.size();
}
std::size_t scale(HarmonicAngleForce& force, double factor) {
    for (auto& angle : force.angles) angle.k *= factor;
    return force.angles.size();
}
std::size_t scale(PeriodicTorsionForce& force, double factor) {
    for (auto& torsion : force.torsions) torsion.k *= factor;
    return force.torsions.size();
}
std::size_t scale(NonbondedForce& force, double factor) {
    for (auto& particle : force.particles) particle.charge *= factor, particle.epsilon *= factor;
    for (auto& exception : force.exceptions) exception.charge_product *= factor, exception.epsilon *= factor;
    return force.particles.size() + force.exceptions.size();
}

struct Arguments {
    std::string system, state;
    int steps, rounds;  // at least 1
};

/// Steps, and reads positions to wait for the device, as the program compared with does.
template <class ContextType> void step_to_its_end(ContextType& context) {
    context.step(1);
    (void)context.state(Positions);
}

template <class ContextType> double microseconds_of_steps(ContextType& context, int steps) {
    double const start = seconds();
    for (int n = 0; n < steps; ++n) step_to_its_end(context);
    return 1e6 * (seconds() - start) / steps;
}
/// The time of steps with an update before each, excluding the change of parameters.
template <class F, class ContextType> double microseconds_of_updates(ContextType& context, int index, int steps) {
    double taken = 0;
    for (int n = 0; n < 2 * ((steps + 1) / 2); ++n) {
        scale(context.system().template forces<F>().front(), n % 2 == 0 ? 0.999 : 1 / 0.999);
        double const start = seconds();
        context.update(index);
        step_to_its_end(context);
        taken += seconds() - start;
    }
    return 1e6 * taken / (2 * ((steps + 1) / 2));
}

template <class B, class P> void measure(Arguments const& arguments, B const& backend, P precision) {
    auto const system = read_system<Forces>(arguments.system);
    auto const state = read_state(arguments.state);
    Context context{system, VerletIntegrator{.step_size = 0.5 * fs}, backend, precision};
    system.for_each_force([&]<class F>(int index, F const& force) {
        if constexpr (requires(F copy) { scale(copy, 1.0); }) {
            context.set_state(state);
            microseconds_of_updates<F>(context, index, arguments.steps);  // compiles, records, warms up
            std::vector<double> alone, updated;
            for (int round = 0; round < arguments.rounds; ++round) {
                alone.push_back(microseconds_of_steps(context, arguments.steps));
                updated.push_back(microseconds_of_updates<F>(context, index, arguments.steps));
            }
            F copy = force;
            std::printf("{\"force\": \"%s\", \"items\": %zu, \"us_per_step\": %.2f, \"us_with_update\": %.2f}\n",
                        F::name.data(), scale(copy, 1), median(alone), median(updated));
        }
    });
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 4) {
        std::printf("usage: %s PLATFORM SYSTEM STATE [PRECISION [STEPS [ROUNDS]]]\n", argv[0]);
        return 1;
    }
    Arguments const arguments{argv[2], argv[3], std::max(1, argc > 5 ? std::atoi(argv[5]) : 200),
                              std::max(1, argc > 6 ? std::atoi(argv[6]) : 3)};
    on_platform(argv[1], argc > 4 ? argv[4] : "mixed",
                [&](auto const& backend, auto precision) { measure(arguments, backend, precision); });
    return 0;
} catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
