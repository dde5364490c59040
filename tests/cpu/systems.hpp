// Charged Lennard-Jones particles in small boxes, and kernels on them without a Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <random>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/precision.hpp>
#include <trotter/reference.hpp>

#include "largest_difference.hpp"

namespace trotter::testing {

using Vectors = std::vector<Vec3<>>;

struct Sample {
    Box box;
    Vectors positions;
    NonbondedForce force;
};

/// Triples of particles (like water) on a perturbed lattice, with exceptions within each and some between neighbors.
inline Sample sample(Box const& box, NonbondedForce::Method method, int edge = 6, unsigned seed = 1) {
    std::mt19937 generator(seed);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
    Sample s{box, {}, {}};
    for (int n = 0; n < edge * edge * edge; ++n) {
        Vec3<> const cell{n % edge + 0.5, n / edge % edge + 0.5, n / edge / edge + 0.5};
        Vec3<> const center =
            (box.a * cell.x + box.b * cell.y + box.c * cell.z) / edge + Vec3<>{uniform(), uniform(), uniform()} * 0.05;
        for (int k = 0; k < 3; ++k) {
            s.positions.push_back(
                center + (k == 0 ? Vec3<>{} : Vec3<>{uniform() * 0.03, k == 1 ? 0.1 : -0.05, k == 1 ? 0.0 : 0.09}));
            s.force.particles.push_back(k == 0 ? NonbondedForce::Particle{-0.8, 0.31, 0.6}
                                               : NonbondedForce::Particle{0.42, 0.1, k == 1 ? 0.0 : 0.05});
        }
        int const first = 3 * n;
        for (auto [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) s.force.exceptions.push_back({first + i, first + j});
        if (n > 0 && n % 5 == 0) s.force.exceptions.push_back({first - 2, first, 0.1, 0.3, 0.2});
    }
    s.force.method = method;
    s.force.cutoff_distance = 0.8;
    s.force.ewald_error_tolerance = 1e-4;
    return s;
}

struct Result {
    double energy = 0;
    Vectors forces;
};

/// A kernel and its engine.
template <class B, class P, class F> struct Runner {
    Engine<B, P> engine;
    Kernel<F, B, P> kernel;

    Runner(Sample const& s, F const& force, B backend = {})
        : engine(backend, particles(s), s.box, 1), kernel(force, engine, {}) {
        engine.host.positions = s.positions;
    }
    Result operator()(bool energy = true, ForceGroups const& groups = {}) {
        Request const request{groups, energy};
        engine.begin(request);
        Result result;
        result.energy = kernel.compute(engine, request);
        engine.finish(request);
        if constexpr (requires { kernel.late_energy(engine, request); })
            result.energy += kernel.late_energy(engine, request);
        result.forces = engine.host.forces;
        return result;
    }
    static Particles particles(Sample const& s) {
        Particles result;
        result.masses.assign(s.positions.size(), 1);
        return result;
    }
};

template <class B, class P, class F> Result evaluate(Sample const& s, F const& force, B backend = {}) {
    return Runner<B, P, F>(s, force, backend)();
}

/// Largest and median error of forces, relative to the RMS force and to each force.
struct Errors {
    double largest = 0, median = 0;
};
inline Errors errors(Vectors const& forces, Vectors const& expected) {
    double squares = 0;
    for (auto const& f : expected) squares += dot(f, f);
    double const rms = std::sqrt(squares / static_cast<double>(expected.size()));
    Errors result;
    std::vector<double> relative;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        double const error = norm(forces[i] - expected[i]);
        result.largest = worst_of(result.largest, error == 0 ? 0 : error / rms);
        relative.push_back(error > 0 ? error / norm(expected[i]) : 0);
    }
    std::nth_element(relative.begin(), relative.begin() + static_cast<std::ptrdiff_t>(relative.size() / 2),
                     relative.end());
    result.median = relative[relative.size() / 2];
    return result;
}

inline Box const cube = Box::rectangular(2.4, 2.5, 2.3);
inline Box const skewed{{2.5, 0, 0}, {0.7, 2.4, 0}, {-0.9, 0.8, 2.3}};

/// Runs `check` with each instruction set of the machine, then restores the best.
template <class Check> void with_each_instruction_set(Check const& check) {
    for (auto const name : cpu::instruction_sets()) {
        INFO("instruction set " << name);
        cpu::use_instruction_set(name);
        check();
    }
    cpu::use_instruction_set(cpu::instruction_sets().front());
}

}  // namespace trotter::testing
