// The time of a step of a Lennard-Jones fluid with the hand-written loop and with a user's formula, at compile time or
// run time, and the ratios of the three.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/trotter.hpp>

#include "platforms.hpp"

using namespace trotter;

namespace {

/// A user-defined force with a compile-time or run-time formula.
template <class Formula> struct LennardJonesPairs {
    static constexpr std::string_view name = "LennardJonesPairs";
    struct Particle {
        double sigma = 1, epsilon = 0;
    };
    std::vector<Particle> particles{};
    Formula energy{};
    PairSettings pairs{};
    int force_group = 0;

    static constexpr auto sites = &LennardJonesPairs::particles;
    static constexpr auto fields =
        std::array{Field{"sigma", "sigma", &Particle::sigma}, Field{"epsilon", "epsilon", &Particle::epsilon}};
};
using Known = Expression<"4*sqrt(epsilon1*epsilon2)*((s/r)^12-(s/r)^6); s=(sigma1+sigma2)/2">;

/// Copies the parameters of the built-in force, which must have no charges and only exclusions as exceptions.
template <class Formula> LennardJonesPairs<Formula> pairs_of(NonbondedForce const& force, Formula const& formula) {
    using Method = PairSettings::Method;
    LennardJonesPairs<Formula> result{.energy = formula};
    result.pairs = {.method = !force.uses_cutoff()  ? Method::no_cutoff
                              : force.is_periodic() ? Method::cutoff_periodic
                                                    : Method::cutoff_non_periodic,
                    .cutoff_distance = force.cutoff_distance,
                    .use_switching_function = force.use_switching_function,
                    .switching_distance = force.switching_distance};
    for (auto const& [charge, sigma, epsilon] : force.particles) {
        if (charge != 0) throw InputError("a particle has a charge; expected a fluid of Lennard-Jones particles");
        result.particles.push_back({sigma, epsilon});
    }
    for (auto const& exception : force.exceptions) {
        if (exception.epsilon != 0 || exception.charge_product != 0)
            throw InputError("an exception has an interaction; expected none");
        result.pairs.exclusions.push_back({exception.particle1, exception.particle2});
    }
    return result;
}

/// The backend for compile-time formulas: on Cpu, that of this file's instruction set, since `Cpu` would compile them
/// at run time.
template <class B> B compiling(B const& backend) { return backend; }
#ifdef TROTTER_HAVE_CPU
BasicCpu<xsimd::default_arch> compiling(Cpu const& cpu) { return {.threads = cpu.threads}; }
#endif

template <class F> System<ForceList<F>> system_of(Particles const& particles, Box const& box, F const& force) {
    System<ForceList<F>> system;
    system.particles = particles;
    system.box = box;
    system.add(force);
    return system;
}

template <class ContextType> double microseconds_per_step(ContextType& context, int steps) {
    double const start = seconds();
    context.step(steps);
    return 1e6 * (seconds() - start) / steps;
}

/// A version of the force, and the times of its steps.
struct Way {
    char const* name;
    std::vector<double> times{};  ///< [us] a step, one for each round
};
/// Ratios within rounds, since the machine's speed varies.
double median_ratio(Way const& one, Way const& other) {
    std::vector<double> ratios;
    for (std::size_t n = 0; n < one.times.size(); ++n) ratios.push_back(one.times[n] / other.times[n]);
    return median(ratios);
}

struct Arguments {
    std::string system, state;
    int steps, rounds;  // at least 1
};

template <class B, class P> void compare(Arguments const& arguments, B const& backend, P const& precision) {
    auto const read = read_system<ForceList<NonbondedForce>>(arguments.system);
    auto const state = read_state(arguments.state);
    auto const& built_in = read.template forces<NonbondedForce>().at(0);
    VerletIntegrator const integrator{.step_size = 2 * fs};
    Context first{read, integrator, backend, precision};
    Context second{system_of(read.particles, read.box, pairs_of(built_in, Known{})), integrator, compiling(backend), precision};
    RuntimeExpression const typed{std::string(Known::formula())};
    Context third{system_of(read.particles, read.box, pairs_of(built_in, typed)), integrator, backend, precision};
    std::array ways{Way{"by hand"}, Way{"compile-time"}, Way{"run-time"}};
    auto const on_all = [&](auto const& visit) {
        visit(ways[0], first), visit(ways[1], second), visit(ways[2], third);
    };
    std::printf("%s, %s precision, %d particles\n", backend.name.data(), precision.name.data(), read.particle_count());
    on_all([&](Way const& way, auto& context) {
        context.set_state(state);
        std::printf("%14s: %.6f kJ/mol\n", way.name, context.state(Energy).potential_energy);
        context.step(arguments.steps);  // compiles, records, warms up
    });
    for (int round = 0; round < arguments.rounds; ++round) {
        on_all([&](Way& way, auto& context) {
            way.times.push_back(microseconds_per_step(context, arguments.steps));
            std::printf("%14s %8.2f us", way.name, way.times.back());
        });
        std::printf("\n");
    }
    std::printf("medians: run-time %.3f of compile-time, compile-time %.3f of by hand\n",
                median_ratio(ways[2], ways[1]), median_ratio(ways[1], ways[0]));
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 4) {
        std::printf("usage: %s PLATFORM SYSTEM STATE [PRECISION [STEPS [ROUNDS]]]\n", argv[0]);
        return 1;
    }
    Arguments const arguments{argv[2], argv[3], argc > 5 ? std::atoi(argv[5]) : 2000,
                              std::max(1, argc > 6 ? std::atoi(argv[6]) : 5)};
    on_platform(argv[1], argc > 4 ? argv[4] : "mixed",
                [&](auto const& backend, auto precision) { compare(arguments, backend, precision); });
    return 0;
} catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
