// Reads and writes integrators as OpenMM XML.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>
#include <variant>

#include <trotter/io/read_options.hpp>
#include <trotter/standard_integrators.hpp>

namespace trotter {

namespace detail {
template <class Any> struct WithCompound;
template <class... Is> struct WithCompound<std::variant<Is...>> {
    using Type = std::variant<Is..., CompoundIntegrator>;
};
}  // namespace detail

/// Any integrator supported in files.
using AnyIntegrator = detail::WithCompound<StandardIntegrators::Any>::Type;

/// Reads an integrator from the text of an `<Integrator>` element; `name` is its name in messages. Throws InputError
/// with the line for anything unknown, missing or invalid.
AnyIntegrator parse_integrator(std::string text, std::string const& name = "integrator");

/// The same from a file, plain or gzip.
AnyIntegrator read_integrator(std::filesystem::path const& path, ReadOptions options = {});

/// Returns the text that OpenMM and `parse_integrator` read as the same integrator, bit for bit.
std::string integrator_to_xml(AnyIntegrator const& integrator);

/// The same into a file, compressed if the name ends in `.gz`.
void write_integrator(std::filesystem::path const& path, AnyIntegrator const& integrator);

}  // namespace trotter
