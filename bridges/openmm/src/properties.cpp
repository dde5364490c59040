// Platform properties that OpenMM users may set.
// SPDX-License-Identifier: MIT
#include "properties.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/platforms.hpp>

namespace trotter::openmm {
namespace {

/// Throws InputError that names the property, its value and what was expected.
[[noreturn]] void refuse(std::string const& name, std::string const& value, std::string const& expected) {
    throw InputError("the property " + name + " of the platform Trotter is '" + value + "', expected " + expected);
}

int number(Properties const& properties, std::string const& name) {
    auto const& text = properties.at(name);
    auto const value = parse_integer(text);
    if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
        refuse(name, text, "a whole number that is not negative");
    return static_cast<int>(*value);
}

std::string const& word(Properties const& properties, std::string const& name,
                        std::vector<std::string_view> const& allowed, std::string const& remark = "") {
    auto const& value = properties.at(name);
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
    std::string expected;
    for (std::size_t n = 0; n < allowed.size(); ++n)
        expected += (n == 0 ? "" : n + 1 == allowed.size() ? " or " : ", ") + std::string(allowed[n]);
    refuse(name, value, expected + remark);
}

void check_device(std::string const& backend, int index) {
    auto const devices = list_devices();
    auto const is_of_backend = [&](auto const& device) { return device.platform == backend; };
    auto const count = std::count_if(devices.begin(), devices.end(), is_of_backend);
    if (count == 0) throw InputError("there is no device for the backend '" + backend + "' of the platform Trotter");
    if (index >= count)
        refuse("DeviceIndex", std::to_string(index),
               count == 1 ? "0, the only device" : "a number below " + std::to_string(count));
}

}  // namespace

Properties const& default_properties() {
    static Properties const values{{"Backend", ""},
                                   {"Precision", "mixed"},
                                   {"Threads", "0"},
                                   {"DeviceIndex", "0"},
                                   {"DeterministicForces", "true"}};
    return values;
}

BackendChoice checked_choice(Properties& properties) {
    if (auto& backend = properties.at("Backend"); backend.empty()) backend = best_platform();
    word(properties, "DeterministicForces", {"true", "false"}, "; forces are always deterministic");
    BackendChoice const choice{.platform = word(properties, "Backend", list_platforms()),
                               .precision = word(properties, "Precision", {"single", "mixed", "double"}),
                               .device = number(properties, "DeviceIndex"),
                               .threads = number(properties, "Threads")};
    if (choice.platform == "cuda" || choice.platform == "opencl") check_device(choice.platform, choice.device);
    return choice;
}

void record(PlatformDescription const& description, Properties& properties) {
    properties["Backend"] = description.platform;
    properties["Precision"] = description.precision;
    properties["Threads"] = std::to_string(description.threads);
    properties["DeterministicForces"] = "true";
}

std::vector<Properties> usable_devices() {
    auto const devices = list_devices();
    bool const has_cpu = std::any_of(devices.begin(), devices.end(), [](auto const& d) { return d.platform == "cpu"; });
    std::vector<Properties> result;
    for (std::string const backend : {"cuda", "opencl", has_cpu ? "cpu" : "reference"})
        for (int index = 0; auto const& device : devices)
            if (device.platform == backend)
                result.push_back({{"Backend", backend}, {"DeviceIndex", std::to_string(index++)}});
    return result;
}

}  // namespace trotter::openmm
