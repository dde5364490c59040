// A backend with analytic forces for tests of integrators and thermostats.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include <trotter/common.hpp>
#include <trotter/precision.hpp>

namespace trotter {

/// A HostBackend without force kernels.
struct TestBackend {
    static constexpr std::string_view name = "test";
    static constexpr bool keeps_state_on_host = true;
};
template <Precision P> class Engine<TestBackend, P> {
public:
    HostState host;
};

/// A HostState, an integrator and forces given as a function of the positions.
template <class I> class TestSimulation {
public:
    /// Adds forces to `host.forces`, which are initially zero, and returns the energy.
    using Forces = std::function<double(HostState&)>;

    TestSimulation(Particles const& particles, I const& integrator, Forces forces, int threads = 1, Box box = {})
        : engine{HostState(particles, box, threads, 7)},
          kernel(integrator, engine, Registration{}),
          forces_(std::move(forces)) {
        engine.host.integration_groups = kernel.integrator().force_groups;
    }

    double evaluate() {
        ++host().evaluations;
        host().forces.assign(host().size(), {});
        return forces_(host());
    }
    void step(int steps = 1) {
        auto evaluator = [this](Request const&) { return evaluate(); };
        for (int n = 0; n < steps; ++n) {
            kernel.step(host(), evaluator);
            ++host().step_count;
        }
    }
    double kinetic_energy() {
        auto evaluator = [this](Request const&) { return evaluate(); };
        return kernel.kinetic_energy(host(), evaluator);
    }
    HostState& host() { return engine.host; }

    Engine<TestBackend, Double> engine;
    Kernel<I, TestBackend, Double> kernel;

private:
    Forces forces_;
};

/// Springs of stiffness k between every particle and the origin.
inline auto harmonic_well(double k) {
    return [k](HostState& host) {
        double energy = 0;
        for (std::size_t i = 0; i < host.size(); ++i) {
            host.forces[i] += host.positions[i] * -k;
            energy += 0.5 * k * dot(host.positions[i], host.positions[i]);
        }
        return energy;
    };
}

}  // namespace trotter
