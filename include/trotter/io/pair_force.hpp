// Reads and writes pair forces from the descriptions of their parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <tuple>
#include <vector>

#include <trotter/io/term_force.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// A pair force whose per-particle parameters are described by its members, so that it can be read and written.
template <class F>
concept DescribesPairs = Force<F> && requires(F& force) {
    force.pairs = PairSettings{};
    (force.*F::sites).emplace_back();
    std::tuple_size<decltype(F::fields)>::value;
};

namespace detail {

std::vector<PairSettings::Exclusion> read_exclusions(XmlNode const& list, int particle_count);
void write_exclusions(XmlWriter& xml, std::vector<PairSettings::Exclusion> const& exclusions);
void write_global_parameters(XmlWriter& xml, std::vector<GlobalParameter> const& parameters);

}  // namespace detail

/// Reads a pair force: settings are attributes named as in OpenMM's CustomNonbondedForce; Particles, Exclusions and, if
/// the force has them, GlobalParameters with default values are child elements.
template <DescribesPairs F> void read_pairs(XmlNode const& node, F& force, int particle_count) {
    node.version(1);
    only_force(node, {"method", "cutoff", "useSwitchingFunction", "switchingDistance", "useLongRangeCorrection"},
               {"Particles", "Exclusions", "GlobalParameters"});
    auto& settings = force.pairs;
    settings.method = node.choice("method", PairSettings::Method::cutoff_periodic);
    read_value(node, "cutoff", Valid::positive, settings.cutoff_distance);
    read_value(node, "useSwitchingFunction", Valid::any, settings.use_switching_function);
    read_value(node, "switchingDistance", Valid::any, settings.switching_distance);
    settings.use_long_range_correction = node.boolean_or("useLongRangeCorrection", false);
    detail::read_rows(node.child("Particles"), "Particle", force.*F::sites, detail::no_particles, F::fields, particle_count);
    settings.exclusions = detail::read_exclusions(node.child("Exclusions"), particle_count);
    auto const parameters = node.find("GlobalParameters");
    if (!parameters) return;
    for (auto const element : parameters->items("Parameter")) {
        element.only({"name", "default"});
        bool is_known = false;
        if constexpr (requires { force.global_parameters; })
            for (auto& parameter : force.global_parameters)
                if (parameter.name == element.text("name")) {
                    read_value(element, "default", Valid::any, parameter.default_value);
                    is_known = true;
                }
        if (!is_known) element.refuse("name", "the name of one of the force's global parameters");
    }
}

/// Writes version 1.
template <DescribesPairs F> void write_pairs(XmlWriter& xml, F const& force) {
    auto const& settings = force.pairs;
    xml.attribute("version", 1)
        .attribute("method", static_cast<int>(settings.method))
        .attribute("cutoff", settings.cutoff_distance);
    xml.attribute("useSwitchingFunction", settings.use_switching_function)
        .attribute("switchingDistance", settings.switching_distance)
        .attribute("useLongRangeCorrection", settings.use_long_range_correction);
    if constexpr (requires { force.global_parameters; }) detail::write_global_parameters(xml, force.global_parameters);
    detail::write_rows(xml, "Particles", "Particle", force.*F::sites, detail::no_particles, F::fields);
    detail::write_exclusions(xml, settings.exclusions);
}

}  // namespace trotter
