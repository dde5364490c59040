// Trotter in a program with its own arrays and its own integrator: forces are returned as plain doubles.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/units.hpp>

/// The program's only interface to Trotter: coordinates and forces in the order x0 y0 z0 x1 ….
class ForceField {
public:
    ForceField(trotter::StandardSystem const& system, trotter::BackendChoice const& where)
        : context_(system, trotter::VerletIntegrator{.step_size = 1 * trotter::fs}, where) {}

    /// Returns the energy [kJ/mol] at these positions [nm], and overwrites `forces` [kJ/mol/nm].
    double evaluate(std::span<double const> positions, std::span<double> forces) {
        context_.set_positions(positions);
        double const energy = context_.evaluate({});
        std::size_t n = 0;
        for (auto const& [x, y, z] : context_.forces()) forces[n++] = x, forces[n++] = y, forces[n++] = z;
        return energy;
    }

private:
    trotter::AnyContext context_;
};

/// The System of the host program: 64 atoms of argon without a cutoff.
trotter::StandardSystem argon(std::vector<double>& positions) {
    trotter::StandardSystem system;
    trotter::NonbondedForce force;
    for (int i = 0; i < 64; ++i) {
        system.add_particle(39.948);
        force.particles.push_back({.charge = 0, .sigma = 0.3405, .epsilon = 0.996});
        for (int const n : {i % 4, i / 4 % 4, i / 16}) positions.push_back(0.38 * n);
    }
    system.add(force);
    return system;
}

int main() {
    std::vector<double> x;
    auto const system = argon(x);
    ForceField field(system, {.platform = "reference", .precision = "double", .threads = 1});

    // Velocity Verlet on the program's own arrays.
    double const mass = 39.948, dt = 2 * trotter::fs;
    std::vector<double> v(x.size()), f(x.size());
    double potential = field.evaluate(x, f);
    double const first = potential;
    for (int step = 0; step < 500; ++step) {
        for (std::size_t n = 0; n < x.size(); ++n) v[n] += dt / 2 * f[n] / mass, x[n] += dt * v[n];
        potential = field.evaluate(x, f);
        for (std::size_t n = 0; n < x.size(); ++n) v[n] += dt / 2 * f[n] / mass;
    }
    double kinetic = 0;
    for (double const each : v) kinetic += mass * each * each / 2;
    std::printf("potential %.6f, kinetic %.6f, total %.6f kJ/mol; at the start %.6f\n", potential, kinetic,
                potential + kinetic, first);
    return kinetic > 0.1 && std::abs(potential + kinetic - first) < 1e-3 * kinetic ? 0 : 1;
}
