// Reads and writes CustomHbondForce.
// SPDX-License-Identifier: MIT
#include <array>

#include <trotter/forces/custom_hbond.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"
#include "tables.hpp"

namespace trotter {
namespace {

using Site = CustomHbondForce::Site;

constexpr std::array<std::string_view, 3> particles{"p1", "p2", "p3"};

std::vector<Site> read_sites(XmlNode const& list, std::string_view kind, std::size_t parameters, int particle_count) {
    std::vector<Site> result;
    for (auto const element : list.items(kind)) {
        auto& site = result.emplace_back();
        site.parameters = detail::read_row(element, parameters, particles);
        site.particle1 = element.integer<int>("p1", 0, particle_count - 1);
        site.particle2 = element.integer<int>("p2", -1, particle_count - 1);
        site.particle3 = element.integer<int>("p3", -1, particle_count - 1);
    }
    return result;
}
void write_sites(XmlWriter& xml, std::string_view list, std::string_view kind, std::vector<Site> const& sites) {
    xml.open(list);
    for (auto const& site : sites) {
        xml.open(kind).attribute("p1", site.particle1).attribute("p2", site.particle2).attribute("p3", site.particle3);
        detail::write_row(xml, site.parameters);
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, CustomHbondForce& force, int particle_count) {
    node.version(1);
    only_force(node, {"energy", "method", "cutoff"},
               {"PerDonorParameters", "PerAcceptorParameters", "GlobalParameters", "Donors", "Acceptors", "Exclusions",
                "Functions"});
    force.tabulated_functions = detail::read_tables(node);
    force.energy = detail::read_formula(node, "energy", geometric_functions(force.tabulated_functions));
    force.method = node.choice("method", CustomHbondForce::Method::cutoff_periodic);
    force.cutoff_distance = node.number("cutoff");
    force.donor_parameter_names = detail::read_parameter_names(node, "PerDonorParameters");
    force.acceptor_parameter_names = detail::read_parameter_names(node, "PerAcceptorParameters");
    force.global_parameters = detail::read_global_parameters(node);
    force.donors = read_sites(node.child("Donors"), "Donor", force.donor_parameter_names.size(), particle_count);
    force.acceptors =
        read_sites(node.child("Acceptors"), "Acceptor", force.acceptor_parameter_names.size(), particle_count);
    for (auto const element : node.child("Exclusions").items("Exclusion")) {
        element.only({"donor", "acceptor"});
        force.exclusions.push_back({element.integer<int>("donor", 0, static_cast<int>(force.donors.size()) - 1),
                                    element.integer<int>("acceptor", 0, static_cast<int>(force.acceptors.size()) - 1)});
    }
}

void write(XmlWriter& xml, CustomHbondForce const& force) {
    xml.attribute("version", 1).attribute("energy", force.energy.formula());
    xml.attribute("method", static_cast<int>(force.method)).attribute("cutoff", force.cutoff_distance);
    detail::write_parameter_names(xml, "PerDonorParameters", force.donor_parameter_names);
    detail::write_parameter_names(xml, "PerAcceptorParameters", force.acceptor_parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    write_sites(xml, "Donors", "Donor", force.donors);
    write_sites(xml, "Acceptors", "Acceptor", force.acceptors);
    xml.open("Exclusions");
    for (auto const& [donor, acceptor] : force.exclusions)
        xml.open("Exclusion").attribute("donor", donor).attribute("acceptor", acceptor).close();
    xml.close();
    detail::write_tables(xml, force.tabulated_functions);
}

}  // namespace trotter
