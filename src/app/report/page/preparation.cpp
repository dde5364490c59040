// SPDX-License-Identifier: MIT
#include <map>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

Json member(Json const& object, char const* key) {
    auto const found = object.find(key);
    return found == object.end() ? Json() : *found;
}

std::string joined(Json const& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_structured()) return value.dump();
    std::string text;
    for (auto const& [key, item] : value.items())
        text += (text.empty() ? "" : ", ") + (value.is_object() ? key + ": " : "") + joined(item);
    return text;
}

std::string residue_of(Json const& change) {
    auto const chain = text_of(change, "chain");
    auto const place = (chain.empty() ? "" : chain + ":") + text_of(change, "residue") + text_of(change, "icode");
    auto const name = text_of(change, "name");
    return name.empty() ? place : name + " " + place;
}

std::string change_of(Json const& change) {
    auto const from = text_of(change, "from"), to = text_of(change, "to"), atoms = joined(member(change, "atoms"));
    auto const words = from.empty() || to.empty() ? from + to : from + " → " + to;
    return atoms.empty() ? words : words.empty() ? atoms : words + " (" + atoms + ")";
}

/// Changes in today's form of `trotter prepare`, and in that of staged runs.
std::string table_of_changes(Json const& changes) {
    if (!changes.is_array() || changes.empty()) return note("No changes of the structure are listed.");
    std::map<std::string, int> counts;
    std::vector<std::vector<std::string>> rows;
    for (auto const& change : changes) {
        bool const has_kind = change.is_object() && change.contains("kind");
        auto const kind = text_of(change, has_kind ? "kind" : "step");
        ++counts[kind];
        if (has_kind)
            rows.push_back({kind, residue_of(change), change_of(change), text_of(change, "reason")});
        else
            rows.push_back({kind, text_of(change, "object"), text_of(change, "what"), text_of(change, "why")});
    }
    std::string summary;
    for (auto const& [kind, count] : counts)
        summary += (summary.empty() ? "" : ", ") + std::to_string(count) + " " + (kind.empty() ? "without a kind" : kind);
    return "<h3>Changes</h3>\n" + paragraph(summary + ".") + table({{"Kind"}, {"Of"}, {"Change"}, {"Reason"}}, rows, 300);
}

std::string table_of_choices(Json const& choices) {
    if (!choices.is_array() || choices.empty()) return {};
    std::vector<std::vector<std::string>> rows;
    for (auto const& choice : choices)
        rows.push_back({text_of(choice, "what"), joined(choice.is_object() ? member(choice, "value") : choice),
                        choice.is_object() ? joined(member(choice, "default")) : "", text_of(choice, "source")});
    return "<h3>Choices</h3>\n" + table({{"What"}, {"Value"}, {"Default"}, {"Source"}}, rows);
}

std::string table_of_protonation(Json const& protonation) {
    if (!protonation.is_array() || protonation.empty()) return {};
    std::vector<std::vector<std::string>> rows;
    for (auto const& state : protonation)
        rows.push_back({text_of(state, "residue"), text_of(state, "variant"), text_of(state, "reason")});
    return "<h3>Protonation</h3>\n" + table({{"Residue"}, {"Variant"}, {"Reason"}}, rows);
}

/// Members of an object, or a single value, by line.
std::string list_of(char const* title, Json const& value) {
    if (value.is_null() || (value.is_structured() && value.empty())) return {};
    std::string const heading = std::string("<h3>") + title + "</h3>\n";
    if (!value.is_object()) return heading + paragraph(joined(value));
    std::vector<std::vector<std::string>> rows;
    for (auto const& [key, item] : value.items()) rows.push_back({key, joined(item)});
    return heading + table({{"What"}, {"Value"}}, rows, 100);
}

}  // namespace

std::string section_of_preparation(RunFacts const& facts) {
    auto const& from = facts.preparation;
    if (!from.is_object()) {
        if (!facts.is_staged) return {};  // a plain run prepares nothing
        return section("What preparation changed", note("prepare.json is not there, or cannot be read."));
    }
    return section("What preparation changed",
                   table_of_changes(member(from, "changes")) + table_of_choices(member(from, "choices"))
                       + table_of_protonation(member(from, "protonation")) + list_of("Disulfides", member(from, "disulfides"))
                       + list_of("Solvent", member(from, "solvent")) + list_of("Residues", member(from, "residues")));
}

}  // namespace trotter::app::page
