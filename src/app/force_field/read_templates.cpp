// SPDX-License-Identifier: MIT
#include "read_templates.hpp"

#include <algorithm>

#include "at.hpp"

namespace trotter::app::force_field {

TemplateAtom read_atom(XmlNode const& node, std::string name, AtomTypes const& types) {
    auto const type = types.find(node.text("type"));
    if (!type) node.refuse("type", "an atom type of the force field");
    TemplateAtom result{std::move(name), *type, types.element(*type), {}};
    for (auto const attribute : node.attributes())
        if (attribute != "name" && attribute != "type")
            result.parameters.emplace_back(attribute, node.number(attribute));
    std::sort(result.parameters.begin(), result.parameters.end());
    return result;
}

namespace {

int index_of(XmlNode const& node, std::string_view attribute, std::vector<std::string> const& atom_names) {
    auto const found = std::find(atom_names.begin(), atom_names.end(), node.text(attribute));
    if (found == atom_names.end()) node.refuse(attribute, "the name of an atom of the template");
    return static_cast<int>(found - atom_names.begin());
}

VirtualSite read_rule(XmlNode const& node, std::string_view type, std::vector<int> const& atoms) {
    auto const number = [&](std::string const& name) { return node.number(name); };
    if (type == "average2") return TwoParticleAverageSite{atoms[0], atoms[1], number("weight1"), number("weight2")};
    if (type == "average3")
        return ThreeParticleAverageSite{atoms[0],          atoms[1],          atoms[2],
                                        number("weight1"), number("weight2"), number("weight3")};
    if (type == "outOfPlane")
        return OutOfPlaneSite{atoms[0],           atoms[1],           atoms[2],
                              number("weight12"), number("weight13"), number("weightCross")};
    LocalCoordinatesSite site{atoms, {}, {}, {}, {number("p1"), number("p2"), number("p3")}};
    for (std::size_t i = 1; i <= atoms.size(); ++i) {
        site.origin_weights.push_back(number("wo" + std::to_string(i)));
        site.x_weights.push_back(number("wx" + std::to_string(i)));
        site.y_weights.push_back(number("wy" + std::to_string(i)));
    }
    return site;
}

int number_of_atoms(XmlNode const& node, std::string_view type) {
    if (type == "average2") return 2;
    if (type == "average3" || type == "outOfPlane") return 3;
    if (type != "localCoords") node.refuse("type", "average2, average3, outOfPlane or localCoords");
    int result = 0;
    while (node.has("wo" + std::to_string(result + 1))) ++result;
    if (result < 2) node.fail("local coordinates need the weights of at least two atoms");
    return result;
}

}  // namespace

SiteRule read_site(XmlNode const& node, std::vector<std::string> const& atom_names) {
    auto const type = node.text("type");
    bool const by_name = node.has("siteName");
    int const last = count(atom_names) - 1;
    std::vector<int> atoms;
    for (int i = 1; i <= number_of_atoms(node, type); ++i) {
        auto const suffix = std::to_string(i);
        atoms.push_back(by_name ? index_of(node, "atomName" + suffix, atom_names)
                                : node.integer<int>("atom" + suffix, 0, last));
    }
    int const site = by_name ? index_of(node, "siteName", atom_names) : node.integer<int>("index", 0, last);
    return {site, read_rule(node, type, atoms), node.integer_or<int>("excludeWith", atoms[0], 0, last)};
}

namespace {

class ResidueReader {
public:
    ResidueReader(XmlNode const& node, ForceField::Data& data) : node_(node), data_(data) {
        result_.name = node.text("name");
    }

    Template read() {
        result_.override_level = node_.integer_or<int>("override", 0);
        if (node_.has("rigidWater")) {
            auto const text = node_.text("rigidWater");
            result_.rigid_water = text == "true" || text == "True" || text == "TRUE";
        }
        read_atoms();
        for (auto const site : node_.children("VirtualSite")) result_.sites.push_back(read_site(site, names_));
        read_bonds();
        for (auto const constraint : node_.children("Constraint"))
            result_.constraints.push_back({index_of(constraint, "atomName1", names_),
                                           index_of(constraint, "atomName2", names_), constraint.number("distance")});
        for (auto const patch : node_.children("AllowPatch")) allow(patch);
        return std::move(result_);
    }

private:
    void read_atoms() {
        for (auto const atom : node_.children("Atom")) {
            auto const& name = names_.emplace_back(atom.text("name"));
            if (std::find(names_.begin(), names_.end() - 1, name) != names_.end() - 1)
                atom.refuse("name", "another name than those of the other atoms of the residue " + result_.name);
            result_.add_atom(read_atom(atom, name, data_.types));
        }
    }
    void read_bonds() {
        int const last = count(names_) - 1;
        for (auto const bond : node_.children("Bond")) {
            bool const by_name = bond.has("atomName1");
            int const atom1 = by_name ? index_of(bond, "atomName1", names_) : bond.integer<int>("from", 0, last);
            int const atom2 = by_name ? index_of(bond, "atomName2", names_) : bond.integer<int>("to", 0, last);
            if (atom1 == atom2) bond.fail("bonds an atom to itself");
            result_.add_bond(atom1, atom2);
        }
        for (auto const bond : node_.children("ExternalBond"))
            result_.add_external_bond(bond.has("atomName") ? index_of(bond, "atomName", names_)
                                                           : bond.integer<int>("from", 0, last));
    }
    void allow(XmlNode const& patch) {
        std::string const name(patch.text("name"));
        auto const colon = name.find(':');
        if (colon == std::string::npos) return data_.patches.allow(result_.name, name, 0);
        auto const residue = parse_integer(std::string_view(name).substr(colon + 1));
        if (!residue || *residue < 1 || *residue > 100)
            patch.refuse("name", "the number of a residue behind the colon");
        data_.patches.allow(result_.name, name.substr(0, colon), static_cast<int>(*residue) - 1);
    }

    XmlNode node_;
    ForceField::Data& data_;
    Template result_;
    std::vector<std::string> names_;
};

}  // namespace

void read_residue(XmlNode const& node, ForceField::Data& data) {
    auto read = ResidueReader(node, data).read();
    auto const name = read.name;
    if (!data.templates.add(std::move(read)))
        node.fail("there is a template " + name + " with the same override level already");
}

}  // namespace trotter::app::force_field
