// Reads and writes AmoebaVdwForce: versions 1 to 5.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Particle = AmoebaVdwForce::Particle;
using Type = AmoebaVdwForce::Type;
using TypePair = AmoebaVdwForce::TypePair;

// In the order of the enumerations.
constexpr std::array<std::string_view, 3> sigma_rules{"ARITHMETIC", "GEOMETRIC", "CUBIC-MEAN"};
constexpr std::array<std::string_view, 5> epsilon_rules{"ARITHMETIC", "GEOMETRIC", "HARMONIC", "W-H", "HHG"};

constexpr auto own_fields = std::tuple{Field{"sigma", &Particle::sigma}, Field{"epsilon", &Particle::epsilon}};
constexpr auto type_fields = std::tuple{Field{"sigma", &Type::sigma}, Field{"epsilon", &Type::epsilon}};
constexpr auto pair_fields = std::tuple{Field{"type1", &TypePair::type1}, Field{"type2", &TypePair::type2},
                                        Field{"sigma", &TypePair::sigma}, Field{"epsilon", &TypePair::epsilon}};

template <class Enum, std::size_t count>
Enum read_name(XmlNode const& node, std::string_view attribute, std::array<std::string_view, count> const& names) {
    auto const text = node.text(attribute);
    std::string expected;
    for (std::size_t n = 0; n < count; ++n) {
        if (text == names[n]) return static_cast<Enum>(n);
        expected += (n == 0 ? "" : n + 1 < count ? ", " : " or ") + std::string(names[n]);
    }
    node.refuse(attribute, expected);
}

Particle read_particle(XmlNode const& node, int version, bool use_types, int particle_count) {
    node.only({"ivIndex", "sigma", "epsilon", "type", "reductionFactor", "isAlchemical", "scaleFactor"},
              {"ParticleExclusions"});
    Particle particle{.parent = node.integer<int>("ivIndex", 0, particle_count - 1)};
    if (use_types) particle.type = node.integer<int>("type", 0);
    else read_fields(node, particle, own_fields);
    particle.reduction = node.number("reductionFactor");
    particle.is_alchemical = boolean_since(3, version, node, "isAlchemical");
    // Versions below 3 have no scale factor, and OpenMM does not read that of version 4.
    bool const is_scaled = version == 3 || version == 5;
    particle.scale = is_scaled ? node.number("scaleFactor") : node.number_or("scaleFactor", 1);
    refuse_early(node, "scaleFactor", version, !is_scaled && particle.scale != 1);
    for (auto const excluded : node.child("ParticleExclusions").items("excl")) {
        excluded.only({"index"});
        particle.exclusions.push_back(excluded.integer<int>("index", 0, particle_count - 1));
    }
    return particle;
}

void read_settings(XmlNode const& node, int version, AmoebaVdwForce& force) {
    force.sigma_rule = read_name<AmoebaVdwForce::SigmaRule>(node, "SigmaCombiningRule", sigma_rules);
    force.epsilon_rule = read_name<AmoebaVdwForce::EpsilonRule>(node, "EpsilonCombiningRule", epsilon_rules);
    force.cutoff_distance = node.number("VdwCutoff");
    force.method = node.choice("method", AmoebaVdwForce::Method::cutoff_periodic);
    if (version < 3) {
        refuse_early(node, "alchemicalMethod", version, node.integer_or<int>("alchemicalMethod", 0) != 0);
    } else {
        force.alchemy = node.choice("alchemicalMethod", AmoebaVdwForce::Alchemy::annihilate);
        force.softcore_power = node.integer<int>("n");
        force.softcore_alpha = node.number("alpha");
    }
    force.use_types = boolean_since(4, version, node, "useTypes");
    if (version < 4) refuse_early(node, "potentialFunction", version, node.integer_or<int>("potentialFunction", 0) != 0);
    else force.potential = node.choice("potentialFunction", AmoebaVdwForce::Potential::lennard_jones);
}

void write_particle(XmlWriter& xml, Particle const& particle, bool use_types) {
    xml.open("Particle").attribute("ivIndex", particle.parent);
    if (use_types) xml.attribute("type", particle.type);
    else write_fields(xml, particle, own_fields);
    xml.attribute("reductionFactor", particle.reduction)
        .attribute("isAlchemical", particle.is_alchemical)
        .attribute("scaleFactor", particle.scale)
        .open("ParticleExclusions");
    for (int const excluded : particle.exclusions) xml.open("excl").attribute("index", excluded).close();
    xml.close().close();
}

}  // namespace

void read(XmlNode const& node, AmoebaVdwForce& force, int particle_count) {
    int const version = node.version(5);
    only_force(node, {"SigmaCombiningRule", "EpsilonCombiningRule", "VdwCutoff", "method", "n", "alpha",
                      "alchemicalMethod", "potentialFunction", "useTypes"},
               {"VdwParticles", "ParticleTypes", "TypePairs"});
    read_settings(node, version, force);
    auto const particles = node.child("VdwParticles");
    for (auto const element : particles.items("Particle"))
        force.particles.push_back(read_particle(element, version, force.use_types, particle_count));
    detail::check_particle_list(particles, "an AmoebaVdwForce", force.particles.size(), particle_count);
    if (!force.use_types) return;
    detail::read_rows(node.child("ParticleTypes"), "Type", force.types, detail::no_particles, type_fields, 0);
    detail::read_rows(node.child("TypePairs"), "Pair", force.type_pairs, detail::no_particles, pair_fields, 0);
}

void write(XmlWriter& xml, AmoebaVdwForce const& force) {
    if (!force.use_dispersion_correction)
        throw InputError("AmoebaVdwForce: the dispersion correction is off, but in OpenMM's files it is always on");
    xml.attribute("version", 5)
        .attribute("SigmaCombiningRule", sigma_rules[static_cast<std::size_t>(force.sigma_rule)])
        .attribute("EpsilonCombiningRule", epsilon_rules[static_cast<std::size_t>(force.epsilon_rule)])
        .attribute("VdwCutoff", force.cutoff_distance)
        .attribute("method", static_cast<int>(force.method))
        .attribute("n", force.softcore_power)
        .attribute("alpha", force.softcore_alpha)
        .attribute("alchemicalMethod", static_cast<int>(force.alchemy))
        .attribute("potentialFunction", static_cast<int>(force.potential))
        .attribute("useTypes", force.use_types)
        .open("VdwParticles");
    for (auto const& particle : force.particles) write_particle(xml, particle, force.use_types);
    xml.close();
    if (!force.use_types) return;
    detail::write_rows(xml, "ParticleTypes", "Type", force.types, detail::no_particles, type_fields);
    detail::write_rows(xml, "TypePairs", "Pair", force.type_pairs, detail::no_particles, pair_fields);
}

}  // namespace trotter
