// Forces that a program computes: in Python, or in C++ below OpenMM's CustomCPPForceImpl.
// SPDX-License-Identifier: MIT
#include "callbacks.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <openmm/Force.h>
#include <openmm/State.h>
#include <trotter/error.hpp>

#include "engine.hpp"

namespace trotter::openmm {
namespace {

std::vector<OpenMM::Vec3> positions_of(Configuration const& configuration) {
    std::vector<OpenMM::Vec3> result;
    result.reserve(configuration.positions.size());
    for (auto const& position : configuration.positions) result.push_back(to_openmm(position));
    return result;
}

template <class Force> CallbackForce<> with_common(Force const& force) {
    return {.periodic = force.usesPeriodicBoundaryConditions(),
            .force_group = force.getForceGroup(),
            .label = force.getName()};
}

}  // namespace

CallbackForce<> call_python(OpenMM::PythonForce const& force, Engine& engine) {
    auto result = with_common(force);
    result.particles = force.getParticles();
    for (auto const& [name, value] : force.getGlobalParameters()) result.global_parameters.push_back({name, value});
    result.function = [&force, &engine](Configuration const& configuration, std::span<Vec3<>> forces) {
        OpenMM::State::StateBuilder builder(configuration.time, engine.step_count());
        builder.setPositions(positions_of(configuration));
        std::map<std::string, double> parameters;
        for (auto const& entry : force.getGlobalParameters())
            parameters[entry.first] = configuration.parameters.value(entry.first);
        builder.setParameters(parameters);
        if (force.usesPeriodicBoundaryConditions())
            builder.setPeriodicBoxVectors(to_openmm(configuration.box.a), to_openmm(configuration.box.b),
                                          to_openmm(configuration.box.c));
        std::vector<double> numbers(3 * forces.size());
        double energy = 0;
        force.getComputation().compute(builder.getState(), energy, numbers.data(), true);
        for (std::size_t i = 0; i < forces.size(); ++i)
            forces[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        return energy;
    };
    return result;
}

CallbackForce<> call_cpp(OpenMM::CustomCPPForceImpl& force, OpenMM::ContextImpl& context) {
    auto result = with_common(force.getOwner());
    result.function = [&force, &context](Configuration const& configuration, std::span<Vec3<>> forces) {
        std::vector<OpenMM::Vec3> sum(forces.size());
        double const energy = force.computeForce(context, positions_of(configuration), sum);
        for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = from_openmm(sum[i]);
        return energy;
    };
    return result;
}

}  // namespace trotter::openmm
