// Reads and writes integrators with particle types: DPD and QTB.
// SPDX-License-Identifier: MIT
#include <map>

#include <trotter/io/term_force.hpp>

#include "integrator_content.hpp"

namespace trotter::detail {
namespace {

constexpr auto pair_fields =
    std::tuple{Field{"type1", &DPDIntegrator::TypePair::type1}, Field{"type2", &DPDIntegrator::TypePair::type2},
               Field{"friction", "friction", &DPDIntegrator::TypePair::friction, Valid::not_negative},
               Field{"cutoff", "cutoff", &DPDIntegrator::TypePair::cutoff, Valid::positive}};

std::map<int, int> read_types(XmlNode const& list, std::string_view element_name, std::string_view particle_name) {
    std::map<int, int> types;
    for (auto const element : list.items(element_name)) {
        element.only({particle_name, "type"});
        bool const is_new = types.emplace(element.integer<int>(particle_name, 0), element.integer<int>("type")).second;
        if (!is_new) element.refuse(particle_name, "a particle that no earlier element of the list has");
    }
    return types;
}
void write_types(XmlWriter& xml, std::map<int, int> const& types, std::string_view element, std::string_view particle_name) {
    xml.open("ParticleTypes");
    for (auto const& [particle, type] : types)
        xml.open(element).attribute(particle_name, particle).attribute("type", type).close();
    xml.close();
}

}  // namespace

void read_content(XmlNode const& node, int, DPDIntegrator& integrator) {
    integrator.particle_types = read_types(node.child("ParticleTypes"), "Type", "particle");
    read_rows(node.child("TypePairs"), "Pair", integrator.type_pairs, no_particles, pair_fields, 0);
}

void write_content(XmlWriter& xml, DPDIntegrator const& integrator) {
    write_types(xml, integrator.particle_types, "Type", "particle");
    write_rows(xml, "TypePairs", "Pair", integrator.type_pairs, no_particles, pair_fields);
}

void read_content(XmlNode const& node, int, QTBIntegrator& integrator) {
    integrator.particle_types = read_types(node.child("ParticleTypes"), "Particle", "index");
    for (auto const element : node.child("TypeAdaptationRates").items("Type")) {
        element.only({"index", "rate"});
        double const rate = element.number("rate");
        if (rate < 0) element.refuse("rate", "a number that is not negative");
        integrator.type_adaptation_rates[element.integer<int>("index")] = rate;
    }
}

void write_content(XmlWriter& xml, QTBIntegrator const& integrator) {
    write_types(xml, integrator.particle_types, "Particle", "index");
    xml.open("TypeAdaptationRates");
    for (auto const& [type, rate] : integrator.type_adaptation_rates)
        xml.open("Type").attribute("index", type).attribute("rate", rate).close();
    xml.close();
}

}  // namespace trotter::detail
