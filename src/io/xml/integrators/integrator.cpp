// Reads and writes integrators: attributes of members that several types share.
// SPDX-License-Identifier: MIT
#include <trotter/io/integrator.hpp>

#include <concepts>
#include <optional>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/io/term_force.hpp>

#include "integrator_content.hpp"
#include "io/xml/left_out.hpp"
#include "io/xml/seed.hpp"
#include "nose_hoover.hpp"

namespace trotter {
namespace {

template <class I> constexpr bool has_chains = requires(I const& integrator) { integrator.chains; };
template <class I> constexpr bool has_content = requires(XmlNode const& node, I& i) { detail::read_content(node, 1, i); };
template <class I> constexpr bool has_maximum_step = requires(I const& integrator) { integrator.maximum_step_size; };

/// Version 2 of the integrators with a variable step added its limit.
template <class I> constexpr int newest_version = has_maximum_step<I> ? 2 : 1;
template <> constexpr int newest_version<CustomIntegrator> = 3;

/// Numeric attributes of an integrator type, as fields.
template <class I> constexpr auto numbers() {
    auto const common =
        std::tuple{Field{"step_size", "stepSize", &I::step_size, Valid::not_negative},
                   Field{"constraint_tolerance", "constraintTolerance", &I::constraint_tolerance, Valid::positive}};
    auto const with_bath = [&] {
        constexpr auto friction = std::same_as<I, BrownianIntegrator> ? Valid::positive : Valid::not_negative;
        if constexpr (requires { &I::friction; })
            return std::tuple_cat(common,
                                  std::tuple{Field{"temperature", "temperature", &I::temperature, Valid::not_negative},
                                             Field{"friction", "friction", &I::friction, friction}});
        else if constexpr (requires { &I::default_cutoff; })
            return std::tuple_cat(
                common, std::tuple{Field{"temperature", "temperature", &I::temperature, Valid::not_negative},
                                   Field{"default_friction", "defaultFriction", &I::default_friction, Valid::not_negative},
                                   Field{"default_cutoff", "defaultCutoff", &I::default_cutoff, Valid::positive}});
        else
            return common;
    }();
    if constexpr (requires { &I::segment_length; })
        return std::tuple_cat(
            with_bath,
            std::tuple{Field{"segment_length", "segmentLength", &I::segment_length, Valid::positive},
                       Field{"cutoff_frequency", "cutoffFrequency", &I::cutoff_frequency, Valid::positive},
                       Field{"default_adaptation_rate", "defaultAdaptationRate", &I::default_adaptation_rate,
                             Valid::not_negative}});
    else if constexpr (requires { &I::error_tolerance; })
        return std::tuple_cat(with_bath,
                              std::tuple{Field{"error_tolerance", "errorTol", &I::error_tolerance, Valid::positive}});
    else
        return with_bath;
}

template <class I> std::vector<std::string_view> known_attributes(bool has_single_chain) {
    std::vector<std::string_view> known{"type", "version", "integrationForceGroups"};
    static constexpr auto names = file_names(numbers<I>());
    auto const add = [&](auto const& more) {
        for (std::string_view const name : more) known.push_back(name);
    };
    add(names);
    if constexpr (requires(I const& i) { i.seed; }) known.push_back("randomSeed");
    if constexpr (has_maximum_step<I>) known.push_back("maxStepSize");
    if constexpr (has_content<I>) add(detail::ContentOf<I>::attributes);
    if constexpr (has_chains<I>) {
        known.insert(known.end(), {"maximumPairDistance", "hasSubsystemThermostats"});
        if (has_single_chain) add(detail::chain_attributes);
    }
    return known;
}

void read_maximum_step(XmlNode const& node, int version, double& maximum) {
    maximum = version < 2 ? node.number_or("maxStepSize", 0) : node.number("maxStepSize");
    refuse_early(node, "maxStepSize", version, version < 2 && maximum != 0);
    if (maximum < 0) node.refuse("maxStepSize", expected_text(Valid::not_negative));
}

template <class I> I read_members(XmlNode const& node) {
    int const version = node.version(newest_version<I>);
    bool const subsystems = has_chains<I> && node.boolean_or("hasSubsystemThermostats", false);
    std::vector<std::string_view> children;
    if (subsystems) children.push_back("Thermostat");
    if constexpr (has_content<I>) children = detail::ContentOf<I>::children;
    node.only(known_attributes<I>(!subsystems), children);
    I integrator;
    read_fields(node, integrator, numbers<I>());
    integrator.force_groups =
        ForceGroups::mask(static_cast<std::uint32_t>(node.integer_or<std::int32_t>("integrationForceGroups", -1)));
    if constexpr (requires { integrator.seed; }) integrator.seed = detail::read_seed(node);
    if constexpr (has_maximum_step<I>) read_maximum_step(node, version, integrator.maximum_step_size);
    if constexpr (has_chains<I>) detail::read_chains(node, integrator);
    if constexpr (has_content<I>) detail::read_content(node, version, integrator);
    return integrator;
}

/// An extension's integrator has functions for its whole element.
template <class I> concept ReadsItself = requires(XmlNode const& node, XmlWriter& xml, I& integrator) {
    read(node, integrator);
    write(xml, integrator);
};

template <class I> I read_one(XmlNode const& node) {
    if constexpr (ReadsItself<I>) {
        I integrator;
        read(node, integrator);
        return integrator;
    } else {
        return read_members<I>(node);
    }
}

template <class I> void write_members(XmlWriter& xml, I const& integrator) {
    xml.attribute("version", newest_version<I>);
    write_fields(xml, integrator, numbers<I>());
    auto const mask = integrator.force_groups.mask();
    if (ForceGroups::mask(mask) != integrator.force_groups)
        throw InputError(std::string(I::name)
                         + ": its force groups cannot be written: OpenMM's files hold groups from 0 to 31");
    xml.attribute("integrationForceGroups", static_cast<std::int32_t>(mask));
    if constexpr (requires { integrator.seed; }) detail::write_seed(xml, integrator.seed);
    if constexpr (has_maximum_step<I>) xml.attribute("maxStepSize", integrator.maximum_step_size);
    if constexpr (has_chains<I>) detail::write_chains(xml, integrator);
    if constexpr (has_content<I>) detail::write_content(xml, integrator);
}

template <class I> void write_one(XmlWriter& xml, I const& integrator) {
    xml.open("Integrator").attribute("type", I::name);
    if constexpr (ReadsItself<I>)
        write(xml, integrator);
    else
        write_members(xml, integrator);
    xml.close();
}

/// Reads the element into the type of the list with its name.
template <class... Is> auto read_listed(XmlNode const& node, IntegratorList<Is...>) {
    std::optional<std::variant<Is...>> result;
    auto const type = node.text("type");
    (void)((type == Is::name && (result = read_one<Is>(node), true)) || ...);
    if (!result) {
        std::string known;
        ((known += std::string(Is::name) + ", "), ...);
        node.refuse("type", "one of the integrators that are known here: " + known + "CompoundIntegrator outermost"
                                + detail::extensions_left_out());
    }
    return *result;
}

CompoundIntegrator read_compound(XmlNode const& node) {
    node.version(1);
    node.only({"type", "version", "currentIntegrator"}, {"Integrator"});
    CompoundIntegrator compound;
    for (auto const element : node.children())
        compound.integrators.push_back(read_listed(element, StandardIntegrators{}));
    if (compound.integrators.empty()) node.fail("a CompoundIntegrator holds at least one integrator");
    compound.current = node.integer<int>("currentIntegrator", 0, static_cast<int>(compound.integrators.size()) - 1);
    return compound;
}

void write_one(XmlWriter& xml, CompoundIntegrator const& compound) {
    xml.open("Integrator").attribute("type", CompoundIntegrator::name).attribute("version", 1);
    xml.attribute("currentIntegrator", compound.current);
    for (auto const& any : compound.integrators) std::visit([&](auto const& inner) { write_one(xml, inner); }, any);
    xml.close();
}

void write_root(XmlWriter& xml, AnyIntegrator const& integrator) {
    std::visit([&](auto const& one) { write_one(xml, one); }, integrator);
}

}  // namespace

AnyIntegrator parse_integrator(std::string text, std::string const& name) {
    auto const document = parse_xml(std::move(text), name);
    auto const root = document.root("Integrator");
    if (root.text("type") == CompoundIntegrator::name) return read_compound(root);
    return std::visit([](auto const& one) -> AnyIntegrator { return one; }, read_listed(root, StandardIntegrators{}));
}

AnyIntegrator read_integrator(std::filesystem::path const& path, ReadOptions options) {
    return parse_integrator(read_file(path.string(), options.max_bytes, FileKind::xml), path.string());
}

std::string integrator_to_xml(AnyIntegrator const& integrator) {
    XmlWriter xml;
    write_root(xml, integrator);
    return xml.finish();
}

void write_integrator(std::filesystem::path const& path, AnyIntegrator const& integrator) {
    OutputFile file{path.string()};
    XmlWriter xml{file};
    write_root(xml, integrator);
    xml.finish();
    file.commit();
}

}  // namespace trotter
