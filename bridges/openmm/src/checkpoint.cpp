// Reads and writes checkpoints of OpenMM Contexts.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <openmm/reference/SimTKOpenMMUtilities.h>
#include <trotter/base/archive.hpp>

#include "engine.hpp"

namespace trotter::openmm {
namespace {

// A checkpoint has a State, for a Context of another System, followed by the complete data for one of the same System.

void put_state(State const& state, Archive& archive) {
    archive.put(state.time);
    archive.put(state.step_count);
    archive.put(*state.box);
    archive.put(state.positions);
    archive.put(state.velocities);
    archive.put(std::uint64_t{state.integrator_parameters->size()});
    for (auto const& [name, value] : *state.integrator_parameters) {
        archive.put(std::string_view(name));
        archive.put(value);
    }
}
State get_state(Archive& archive) {
    State state{.time = archive.get<double>(), .step_count = archive.get<std::int64_t>(), .box = archive.get<Box>()};
    state.positions = archive.get_vector<Vec3<>>();
    state.velocities = archive.get_vector<Vec3<>>();
    state.integrator_parameters.emplace();
    for (auto left = archive.get<std::uint64_t>(); left > 0; --left) {
        auto const name = archive.get_string();
        (*state.integrator_parameters)[name] = archive.get<double>();
    }
    return state;
}

/// Reads a length and that many bytes. Throws InputError, before allocating, if the stream is shorter.
Archive read_archive(std::istream& stream) {
    std::uint64_t size = 0;
    stream.read(reinterpret_cast<char*>(&size), sizeof size);
    auto const begin = stream.tellg();
    auto const end = stream.seekg(0, std::ios::end).tellg();
    stream.seekg(begin);
    if (!stream || size > static_cast<std::uint64_t>(end - begin)) throw InputError("the checkpoint ends early");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    return Archive(std::move(bytes), "the checkpoint");
}

std::string made_by(Properties const& properties) {
    return "Trotter, " + properties.at("Backend") + ", " + properties.at("Precision");
}

}  // namespace

void Engine::save(std::ostream& stream) {
    any();
    settle();
    Archive archive, everything;
    archive.put(std::string_view(made_by(properties_)));
    archive.put(step_offset_);
    archive.put(seeds_);
    archive.put(has_positions_);
    auto const data = Velocities | IntegratorParameters;
    put_state(any_->state(has_positions_ ? Positions | data : data), archive);
    any_->save(everything);
    archive.put(std::string_view(everything.bytes()));
    std::uint64_t const size = archive.bytes().size();
    stream.write(reinterpret_cast<char const*>(&size), sizeof size);
    stream.write(archive.bytes().data(), static_cast<std::streamsize>(size));
    OpenMM::SimTKOpenMMUtilities::createCheckpoint(stream);  // of the random number generator of barostats
}

/// Changes nothing before everything has been read.
void Engine::load(std::istream& stream) {
    any();
    auto archive = read_archive(stream);
    if (auto const theirs = archive.get_string(), own = made_by(properties_); theirs != own)
        throw InputError("the checkpoint is of '" + theirs + "', this Context is '" + own + "'");
    auto const step_offset = archive.get<std::int64_t>();
    auto const seeds = archive.get_vector<std::uint64_t>();
    auto const has_positions = archive.get<bool>();
    auto const state = get_state(archive);
    Archive everything(archive.get_string(), "the checkpoint");

    is_ahead_ = false;
    step_offset_ = step_offset;
    has_positions_ = has_positions;
    if (seeds != seeds_ && seeds.size() == seeds_.size()) {  // of the same number of integrators
        seeds_ = seeds;
        make();
    }
    try {
        if (has_positions_)
            any_->load(everything);
        else
            any_->set_state(state);
    } catch (InputError const&) {
        // Another System, as after `reinitialize` of a changed one: OpenMM requires only the same number of particles.
        any_->set_state(state);
    }
    forget();
    current_integrator_ = -1;
    OpenMM::SimTKOpenMMUtilities::loadCheckpoint(stream);
}

}  // namespace trotter::openmm
