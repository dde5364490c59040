// SPDX-License-Identifier: MIT
#include <trotter/app/force_field/summary.hpp>

#include <cmath>
#include <map>

#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/io/xml.hpp>

#include "../text/text.hpp"

namespace trotter::app {
namespace {

using Charges = std::map<std::string, double, std::less<>>;  // by atom type

/// Words with single blanks between them, cut after 200 letters.
std::string one_line(std::string_view text) {
    constexpr std::size_t longest = 200;
    std::string line;
    for (auto const word : words(text)) {
        if (line.size() + word.size() > longest) return line + " …";
        line += (line.empty() ? "" : " ") + std::string(word);
    }
    return line;
}

std::string first_comment(std::string_view text) {
    auto const start = text.find("<!--");
    if (start == text.npos) return {};
    text.remove_prefix(start + 4);
    return one_line(text.substr(0, text.find("-->")));
}

/// The files that it was made from.
std::string origin_in(XmlNode const& root) {
    std::string sources;
    for (auto const info : root.children("Info"))
        for (auto const source : info.children("Source")) sources += (sources.empty() ? "" : ", ") + source.content();
    return one_line(sources);
}

std::optional<double> number_in(XmlNode const& node, std::string_view attribute) {
    return node.has(attribute) ? parse_number(node.text(attribute)) : std::nullopt;
}

std::string family_of(XmlNode const& root) {
    for (auto const force : root.children()) {
        auto const tag = force.name();
        if (tag.starts_with("Amoeba") || tag.starts_with("Hippo")) return "AMOEBA";
        if (tag.starts_with("Drude")) return "Drude";
        if (tag == "LennardJonesForce") return "CHARMM";
        if (tag == "GBSAOBCForce") return "implicit solvent";
    }
    for (auto const force : root.children("NonbondedForce")) {
        auto const coulomb = number_in(force, "coulomb14scale"), lennard_jones = number_in(force, "lj14scale");
        if (!coulomb || !lennard_jones) continue;
        auto const near = [](double a, double b) { return std::abs(a - b) < 1e-3; };
        if (near(*coulomb, 1 / 1.2) && near(*lennard_jones, 0.5)) return "AMBER";
        if (near(*coulomb, 0.5) && near(*lennard_jones, 0.5)) return "OPLS";
        if (near(*coulomb, 1) && near(*lennard_jones, 1)) return "CHARMM";
    }
    for (auto const script : root.children("Script"))
        if (script.content().find("GBForce") != std::string::npos || script.content().find("GBSA") != std::string::npos)
            return "implicit solvent";
    return {};
}

Charges charges_by_type(XmlNode const& root) {
    Charges charges;
    for (auto const force : root.children("NonbondedForce"))
        for (auto const atom : force.children("Atom"))
            if (auto const charge = number_in(atom, "charge"); charge && atom.has("type"))
                charges.emplace(atom.text("type"), *charge);
    return charges;
}

ResidueSummary residue_in(XmlNode const& node, Charges const& charges) {
    ResidueSummary residue{.name = std::string(node.text_or("name", "")), .charge = 0};
    for (auto const atom : node.children("Atom")) {
        ++residue.atoms;
        auto charge = number_in(atom, "charge");
        if (auto const of_type = charges.find(atom.text_or("type", "")); !charge && of_type != charges.end())
            charge = of_type->second;
        residue.charge = residue.charge && charge ? std::optional(*residue.charge + *charge) : std::nullopt;
    }
    residue.external_bonds = node.children("ExternalBond").size();
    residue.virtual_sites = node.children("VirtualSite").size();
    return residue;
}

}  // namespace

std::optional<ForceFieldSummary> summarize_force_field(std::string const& path) {
    auto text = read_file(path, default_max_input, FileKind::xml);
    ForceFieldSummary summary;
    summary.path = path;
    summary.description = first_comment(text);
    auto const document = parse_xml(std::move(text), path);
    auto const root = document.root();
    if (root.name() != "ForceField") return {};
    if (auto origin = origin_in(root); !origin.empty()) summary.description = std::move(origin);
    summary.family = family_of(root);
    for (auto const list : root.children("AtomTypes")) summary.atom_types += list.children("Type").size();
    for (auto const list : root.children("Patches")) summary.patches += list.children("Patch").size();
    auto const charges = charges_by_type(root);
    for (auto const list : root.children("Residues"))
        for (auto const residue : list.children("Residue")) summary.residues.push_back(residue_in(residue, charges));
    for (auto const include : root.children("Include")) summary.includes.emplace_back(include.text_or("file", ""));
    return summary;
}

}  // namespace trotter::app
