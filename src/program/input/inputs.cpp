// Reads the inputs.
// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include <trotter/common/threads/threads.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>

#include "io/files/checksum.hpp"
#include "program/output/messages.hpp"

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
    // 32 bits, exact in spreadsheets and JSON readers
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

/// Warns if the machine provides fewer threads, which affects only the speed.
void tell_of_threads(PlatformDescription const& platform, int wanted) {
    int const expected = wanted > 0 ? wanted : Threads::available();
    if (platform.platform == "cpu" && platform.threads < expected)
        tell(fmt::format("the machine gives {} of {} threads; it goes on with those\n", platform.threads, expected));
}

/// Sets the given State and parameters on a Context or replicas.
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
        auto text = text_of("state", options.state, options);
        inputs.state_checksum = detail::checksum(text);
        inputs.state = parse_state(std::move(text), options.state);
        check_sizes(*inputs.state, options.state, inputs.system.particles->count());
    }
    return inputs;
}

AnyContext make_context(Inputs const& inputs, Options const& options) {
    auto context = inputs.system.make_context(inputs.integrator, choice_of(options));
    tell_of_threads(context.platform(), options.threads);
    take_over(context, inputs, options);
    return context;
}

AnyReplicas make_replicas(Inputs const& inputs, Options const& options) {
    auto replicas = inputs.system.make_replicas(inputs.integrator, choice_of(options), options.replicas);
    tell_of_threads(replicas.platform(), options.threads);
    take_over(replicas, inputs, options);
    return replicas;
}

void place_virtual_sites(AnyContext& context, std::string const& state_name) {
    constexpr double rounding = 1e-5;  // [nm]
    auto const before = context.positions();
    context.compute_virtual_sites();
    auto const& placed = context.positions();
    double largest = 0;
    int count = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        double const distance = norm(placed[i] - before[i]);
        count += distance > rounding;
        largest = std::max(largest, distance);
    }
    if (count == 0) return context.set_positions(before);
    tell(presentable(
             fmt::format("{}: {} virtual site{} stood up to {:.3g} nm from where the parents put them; they were "
                         "placed",
                         state_name, count, count == 1 ? "" : "s", largest))
         + '\n');
}

void check_step_count(std::int64_t first, std::int64_t steps) {
    if (steps > std::numeric_limits<std::int64_t>::max() - first)
        throw InputError("the step count of the State is " + std::to_string(first) + ", and " + std::to_string(steps)
                         + " steps more cannot be counted, expected a sum below 2^63");
}

void release(Inputs& inputs) {
    inputs.system = {};
    inputs.state.reset();
}

}  // namespace trotter::program
