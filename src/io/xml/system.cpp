// Reads and writes Systems except forces: particles with virtual sites, constraints, box.
// SPDX-License-Identifier: MIT
#include <array>

#include <trotter/core/particles_check.hpp>
#include <trotter/io/system.hpp>

#include "box.hpp"
#include "left_out.hpp"
#include "virtual_site.hpp"

namespace trotter {
namespace {

constexpr std::array<std::string_view, 1> mass_alone{"mass"};

void read_particle_list(XmlNode const& list, Particles& particles) {
    auto const elements = list.items("Particle");
    particles.masses.reserve(elements.size());
    for (auto const element : elements) {
        auto const mass = element.number("mass");
        if (mass < 0) element.refuse("mass", "a number that is not negative");
        particles.masses.push_back(mass);
    }
    int index = 0;
    for (auto const element : elements) {
        element.only(mass_alone, detail::virtual_site_elements);
        auto const sites = element.children();
        if (sites.size() > 1) element.fail("expected one virtual site, but there are " + std::to_string(sites.size()));
        if (!sites.empty())
            particles.virtual_sites.emplace(index, detail::read_virtual_site(*sites.begin(), particles.count()));
        ++index;
    }
}

void read_constraints(XmlNode const& list, Particles& particles) {
    for (auto const element : list.items("Constraint")) {
        element.only({"d", "p1", "p2"});
        int const last = particles.count() - 1;
        particles.constraints.push_back(
            {element.integer<int>("p1", 0, last), element.integer<int>("p2", 0, last), element.number("d")});
    }
}

}  // namespace

namespace detail {

void read_frame(XmlNode const& root, Particles& particles, Box& box) {
    if (root.text("type") != "System") root.refuse("type", "\"System\"");
    root.version(1);
    root.only({"openmmVersion", "type", "version"}, {"PeriodicBoxVectors", "Particles", "Constraints", "Forces"});
    box = read_box(root.child("PeriodicBoxVectors"));
    read_particle_list(root.child("Particles"), particles);
    read_constraints(root.child("Constraints"), particles);
    located(root, [&] { particles.check(); });
}

void write_frame(XmlWriter& xml, Particles const& particles, Box const& box) {
    write_root(xml, "System");
    write_box(xml, box);
    xml.open("Particles");
    for (int i = 0; i < particles.count(); ++i) {
        xml.open("Particle").attribute("mass", particles.masses[static_cast<std::size_t>(i)]);
        if (auto const site = particles.virtual_sites.find(i); site != particles.virtual_sites.end())
            write_virtual_site(xml, site->second);
        xml.close();
    }
    xml.close().open("Constraints");
    for (auto const& [particle1, particle2, distance] : particles.constraints)
        xml.open("Constraint").attribute("d", distance).attribute("p1", particle1).attribute("p2", particle2).close();
    xml.close();
}

void refuse_force(XmlNode const& node, std::span<std::string_view const> known) {
    std::string names;
    for (auto const name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    node.refuse("type", "one of the forces that are known here: " + names + extensions_left_out());
}

template void read_forces(XmlNode const&, StandardSystem&);
template void write_forces(XmlWriter&, StandardSystem const&);

}  // namespace detail
}  // namespace trotter
