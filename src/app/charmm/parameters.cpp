// Reads CHARMM's parameter files by their kinds.
// SPDX-License-Identifier: MIT
#include <trotter/app/charmm/parameters.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <trotter/io/file.hpp>

#include "parameter_reader.hpp"

namespace trotter::app {
namespace {

using charmm::NumberedLine;

// Topologies are read first, streams last, each in the order of the list.
enum class Kind { topology, parameters, stream };

Kind kind_of(std::string_view path) {
    auto name = path.substr(path.find_last_of('/') + 1);
    if (name.ends_with(".gz")) name.remove_suffix(3);
    auto const ends = [&](std::initializer_list<std::string_view> endings) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view ending) { return name.ends_with(ending); });
    };
    bool const is_input = ends({".inp"});
    if (ends({".rtf", ".top"}) || (is_input && name.find("par") == name.npos && name.find("top") != name.npos))
        return Kind::topology;
    if (ends({".par", ".prm"}) || (is_input && name.find("par") != name.npos)) return Kind::parameters;
    if (ends({".str"})) return Kind::stream;
    refuse(
        {path},
        "the kind of this file of CHARMM parameters is not known: its name must end in .rtf, .top, .par, .prm or .str");
}

std::vector<NumberedLine> without_comments(std::string_view text) {
    std::vector<NumberedLine> result;
    int number = 0;
    for (auto const line : lines(text)) result.push_back({line.substr(0, line.find('!')), ++number});
    return result;
}

// `read rtf …` or `read para …`, up to `end`.
void read_stream(std::vector<NumberedLine> const& text, std::string_view path, CharmmParameterTables& tables) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const title = words(text[i].text);
        if (title.size() < 2 || upper_case(title[0].substr(0, 4)) != "READ") continue;
        auto const end =
            std::find_if(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(),
                         [](NumberedLine const& line) { return upper_case(stripped(line.text)).starts_with("END"); });
        std::vector<NumberedLine> const section(text.begin() + static_cast<std::ptrdiff_t>(i) + 1, end);
        auto const kind = upper_case(title[1]);
        if (kind == "RTF") charmm::read_masses(section, path, tables);
        if (kind.starts_with("PARA")) charmm::ParameterReader{path, tables}.read(section);
        i = static_cast<std::size_t>(end - text.begin());
    }
}

}  // namespace

CharmmParameters read_charmm_parameters(std::vector<std::string> const& paths) {
    auto tables = std::make_shared<CharmmParameterTables>();
    for (auto const kind : {Kind::topology, Kind::parameters, Kind::stream})
        for (auto const& path : paths) {
            if (kind_of(path) != kind) continue;
            auto const text = read_file(path);
            auto const split = without_comments(text);
            if (kind == Kind::topology) charmm::read_masses(split, path, *tables);
            if (kind == Kind::parameters) charmm::ParameterReader{path, *tables}.read(split);
            if (kind == Kind::stream) read_stream(split, path, *tables);
        }
    return {std::move(tables)};
}

}  // namespace trotter::app
