// Parses option values other than plain numbers and names.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "options.hpp"

namespace trotter::program {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<std::uint32_t> parse_mask(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        if (text.empty() || text.size() > 8 || text.find_first_not_of("0123456789abcdefABCDEF") != text.npos) return {};
        return static_cast<std::uint32_t>(std::stoul(std::string(text), nullptr, 16));
    }
    auto const number = parse_integer(text);
    if (!number || *number < -1 || *number > 0xFFFFFFFF) return {};
    return static_cast<std::uint32_t>(*number);
}

}  // namespace

double parse_time(std::string const& text) {
    static std::map<std::string_view, double> const units{{"fs", 1e-3}, {"ps", 1},   {"ns", 1e3},
                                                          {"us", 1e6},  {"µs", 1e6}, {"ms", 1e9}};
    auto const unit_start = text.find_last_of("0123456789. ") + 1;
    auto const number = parse_number(trimmed(std::string_view(text).substr(0, unit_start)));
    auto const unit = units.find(trimmed(std::string_view(text).substr(unit_start)));
    if (!number || *number < 0 || unit == units.end())
        throw InputError("--time: '" + text
                         + "' is no time, expected a number and fs, ps, ns, us or ms, such as '10 ns'");
    return *number * unit->second;
}

int parse_device(std::string const& text) {
    if (text.find(',') != text.npos) throw UnsupportedError("--device: '" + text + "' names several devices, one simulation runs on one");
    auto const number = parse_integer(trimmed(text));
    if (!number || *number < 0 || *number > 65535)
        throw InputError("--device: '" + text + "' is no number of a device, expected one of those that `trotter platforms` lists");
    return static_cast<int>(*number);
}

NamedGroups parse_groups(std::string const& text) {
    auto const refuse = [&] {
        return InputError("--groups: '" + text
                          + "' names no force groups, expected a mask such as 5 or 0x5, or a list such as 0,2");
    };
    if (text.find(',') == text.npos) {
        auto const mask = parse_mask(trimmed(text));
        if (!mask) throw refuse();
        return {text, ForceGroups::mask(*mask)};
    }
    std::vector<int> groups;
    for (std::string_view rest = text;; rest.remove_prefix(rest.find(',') + 1)) {
        std::string_view const item = trimmed(rest.substr(0, rest.find(',')));
        if (!item.empty()) {  // `2,` is group 2, while `2` is a mask
            auto const group = parse_integer(item);
            if (!group || *group < 0 || *group > 1'000'000) throw refuse();
            groups.push_back(static_cast<int>(*group));
        }
        if (rest.find(',') == rest.npos) break;
    }
    if (groups.empty()) throw refuse();
    return {text, ForceGroups::only(groups)};
}

NamedRamp parse_ramp(std::string const& text) {
    auto const middle = text.find('=');
    auto const name = trimmed(std::string_view(text).substr(0, middle));
    if (middle == text.npos || name.empty())
        throw InputError("--ramp: '" + text + "' is no ramp, expected one such as 'temperature=0:10,50:300'");
    try {
        return {std::string(name), app::Ramp::parse(std::string_view(text).substr(middle + 1))};
    } catch (InputError const& error) {
        throw InputError("--ramp " + std::string(name) + ": " + error.what());
    }
}

Assignment parse_assignment(std::string const& text) {
    auto const middle = text.find('=');
    auto const value =
        middle == text.npos ? std::nullopt : parse_number(trimmed(std::string_view(text).substr(middle + 1)));
    auto const name = trimmed(std::string_view(text).substr(0, middle));
    if (!value || name.empty())
        throw InputError("--set: '" + text + "' sets nothing, expected NAME=VALUE with a finite number");
    return {std::string(name), *value};
}

}  // namespace trotter::program
