// Reads and writes the integrators of Drude oscillators.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <tuple>

#include <trotter/base/field.hpp>
#include <trotter/drude/integrators.hpp>
#include <trotter/error.hpp>
#include <trotter/io/term_force.hpp>

namespace trotter {
namespace {

template <class I> constexpr auto step_fields() {
    return std::tuple{Field{"step_size", "stepSize", &I::step_size, Valid::not_negative},
                      Field{"constraint_tolerance", "constraintTolerance", &I::constraint_tolerance, Valid::positive}};
}
template <class I> void read_force_groups(XmlNode const& node, I& integrator) {
    integrator.force_groups =
        ForceGroups::mask(static_cast<std::uint32_t>(node.integer_or<std::int32_t>("integrationForceGroups", -1)));
}
template <class I> void write_force_groups(XmlWriter& xml, I const& integrator) {
    auto const mask = integrator.force_groups.mask();
    if (ForceGroups::mask(mask) != integrator.force_groups)
        throw InputError(std::string(I::name)
                         + ": its force groups cannot be written: OpenMM's files hold groups from 0 to 31");
    xml.attribute("integrationForceGroups", static_cast<std::int32_t>(mask));
}

using Langevin = DrudeLangevinIntegrator;
constexpr auto langevin_fields = std::tuple_cat(
    step_fields<Langevin>(),
    std::tuple{Field{"temperature", "temperature", &Langevin::temperature, Valid::not_negative},
               Field{"friction", "friction", &Langevin::friction, Valid::not_negative},
               Field{"drude_temperature", "drudeTemperature", &Langevin::drude_temperature, Valid::not_negative},
               Field{"drude_friction", "drudeFriction", &Langevin::drude_friction, Valid::not_negative}});

using NoseHoover = DrudeNoseHooverIntegrator;
constexpr auto nose_hoover_fields = std::tuple_cat(
    step_fields<NoseHoover>(),
    std::tuple{Field{"maximum_drude_distance", "maximumPairDistance", &NoseHoover::maximum_drude_distance,
                     Valid::not_negative},
               Field{"temperature", "temperature", &NoseHoover::temperature, Valid::not_negative},
               Field{"drude_temperature", "relativeTemperature", &NoseHoover::drude_temperature, Valid::not_negative},
               Field{"collision_frequency", "collisionFrequency", &NoseHoover::collision_frequency, Valid::positive},
               Field{"drude_collision_frequency", "relativeCollisionFrequency", &NoseHoover::drude_collision_frequency,
                     Valid::positive},
               Field{"chain_length", "chainLength", &NoseHoover::chain_length, Valid::at_least_one},
               Field{"multiple_time_steps", "numMTS", &NoseHoover::multiple_time_steps, Valid::at_least_one},
               Field{"yoshida_suzuki_steps", "numYS", &NoseHoover::yoshida_suzuki_steps}});

constexpr char const* no_format = "OpenMM's files have no format for a DrudeSCFIntegrator";

}  // namespace

// OpenMM's version 1 lacks the distance of the hard wall, so that its files lose all but the default: this attribute
// keeps it, and OpenMM skips it.
void read(XmlNode const& node, DrudeLangevinIntegrator& integrator) {
    node.version(1);
    node.only({"type", "version", "stepSize", "constraintTolerance", "temperature", "friction", "drudeTemperature",
               "drudeFriction", "maxDrudeDistance", "randomSeed", "integrationForceGroups"});
    read_fields(node, integrator, langevin_fields);
    if (node.has("maxDrudeDistance"))
        read_value(node, "maxDrudeDistance", Valid::not_negative, integrator.maximum_drude_distance);
    integrator.seed = static_cast<std::uint64_t>(node.integer<std::int32_t>("randomSeed"));
    read_force_groups(node, integrator);
}
void write(XmlWriter& xml, DrudeLangevinIntegrator const& integrator) {
    xml.attribute("version", 1);
    write_fields(xml, integrator, langevin_fields);
    if (integrator.maximum_drude_distance != Langevin{}.maximum_drude_distance)
        xml.attribute("maxDrudeDistance", integrator.maximum_drude_distance);
    auto const seed = static_cast<std::int64_t>(integrator.seed);
    if (seed != static_cast<std::int32_t>(seed))
        throw InputError("the random seed " + std::to_string(integrator.seed)
                         + " cannot be written: OpenMM's files hold 32-bit seeds");
    xml.attribute("randomSeed", seed);
    write_force_groups(xml, integrator);
}

void read(XmlNode const& node, DrudeNoseHooverIntegrator& integrator) {
    node.version(1);
    node.only({"type", "version", "stepSize", "constraintTolerance", "maximumPairDistance", "temperature",
               "relativeTemperature", "collisionFrequency", "relativeCollisionFrequency", "chainLength", "numMTS",
               "numYS", "integrationForceGroups"});
    read_fields(node, integrator, nose_hoover_fields);
    int const steps = integrator.yoshida_suzuki_steps;
    if (steps != 1 && steps != 3 && steps != 5 && steps != 7) node.refuse("numYS", "1, 3, 5 or 7");
    read_force_groups(node, integrator);
}
void write(XmlWriter& xml, DrudeNoseHooverIntegrator const& integrator) {
    xml.attribute("version", 1);
    write_fields(xml, integrator, nose_hoover_fields);
    write_force_groups(xml, integrator);
}

void read(XmlNode const& node, DrudeSCFIntegrator&) { node.fail(no_format); }
void write(XmlWriter&, DrudeSCFIntegrator const&) { throw InputError(no_format); }

}  // namespace trotter
