// Reads and writes virtual sites: the element is named by the kind of the site.
// SPDX-License-Identifier: MIT
#include "virtual_site.hpp"

#include <string>

#include <trotter/io/term_force.hpp>

namespace trotter::detail {
namespace {

/// Parents and weights of sites that are a single row of attributes.
template <class Site> struct SiteFields;

template <> struct SiteFields<TwoParticleAverageSite> {
    using Site = TwoParticleAverageSite;
    static constexpr std::string_view name = "TwoParticleAverageSite";
    static constexpr auto particles = std::tuple{&Site::particle1, &Site::particle2};
    static constexpr auto fields =
        std::tuple{Field{"weight1", "w1", &Site::weight1}, Field{"weight2", "w2", &Site::weight2}};
};
template <> struct SiteFields<ThreeParticleAverageSite> {
    using Site = ThreeParticleAverageSite;
    static constexpr std::string_view name = "ThreeParticleAverageSite";
    static constexpr auto particles = std::tuple{&Site::particle1, &Site::particle2, &Site::particle3};
    static constexpr auto fields =
        std::tuple{Field{"weight1", "w1", &Site::weight1}, Field{"weight2", "w2", &Site::weight2},
                   Field{"weight3", "w3", &Site::weight3}};
};
template <> struct SiteFields<OutOfPlaneSite> {
    using Site = OutOfPlaneSite;
    static constexpr std::string_view name = "OutOfPlaneSite";
    static constexpr auto particles = std::tuple{&Site::particle1, &Site::particle2, &Site::particle3};
    static constexpr auto fields =
        std::tuple{Field{"weight12", "w12", &Site::weight12}, Field{"weight13", "w13", &Site::weight13},
                   Field{"weight_cross", "wc", &Site::weight_cross}};
};

template <class Site> Site read_row(XmlNode const& node, int particle_count) {
    static constexpr auto attributes = row_attributes(SiteFields<Site>::particles, SiteFields<Site>::fields);
    node.only(attributes);
    Site site;
    read_particles(node, site, SiteFields<Site>::particles, particle_count);
    read_fields(node, site, SiteFields<Site>::fields);
    return site;
}

template <class Site> void write_site(XmlWriter& xml, Site const& site) {
    xml.open(SiteFields<Site>::name);
    write_particles(xml, site, SiteFields<Site>::particles);
    write_fields(xml, site, SiteFields<Site>::fields);
    xml.close();
}

std::string numbered(char const* name, std::size_t n) { return name + std::to_string(n + 1); }

LocalCoordinatesSite read_local_coordinates(XmlNode const& node, int particle_count) {
    std::size_t parents = 0;
    while (node.has(numbered("p", parents))) ++parents;
    if (parents < 2)
        node.fail("a LocalCoordinatesSite needs two or more particles p1, p2, …, but has " + std::to_string(parents));
    std::vector<std::string> names{"pos1", "pos2", "pos3"};
    LocalCoordinatesSite site;
    for (std::size_t n = 0; n < parents; ++n) {
        for (auto const* name : {"p", "wo", "wx", "wy"}) names.push_back(numbered(name, n));
        site.particles.push_back(node.integer<int>(numbered("p", n), 0, particle_count - 1));
        site.origin_weights.push_back(node.number(numbered("wo", n)));
        site.x_weights.push_back(node.number(numbered("wx", n)));
        site.y_weights.push_back(node.number(numbered("wy", n)));
    }
    node.only(std::vector<std::string_view>(names.begin(), names.end()));
    site.local_position = {node.number("pos1"), node.number("pos2"), node.number("pos3")};
    return site;
}

void write_site(XmlWriter& xml, LocalCoordinatesSite const& site) {
    xml.open("LocalCoordinatesSite");
    for (std::size_t n = 0; n < site.particles.size(); ++n) {
        xml.attribute(numbered("p", n), site.particles[n]).attribute(numbered("wo", n), site.origin_weights[n]);
        xml.attribute(numbered("wx", n), site.x_weights[n]).attribute(numbered("wy", n), site.y_weights[n]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) xml.attribute(numbered("pos", axis), site.local_position[axis]);
    xml.close();
}

constexpr std::string_view rotation_names[3][3] = {{"Rxx", "Rxy", "Rxz"}, {"Ryx", "Ryy", "Ryz"}, {"Rzx", "Rzy", "Rzz"}};
constexpr std::string_view offset_names[3] = {"vx", "vy", "vz"};

SymmetrySite read_symmetry(XmlNode const& node, int particle_count) {
    node.only({"p", "Rxx", "Rxy", "Rxz", "Ryx", "Ryy", "Ryz", "Rzx", "Rzy", "Rzz", "vx", "vy", "vz", "useBoxVectors"});
    SymmetrySite site;
    site.particle = node.integer<int>("p", 0, particle_count - 1);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            site.rotation[row][column] = node.number(rotation_names[row][column]);
        site.offset[row] = node.number(offset_names[row]);
    }
    site.use_box_vectors = node.boolean("useBoxVectors");
    return site;
}

void write_site(XmlWriter& xml, SymmetrySite const& site) {
    xml.open("SymmetrySite").attribute("p", site.particle).attribute("useBoxVectors", site.use_box_vectors);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            xml.attribute(rotation_names[row][column], site.rotation[row][column]);
        xml.attribute(offset_names[row], site.offset[row]);
    }
    xml.close();
}

}  // namespace

VirtualSite read_virtual_site(XmlNode const& node, int particle_count) {
    auto const name = node.name();
    if (name == "TwoParticleAverageSite") return read_row<TwoParticleAverageSite>(node, particle_count);
    if (name == "ThreeParticleAverageSite") return read_row<ThreeParticleAverageSite>(node, particle_count);
    if (name == "OutOfPlaneSite") return read_row<OutOfPlaneSite>(node, particle_count);
    if (name == "LocalCoordinatesSite") return read_local_coordinates(node, particle_count);
    return read_symmetry(node, particle_count);
}

void write_virtual_site(XmlWriter& xml, VirtualSite const& site) {
    std::visit([&](auto const& kind) { write_site(xml, kind); }, site);
}

}  // namespace trotter::detail
