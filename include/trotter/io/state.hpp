// States as OpenMM's XML.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include <trotter/io/read_options.hpp>
#include <trotter/state.hpp>

namespace trotter {

/// Reads a State from the text of a `<State>` element; `name` is what messages call it. Parts that are absent stay so.
/// Integrator parameters are named by their place in the tree of the file, such as
/// `IntegratorParameters[0]/Chain[2]/Bead[1]/velocity`. A name that ends in `/` stands for an element that holds
/// nothing. Those of a CompoundIntegrator have `currentIntegrator` among them and an `IntegratorParameters[i]` for each
/// integrator. Throws InputError with the line for anything unknown, and for positions and velocities that are not
/// finite.
State parse_state(std::string text, std::string const& name = "state");

/// The same from a file, plain or gzip.
State read_state(std::filesystem::path const& path, ReadOptions options = {});

/// The text that OpenMM and `parse_state` read as the same State, to the last bit. OpenMM refuses one without a box,
/// and its files have no place for derivatives with respect to parameters: those are left out. A parameter or variable
/// whose name is no name in XML, such as `k[1]`, becomes an element `<Parameter name="k[1]" value="2"/>`, which OpenMM
/// passes over. Throws InputError for a name that XML cannot hold at all (control characters, bytes that are no UTF-8).
std::string state_to_xml(State const& state);

/// The same into a file, compressed if the name ends in `.gz`.
void write_state(std::filesystem::path const& path, State const& state);

}  // namespace trotter
