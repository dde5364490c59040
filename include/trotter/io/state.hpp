// Reads and writes States as OpenMM XML.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include <trotter/io/read_options.hpp>
#include <trotter/state.hpp>

namespace trotter {

/// Reads a State from the text of a `<State>` element; `name` is its name in messages. Absent parts stay unset.
/// Integrator parameters are named by their path in the file, such as
/// `IntegratorParameters[0]/Chain[2]/Bead[1]/velocity`. A name that ends in `/` denotes an empty element. A
/// CompoundIntegrator has `currentIntegrator` and an `IntegratorParameters[i]` for each integrator. Throws InputError
/// with the line for anything unknown, and for positions and velocities that are not finite.
State parse_state(std::string text, std::string const& name = "state");

/// The same from a file, plain or gzip.
State read_state(std::filesystem::path const& path, ReadOptions options = {});

/// Returns the text that OpenMM and `parse_state` read as the same State, bit for bit. OpenMM rejects a State without a
/// box, and its format has no parameter derivatives: they are omitted. A parameter or variable whose name is not valid
/// in XML, such as `k[1]`, becomes an element `<Parameter name="k[1]" value="2"/>`, which OpenMM ignores. Throws
/// InputError for a name that XML cannot represent (control characters, invalid UTF-8).
std::string state_to_xml(State const& state);

/// The same into a file, compressed if the name ends in `.gz`.
void write_state(std::filesystem::path const& path, State const& state);

}  // namespace trotter
