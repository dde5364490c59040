// Reads the inputs.
// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <bit>
#include <random>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>

#include "../io/checksum.hpp"

namespace trotter::program {
namespace {

std::string text_of(std::string const& option, std::string const& path, Options const& options) {
    if (path.empty()) throw InputError("--" + option + " is missing (see `trotter help " + options.command + "`)");
    return read_file(path, options.max_input, FileKind::xml);
}

void check_sizes(State const& state, std::string const& path, int particles) {
    auto const count = static_cast<std::size_t>(particles);
    if (state.positions.empty()) throw InputError(path + ": the State has no positions");
    for (auto const& [what, vectors] : {std::pair{"positions", &state.positions}, {"velocities", &state.velocities}})
        if (!vectors->empty() && vectors->size() != count)
            throw InputError(path + ": the State has " + std::to_string(vectors->size()) + " " + what
                             + ", expected one for each of the System's " + std::to_string(count) + " particles");
}

std::uint64_t fresh_seed() {
    std::random_device device;
    // Half of the bits: numbers that spreadsheets, JSON readers and people can hold.
    return device() | 1u;
}

BackendChoice choice_of(Options const& options) {
    return {.platform = options.platform,
            .precision = options.precision,
            .device = options.device.empty() ? 0 : parse_device(options.device),
            .threads = options.threads,
            .seed = options.seed ? *options.seed : fresh_seed(),
            .instruction_set = options.instruction_set,
            .list_buffer = options.list_buffer};
}

/// The State and the parameters that were given, to a Context or to replicas.
template <class Simulation> void take_over(Simulation& simulation, Inputs const& inputs, Options const& options) {
    try {
        if (inputs.state) simulation.set_state(*inputs.state);
    } catch (InputError const& error) {
        throw InputError(options.state + ": " + error.what());
    }
    for (auto const& [name, value] : options.assignments) {
        try {
            simulation.set_parameter(name, value);
        } catch (InputError const& error) {
            throw InputError(std::string("--set: ") + error.what());
        }
    }
}

}  // namespace

double Inputs::total_mass() const {
    double total = 0;
    for (double const mass : system.particles->masses) total += mass;
    return total;
}

Inputs read_inputs(Options const& options, KnownForces const& forces, Need need) {
    Inputs inputs;
    {
        auto text = text_of("system", options.system, options);
        inputs.checksum = detail::checksum(text);
        inputs.system = forces.parse(std::move(text), options.system);
    }
    if (!options.integrator.empty() || need.integrator) {
        auto text = text_of("integrator", options.integrator, options);
        inputs.checksum = std::rotl(inputs.checksum, 1) ^ detail::checksum(text);
        inputs.integrator = parse_integrator(std::move(text), options.integrator);
    } else {
        inputs.integrator = LangevinMiddleIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001};
    }
    if (!options.state.empty() || need.state) {
        inputs.state = parse_state(text_of("state", options.state, options), options.state);
        check_sizes(*inputs.state, options.state, inputs.system.particles->count());
    }
    return inputs;
}

AnyContext make_context(Inputs const& inputs, Options const& options) {
    auto context = inputs.system.make_context(inputs.integrator, choice_of(options));
    take_over(context, inputs, options);
    return context;
}

AnyReplicas make_replicas(Inputs const& inputs, Options const& options) {
    auto replicas = inputs.system.make_replicas(inputs.integrator, choice_of(options), options.replicas);
    take_over(replicas, inputs, options);
    return replicas;
}

void release(Inputs& inputs) {
    inputs.system = {};
    inputs.state.reset();
}

}  // namespace trotter::program
