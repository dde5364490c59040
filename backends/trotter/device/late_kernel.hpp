// Adapts force kernels on devices to the Context, for every precision.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/core/request.hpp>
#include <trotter/registration.hpp>

namespace trotter::device {

/// Force kernel for a Context; `Work` uses the device's engine and returns the energy after the evaluation.
template <class Work> class LateKernel {
public:
    template <class F, class Engine>
    LateKernel(F const& force, Engine& engine, Registration who) : work_(force, engine.device, who) {}

    template <class Engine> double compute(Engine& engine, Request const& request) {
        work_.compute(engine.device, request);
        return 0;
    }
    template <class Engine> double late_energy(Engine& engine, Request const& request) {
        return work_.late_energy(engine.device, request);
    }
    template <class F, class Engine> void update(F const& force, Engine& engine) { work_.update(force, engine.device); }

private:
    Work work_;
};

}  // namespace trotter::device
