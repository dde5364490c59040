// Reads and writes CustomManyParticleForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>

#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"
#include "tables.hpp"

namespace trotter {
namespace {

/// Reads comma-separated integers.
std::set<int> read_types(XmlNode const& element) {
    std::set<int> result;
    auto const text = element.text("types");
    for (std::size_t begin = 0; begin < text.size();) {
        auto const end = std::min(text.find(',', begin), text.size());
        int type = 0;
        auto const read = std::from_chars(text.data() + begin, text.data() + end, type);
        if (read.ec != std::errc{} || read.ptr != text.data() + end)
            element.refuse("types", "integers with commas between them");
        result.insert(type);
        begin = end + 1;
    }
    return result;
}
std::string types_text(std::set<int> const& types) {
    std::string result;
    for (int const type : types) result += (result.empty() ? "" : ",") + std::to_string(type);
    return result;
}

void read_particles(XmlNode const& list, CustomManyParticleForce& force, int particle_count) {
    static constexpr std::array<std::string_view, 1> type{"type"};
    for (auto const element : list.items("Particle")) {
        auto& particle = force.particles.emplace_back();
        particle.parameters = detail::read_row(element, force.parameter_names.size(), type);
        particle.type = element.integer<int>("type");
    }
    detail::check_particle_list(list, "a CustomManyParticleForce", force.particles.size(), particle_count);
}

void read_filters(XmlNode const& list, CustomManyParticleForce& force) {
    force.type_filters.resize(static_cast<std::size_t>(force.particles_per_set));
    for (auto const element : list.items("Filter")) {
        element.only({"index", "types"});
        auto const index = static_cast<std::size_t>(element.integer<int>("index", 0, force.particles_per_set - 1));
        force.type_filters[index] = read_types(element);
    }
}

}  // namespace

void read(XmlNode const& node, CustomManyParticleForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"energy", "method", "cutoff", "particlesPerSet", "permutationMode"},
               {"PerParticleParameters", "GlobalParameters", "Particles", "Exclusions", "TypeFilters", "Functions"});
    force.tabulated_functions = detail::read_tables(node, detail::TypeOfTables::stated);
    force.energy = detail::read_formula(node, "energy", geometric_functions(force.tabulated_functions));
    force.particles_per_set = node.integer<int>("particlesPerSet", 1, 12);
    force.permutations = node.choice("permutationMode", CustomManyParticleForce::Permutations::unique_central);
    force.method = node.choice("method", CustomManyParticleForce::Method::cutoff_periodic);
    force.cutoff_distance = node.number("cutoff");
    force.parameter_names = detail::read_parameter_names(node, "PerParticleParameters");
    force.global_parameters = detail::read_global_parameters(node);
    read_particles(node.child("Particles"), force, particle_count);
    force.exclusions = detail::read_exclusions(node.child("Exclusions"), particle_count);
    read_filters(node.child("TypeFilters"), force);
}

void write(XmlWriter& xml, CustomManyParticleForce const& force) {
    xml.attribute("version", 1).attribute("particlesPerSet", force.particles_per_set);
    xml.attribute("energy", force.energy.formula()).attribute("method", static_cast<int>(force.method));
    xml.attribute("permutationMode", static_cast<int>(force.permutations)).attribute("cutoff", force.cutoff_distance);
    detail::write_parameter_names(xml, "PerParticleParameters", force.parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    xml.open("Particles");
    for (auto const& particle : force.particles) {
        xml.open("Particle");
        detail::write_row(xml, particle.parameters);
        xml.attribute("type", particle.type).close();
    }
    xml.close();
    detail::write_exclusions(xml, force.exclusions);
    xml.open("TypeFilters");
    for (int n = 0; n < force.particles_per_set; ++n) {
        auto const place = static_cast<std::size_t>(n);
        xml.open("Filter").attribute("index", n);
        xml.attribute("types",
                      place < force.type_filters.size() ? types_text(force.type_filters[place]) : std::string())
            .close();
    }
    xml.close();
    detail::write_tables(xml, force.tabulated_functions);
}

}  // namespace trotter
