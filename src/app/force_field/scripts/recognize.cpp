// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <trotter/error.hpp>

#include "python_literal.hpp"
#include "script.hpp"

namespace trotter::app::force_field {
namespace {

using Kind = PythonLiteral::Kind;
using Tables = std::map<std::string, PythonLiteral, std::less<>>;

// Variables of the known scripts whose values are read instead of compared.
constexpr std::array<std::string_view, 11> table_names{
    "unscaled_types",   "scee_table",    "scnb_table",  "residue_impropers",       "patch_impropers",
    "delete_impropers", "residue_order", "patch_order", "periodic_improper_types", "harmonic_improper_types",
    "EXPECTED_VERSION"};

// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
    std::uint64_t result = 0xcbf29ce484222325;
    for (char const c : text) result = (result ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return result;
}

// A line without its comment and the white space at its end.
std::string_view without_comment(std::string_view line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quote) quote = line[i] == quote ? '\0' : quote;
        else if (line[i] == '\'' || line[i] == '"') quote = line[i];
        else if (line[i] == '#') line = line.substr(0, i);
    }
    auto const last = line.find_last_not_of(" \t\r");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// A script with its tables taken out.
struct Outline {
    std::uint64_t hash = 0;
    Tables tables;
};

Outline outline(std::string_view source) {
    Outline result;
    std::string kept;
    for (std::size_t position = 0; position < source.size();) {
        auto const end = std::min(source.find('\n', position), source.size());
        auto const line = without_comment(source.substr(position, end - position));
        auto const name = line.substr(0, line.find(" = "));
        bool const is_table =
            name.size() < line.size() && std::find(table_names.begin(), table_names.end(), name) != table_names.end();
        auto after = position + name.size() + 3;
        if (auto table = is_table ? read_python_literal(source, after) : std::nullopt) {
            result.tables[std::string(name)] = std::move(*table);
            kept.append(name).append(" = \n");
            position = after;
            continue;
        }
        if (!line.empty()) kept.append(line).append("\n");
        position = end + 1;
    }
    result.hash = hash(kept);
    return result;
}

[[noreturn]] void refuse_table(std::string const& file, std::string_view name) {
    throw InputError(fmt::format("{}: the table {} of its script does not have the expected form", file, name));
}

// Reads tables of a script, and refuses those of another form than the script could use.
class TableReader {
public:
    TableReader(Tables const& tables, std::string const& file) : tables_(tables), file_(file) {}

    PythonLiteral const& table(std::string_view name, Kind kind) const {
        auto const found = tables_.find(name);
        if (found == tables_.end() || found->second.kind != kind) refuse_table(file_, name);
        return found->second;
    }
    // Calls `read(key, value)` for each entry.
    template <class Read> void for_each_entry(std::string_view name, Read const& read) const {
        auto const& items = table(name, Kind::dictionary).items;
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            if (!read(items[i], items[i + 1])) refuse_table(file_, name);
    }
    std::map<std::string, int> orders(std::string_view name) const {
        std::map<std::string, int> result;
        for_each_entry(name, [&](auto const& key, auto const& value) {
            auto const number = small_integer(value);
            result[key.text] = number.value_or(0);
            return key.kind == Kind::text && number;
        });
        return result;
    }
    std::map<FourNames, std::vector<double>> parameters_by_names(std::string_view name, std::size_t number) const {
        std::map<FourNames, std::vector<double>> result;
        for_each_entry(name, [&](auto const& key, auto const& value) {
            auto const names = four_names(key);
            auto const numbers = flat_numbers(value);
            if (!names || numbers.size() != number) return false;
            result[*names] = numbers;
            return true;
        });
        return result;
    }
    std::map<std::string, std::vector<CharmmImpropers::Improper>> impropers(std::string_view name) const {
        std::map<std::string, std::vector<CharmmImpropers::Improper>> result;
        for_each_entry(name, [&](auto const& key, auto const& value) {
            for (auto const& item : value.items) {
                if (item.items.size() != 4) return false;
                auto& improper = result[key.text].emplace_back();
                for (std::size_t i = 0; i < 4; ++i) {
                    auto const& atom = item.items[i].items;
                    auto const offset = atom.size() == 2 ? small_integer(atom[0]) : std::nullopt;
                    if (!offset || atom[1].kind != Kind::text) return false;
                    improper[i] = {*offset, atom[1].text};
                }
            }
            return key.kind == Kind::text && value.kind == Kind::sequence;
        });
        return result;
    }
    // Four texts; None becomes an empty one.
    static std::optional<FourNames> four_names(PythonLiteral const& literal) {
        if (literal.items.size() != 4) return {};
        FourNames result;
        for (std::size_t i = 0; i < 4; ++i) {
            if (literal.items[i].kind != Kind::text && literal.items[i].kind != Kind::none) return {};
            result[i] = literal.items[i].text;
        }
        return result;
    }

private:
    static std::optional<int> small_integer(PythonLiteral const& literal) {
        bool const is_small = literal.kind == Kind::number && std::abs(literal.number) < 1e6;
        return is_small ? std::optional(static_cast<int>(literal.number)) : std::nullopt;
    }
    static std::vector<double> flat_numbers(PythonLiteral const& literal) {
        if (literal.kind == Kind::number) return {literal.number};
        std::vector<double> result;
        for (auto const& item : literal.items)
            for (double const number : flat_numbers(item)) result.push_back(number);
        return result;
    }

    Tables const& tables_;
    std::string const& file_;
};

OneFourScales glycam_scales(TableReader const& reader, std::string const& file) {
    OneFourScales result;
    for (auto const& item : reader.table("unscaled_types", Kind::sequence).items) {
        auto const names = TableReader::four_names(item);
        if (!names) refuse_table(file, "unscaled_types");
        result.coulomb[*names] = result.lennard_jones[*names] = 1;
    }
    return result;
}

OneFourScales lipid_scales(TableReader const& reader) {
    OneFourScales result{{}, {}, 1.2, 2.0};
    for (auto const& [names, values] : reader.parameters_by_names("scee_table", 1)) result.coulomb[names] = values[0];
    for (auto const& [names, values] : reader.parameters_by_names("scnb_table", 1))
        result.lennard_jones[names] = values[0];
    return result;
}

CharmmImpropers charmm_impropers(TableReader const& reader) {
    return {reader.impropers("residue_impropers"),
            reader.impropers("patch_impropers"),
            reader.impropers("delete_impropers"),
            reader.orders("residue_order"),
            reader.orders("patch_order"),
            reader.parameters_by_names("periodic_improper_types", 3),
            reader.parameters_by_names("harmonic_improper_types", 2)};
}

// Outlines of the scripts of OpenMM 8.6.1.
namespace known {
constexpr std::uint64_t glycam_scales = 0x83df7e421825f75f, glycam_matcher = 0xd627a9f73cb83858,
                        lipid_scales = 0x580628b3363a0a46, charmm_impropers = 0xe9a74e99d6ae6f4c,
                        charmm_version = 0x3c44b0bd7cc42d80, hct = 0x12ddcecde591ee40, obc1 = 0x6f602910c0e86a7a,
                        obc2 = 0xb146c733a3936e8f, gbn = 0x03a957b12ea042fe, gbn2 = 0xae3f4ccd1a8dc763;
}

[[noreturn]] void refuse(std::string const& text, std::string const& file, std::uint64_t hash) {
    auto const begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    auto const line = text.substr(begin, std::min<std::size_t>(text.find('\n', begin) - begin, 60));
    throw InputError(
        fmt::format("{}: its script is none of the known ones, and is not executed; it begins \"{}\" (outline {:016x})",
                    file, line, hash));
}

}  // namespace

Script recognize_script(std::string const& text, std::string const& file) {
    auto const [hash, tables] = outline(text);
    TableReader const reader(tables, file);
    switch (hash) {
        case known::glycam_scales: return glycam_scales(reader, file);
        case known::lipid_scales: return lipid_scales(reader);
        case known::charmm_impropers: return charmm_impropers(reader);
        case known::hct: return ImplicitSolventModel{ImplicitSolvent::hct};
        case known::obc1: return ImplicitSolventModel{ImplicitSolvent::obc1};
        case known::obc2: return ImplicitSolventModel{ImplicitSolvent::obc2};
        case known::gbn: return ImplicitSolventModel{ImplicitSolvent::gbn};
        case known::gbn2: return ImplicitSolventModel{ImplicitSolvent::gbn2};
        default: refuse(text, file, hash);
    }
}

InitializationScript recognize_initialization(std::string const& text, std::string const& file) {
    auto const [hash, tables] = outline(text);
    TableReader const reader(tables, file);
    if (hash == known::charmm_version) return CharmmVersion{reader.table("EXPECTED_VERSION", Kind::text).text};
    if (hash == known::glycam_matcher) return MatchByName{};
    refuse(text, file, hash);
}

}  // namespace trotter::app::force_field
