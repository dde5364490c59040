// Integrators in files that know types of particles: DPD and QTB.
// SPDX-License-Identifier: MIT
#include <limits>
#include <map>

#include <trotter/io/term_force.hpp>

#include "integrator_content_xml.hpp"

namespace trotter::detail {
namespace {

constexpr auto pair_fields =
    std::tuple{Field{"friction", "friction", &DPDIntegrator::TypePair::friction, Valid::not_negative},
               Field{"cutoff", "cutoff", &DPDIntegrator::TypePair::cutoff, Valid::positive}};

std::map<int, int> read_types(XmlNode const& list, std::string_view element_name, std::string_view particle_name) {
    std::map<int, int> types;
    list.only({}, {element_name});
    for (auto const element : list.children()) {
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
    auto const pairs = node.child("TypePairs");
    pairs.only({}, {"Pair"});
    for (auto const element : pairs.children()) {
        element.only({"type1", "type2", "friction", "cutoff"});
        auto& pair = integrator.type_pairs.emplace_back();
        pair.type1 = element.integer<int>("type1");
        pair.type2 = element.integer<int>("type2");
        read_fields(element, pair, pair_fields);
    }
}

void write_content(XmlWriter& xml, DPDIntegrator const& integrator) {
    write_types(xml, integrator.particle_types, "Type", "particle");
    xml.open("TypePairs");
    for (auto const& pair : integrator.type_pairs) {
        xml.open("Pair").attribute("type1", pair.type1).attribute("type2", pair.type2);
        write_fields(xml, pair, pair_fields);
        xml.close();
    }
    xml.close();
}

void read_content(XmlNode const& node, int, QTBIntegrator& integrator) {
    integrator.particle_types = read_types(node.child("ParticleTypes"), "Particle", "index");
    auto const rates = node.child("TypeAdaptationRates");
    rates.only({}, {"Type"});
    for (auto const element : rates.children()) {
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
