// Reads and writes the five kinds of virtual sites as children of a `<Particle>` element.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

#include <trotter/core/virtual_sites.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

inline constexpr std::array<std::string_view, 5> virtual_site_elements{
    "TwoParticleAverageSite", "ThreeParticleAverageSite", "OutOfPlaneSite", "LocalCoordinatesSite", "SymmetrySite"};

VirtualSite read_virtual_site(XmlNode const& node, int particle_count);
void write_virtual_site(XmlWriter& xml, VirtualSite const& site);

}  // namespace trotter::detail
