// Reads and checks attributes common to all forces.
// SPDX-License-Identifier: MIT
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

// OpenMM has 32 force groups, as bits of a mask.
constexpr int last_group = 31;

}  // namespace

void read_value(XmlNode const& node, std::string_view attribute, Valid valid, double& value) {
    value = node.number(attribute);
    if (!allows(valid, value)) node.refuse(attribute, expected_text(valid));
}

void read_value(XmlNode const& node, std::string_view attribute, Valid valid, int& value) {
    value = node.integer<int>(attribute);
    if (!allows(valid, value)) node.refuse(attribute, expected_text(valid));
}

void read_value(XmlNode const& node, std::string_view attribute, Valid, bool& value) {
    value = node.boolean(attribute);
}

void only_force(XmlNode const& node, std::initializer_list<std::string_view> attributes,
                std::initializer_list<std::string_view> children) {
    // OpenMM writes its version into the root element.
    std::vector<std::string_view> known{"type", "version", "forceGroup", "name", "openmmVersion"};
    known.insert(known.end(), attributes);
    node.only(known, {children.begin(), children.size()});
}

void refuse_early(XmlNode const& node, std::string_view attribute, int version, bool changes_meaning) {
    if (changes_meaning)
        node.refuse(attribute, "no such attribute in version " + std::to_string(version)
                                   + " of this element, only in newer ones");
}

bool boolean_since(int first, int version, XmlNode const& node, std::string_view attribute) {
    if (version >= first) return node.boolean(attribute);
    refuse_early(node, attribute, version, node.boolean_or(attribute, false));
    return false;
}

namespace detail {

void check_particle_list(XmlNode const& list, std::string_view force, std::size_t found, int particle_count) {
    if (found != static_cast<std::size_t>(particle_count))
        list.fail(std::string(force) + " has " + std::to_string(found) + " particles, expected "
                  + std::to_string(particle_count) + " as in the System");
}

void read_common(XmlNode const& node, int& force_group, std::string* label) {
    force_group = node.integer_or<int>("forceGroup", 0, 0, last_group);
    if (label && node.has("name")) *label = node.text("name");
}

void write_common(XmlWriter& xml, std::string_view type, int force_group, std::string_view label) {
    if (force_group < 0 || force_group > last_group)
        throw InputError(std::string(type) + ": the force group is " + std::to_string(force_group)
                         + ", but OpenMM's files hold groups from 0 to 31");
    xml.attribute("type", type).attribute("name", label).attribute("forceGroup", force_group);
}

}  // namespace detail
}  // namespace trotter
