// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/hydrogen_definitions.hpp>

#include <trotter/app/data_files.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/xml.hpp>
#include <utility>

namespace trotter::app {
namespace {

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        std::size_t const end = std::min(text.find(',', begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

HydrogenDefinition hydrogen(XmlNode const& node) {
    node.only({"name", "parent", "maxph", "variant", "terminal"});
    HydrogenDefinition made;
    made.name = node.text("name");
    made.parent = node.text("parent");
    made.maximum_ph = node.number_or("maxph", made.maximum_ph, Allow::Infinite);
    if (node.has("variant")) made.variants = split_at_commas(node.text("variant"));
    made.terminal = node.text_or("terminal", "");
    if (node.has("terminal") && (made.terminal.empty() || made.terminal.find_first_not_of("NC-") != std::string::npos))
        node.refuse("terminal", "letters N (first residue of a chain), C (last) or - (inside)");
    return made;
}

}  // namespace

HydrogenDefinitions HydrogenDefinitions::load(std::vector<std::string> const& folders,
                                              std::vector<std::string> const& files) {
    HydrogenDefinitions definitions;
    auto add = [&](std::string const& name) {
        auto const path = find_data_file(name, folders);
        definitions.add(read_file(path, default_max_input, FileKind::xml), path);
    };
    add("hydrogens.xml");
    for (auto const& name : files) add(name);
    return definitions;
}

void HydrogenDefinitions::add(std::string const& text, std::string const& name) {
    auto const document = parse_xml(text, name);
    std::vector<std::pair<std::string, ResidueHydrogens>> read;  // nothing is added if the text is wrong
    for (auto const& node : document.root().items("Residue")) {
        node.only({"name"}, {"Variant", "H"});
        ResidueHydrogens residue;
        for (auto const& variant : node.children("Variant")) {
            variant.only({"name"});
            residue.variants.emplace_back(variant.text("name"));
        }
        for (auto const& child : node.children("H")) residue.hydrogens.push_back(hydrogen(child));
        read.emplace_back(node.text("name"), std::move(residue));
    }
    for (auto& [residue, hydrogens] : read) residues_[residue] = std::move(hydrogens);
}

ResidueHydrogens const* HydrogenDefinitions::find(std::string const& residue) const {
    auto const found = residues_.find(residue);
    return found == residues_.end() ? nullptr : &found->second;
}

}  // namespace trotter::app
