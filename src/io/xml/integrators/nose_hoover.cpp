// Reads and writes thermostat chains: a single chain for all particles as attributes, others as child elements.
// SPDX-License-Identifier: MIT
#include "nose_hoover.hpp"

#include <trotter/io/term_force.hpp>

#include "io/xml/indices.hpp"

namespace trotter::detail {
namespace {

using Chain = NoseHooverIntegrator::Chain;

constexpr auto chain_fields =
    std::tuple{Field{"temperature", "temperature", &Chain::temperature, Valid::not_negative},
               Field{"collision_frequency", "collisionFrequency", &Chain::collision_frequency, Valid::positive},
               Field{"chain_length", "chainLength", &Chain::chain_length, Valid::at_least_one},
               Field{"multiple_time_steps", "numMTS", &Chain::multiple_time_steps, Valid::at_least_one},
               Field{"yoshida_suzuki_steps", "numYS", &Chain::yoshida_suzuki_steps}};
constexpr auto relative_fields =
    std::tuple{Field{"relative_temperature", "relativeTemperature", &Chain::relative_temperature, Valid::not_negative},
               Field{"relative_collision_frequency", "relativeCollisionFrequency", &Chain::relative_collision_frequency,
                     Valid::positive}};

Chain read_numbers(XmlNode const& node) {
    Chain chain;
    read_fields(node, chain, chain_fields);
    int const steps = chain.yoshida_suzuki_steps;
    if (steps != 1 && steps != 3 && steps != 5 && steps != 7) node.refuse("numYS", "1, 3, 5 or 7");
    return chain;
}

Chain read_thermostat(XmlNode const& node) {
    node.only({"temperature", "collisionFrequency", "chainLength", "numMTS", "numYS", "relativeTemperature",
               "relativeCollisionFrequency"},
              {"ThermostatedAtoms", "ThermostatedPairs"});
    Chain chain = read_numbers(node);
    read_fields(node, chain, relative_fields);
    auto const particles = node.child("ThermostatedAtoms"), pairs = node.child("ThermostatedPairs");
    chain.particles = read_indices(particles);
    for (auto const element : pairs.items("Pair")) {
        element.only({"index1", "index2"});
        chain.pairs.push_back({element.integer<int>("index1", 0), element.integer<int>("index2", 0)});
    }
    if (chain.particles.empty() && chain.pairs.empty())
        node.fail("expected a thermostat for at least one particle or pair");
    return chain;
}

void write_thermostat(XmlWriter& xml, Chain const& chain) {
    xml.open("Thermostat");
    write_fields(xml, chain, chain_fields);
    write_fields(xml, chain, relative_fields);
    write_indices(xml, "ThermostatedAtoms", chain.particles);
    xml.open("ThermostatedPairs");
    for (auto const& [particle1, particle2] : chain.pairs)
        xml.open("Pair").attribute("index1", particle1).attribute("index2", particle2).close();
    xml.close().close();
}

bool is_for_all(Chain const& chain) { return chain.particles.empty() && chain.pairs.empty(); }

}  // namespace

void read_chains(XmlNode const& node, NoseHooverIntegrator& integrator) {
    integrator.maximum_pair_distance = node.number("maximumPairDistance");
    if (node.boolean("hasSubsystemThermostats")) {
        for (auto const element : node.children()) integrator.chains.push_back(read_thermostat(element));
    } else {
        integrator.chains.push_back(read_numbers(node));
    }
}

void write_chains(XmlWriter& xml, NoseHooverIntegrator const& integrator) {
    auto const& chains = integrator.chains;
    bool const for_all = chains.size() == 1 && is_for_all(chains.front());
    xml.attribute("maximumPairDistance", integrator.maximum_pair_distance)
        .attribute("hasSubsystemThermostats", !for_all);
    if (for_all) {
        write_fields(xml, chains.front(), chain_fields);
        return;
    }
    for (auto const& chain : chains) {
        if (is_for_all(chain))
            throw InputError(
                "a NoseHooverIntegrator has a thermostat for all particles, expected no other one beside it");
        write_thermostat(xml, chain);
    }
}

}  // namespace trotter::detail
