// Reads and writes the chains of a NoseHooverIntegrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

#include <trotter/integrators/nose_hoover.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

/// Attributes of the integrator's element for a single chain of all particles.
inline constexpr std::array<std::string_view, 5> chain_attributes{"temperature", "collisionFrequency", "chainLength",
                                                                  "numMTS", "numYS"};

void read_chains(XmlNode const& node, NoseHooverIntegrator& integrator);
void write_chains(XmlWriter& xml, NoseHooverIntegrator const& integrator);

}  // namespace trotter::detail
