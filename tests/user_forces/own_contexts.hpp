// Contexts of user-defined forces, compiled in each test for each backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/context.hpp>

#include "../backends.hpp"
#include "../forces/evaluation.hpp"

namespace trotter {

template <class TestedBackend, class SystemType> using TestContext =
    Context<SystemType, typename TestedBackend::Backend, typename TestedBackend::Precision,
            IntegratorList<VerletIntegrator>>;

template <class TestedBackend, class SystemType>
TestContext<TestedBackend, SystemType> context_of(SystemType const& system, Vectors const& positions = {}) {
    TestContext<TestedBackend, SystemType> context(system, VerletIntegrator{.step_size = 0.001},
                                                   typename TestedBackend::Backend{},
                                                   typename TestedBackend::Precision{});
    if (!positions.empty()) context.set_positions(positions);
    return context;
}

template <Force F> System<ForceList<F>> own_system_of(F const& force, std::size_t particles, Box const& box = {}) {
    return system_of<ForceList<F>>(force, particles, box);
}

template <class TestedBackend, Force F> Evaluation evaluate(F const& force, Vectors const& positions,
                                                            Box const& box = {},
                                                            ParameterValues const& parameters = {}) {
    auto context = context_of<TestedBackend>(own_system_of(force, positions.size(), box), positions);
    for (auto const& [name, value] : parameters) context.set_parameter(name, value);
    return evaluation(context);
}

}  // namespace trotter
