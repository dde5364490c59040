// Forces that are sums over pairs in files: what can be read and written from a force's own description.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <tuple>

#include <trotter/forces/pair_settings.hpp>
#include <trotter/io/term_force.hpp>

namespace trotter {

/// A force of pairs whose numbers are described by its members: enough to read and write it.
template <class F>
concept DescribesPairs = Force<F> && requires(F& force) {
    force.pairs = PairSettings{};
    (force.*F::sites).emplace_back();
    std::tuple_size<decltype(F::fields)>::value;
};

/// Settings are attributes with the names that OpenMM's CustomNonbondedForce gives them; Particles, Exclusions and,
/// where the force has them, the default values of GlobalParameters are child elements.
template <DescribesPairs F> void read_pairs(XmlNode const& node, F& force, int particle_count) {
    node.version(1);
    only_force(node, {"method", "cutoff", "useSwitchingFunction", "switchingDistance", "useLongRangeCorrection"},
               {"Particles", "Exclusions", "GlobalParameters"});
    auto& settings = force.pairs;
    settings.method = static_cast<PairSettings::Method>(node.integer<int>("method", 0, 2));
    read_value(node, "cutoff", Valid::positive, settings.cutoff_distance);
    read_value(node, "useSwitchingFunction", Valid::any, settings.use_switching_function);
    read_value(node, "switchingDistance", Valid::any, settings.switching_distance);
    settings.use_long_range_correction = node.boolean_or("useLongRangeCorrection", false);
    static constexpr auto attributes = file_names(F::fields);
    auto const particles = node.child("Particles");
    particles.only({}, {"Particle"});
    for (auto const element : particles.children()) {
        element.only(attributes);
        read_fields(element, (force.*F::sites).emplace_back(), F::fields);
    }
    auto const exclusions = node.child("Exclusions");
    exclusions.only({}, {"Exclusion"});
    for (auto const element : exclusions.children()) {
        element.only({"p1", "p2"});
        auto const particle = [&](char const* name) {
            return element.template integer<int>(name, 0, particle_count - 1);
        };
        settings.exclusions.push_back({particle("p1"), particle("p2")});
    }
    auto const parameters = node.find("GlobalParameters");
    if (!parameters) return;
    parameters->only({}, {"Parameter"});
    for (auto const element : parameters->children()) {
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

template <DescribesPairs F> void write_pairs(XmlWriter& xml, F const& force) {
    auto const& settings = force.pairs;
    xml.attribute("version", 1)
        .attribute("method", static_cast<int>(settings.method))
        .attribute("cutoff", settings.cutoff_distance);
    xml.attribute("useSwitchingFunction", settings.use_switching_function)
        .attribute("switchingDistance", settings.switching_distance)
        .attribute("useLongRangeCorrection", settings.use_long_range_correction);
    if constexpr (requires { force.global_parameters; }) {
        xml.open("GlobalParameters");
        for (auto const& [name, value] : force.global_parameters)
            xml.open("Parameter").attribute("name", name).attribute("default", value).close();
        xml.close();
    }
    xml.open("Particles");
    for (auto const& site : force.*F::sites) {
        xml.open("Particle");
        write_fields(xml, site, F::fields);
        xml.close();
    }
    xml.close().open("Exclusions");
    for (auto const& [i, j] : settings.exclusions) xml.open("Exclusion").attribute("p1", i).attribute("p2", j).close();
    xml.close();
}

}  // namespace trotter
