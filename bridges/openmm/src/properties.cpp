// What a user of OpenMM may choose of the platform.
// SPDX-License-Identifier: MIT
#include "properties.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <trotter/error.hpp>

namespace trotter::openmm {
namespace {

/// Throws InputError that names the property, its value and what was expected.
[[noreturn]] void refuse(std::string const& name, std::string const& value, std::string const& expected) {
    throw InputError("the property " + name + " of the platform Trotter is '" + value + "', expected " + expected);
}

int number(std::string const& name, std::string const& value) {
    int result = 0;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc{} || end != value.data() + value.size() || result < 0)
        refuse(name, value, "a whole number that is not negative");
    return result;
}

std::vector<DeviceEntry> devices_of(std::string_view platform) {
    std::vector<DeviceEntry> result;
    for (auto const& device : list_devices())
        if (device.platform == platform) result.push_back(device);
    return result;
}

std::string joined(std::vector<std::string_view> const& names) {
    std::string result;
    for (std::size_t n = 0; n < names.size(); ++n)
        result += (n == 0 ? "" : n + 1 == names.size() ? " or " : ", ") + std::string(names[n]);
    return result;
}

void check_device(std::string const& backend, std::string const& index) {
    auto const count = static_cast<int>(devices_of(backend).size());
    if (count == 0) throw InputError("there is no device for the backend '" + backend + "' of the platform Trotter");
    if (number("DeviceIndex", index) >= count)
        refuse("DeviceIndex", index, count == 1 ? "0, the only device" : "a number below " + std::to_string(count));
}

}  // namespace

std::vector<std::string> const& Properties::names() {
    static std::vector<std::string> const names{"Backend", "Precision", "Threads", "DeviceIndex",
                                                "DeterministicForces"};
    return names;
}

std::string Properties::default_value(std::string const& name) {
    if (name == "Precision") return "mixed";
    if (name == "Threads" || name == "DeviceIndex") return "0";
    return name == "DeterministicForces" ? "true" : "";
}

Properties::Properties(std::map<std::string, std::string> const& values) : values_(values) {
    auto& backend = values_.at("Backend");
    if (backend.empty()) backend = best_backend();
    auto const built = list_platforms();
    if (std::find(built.begin(), built.end(), backend) == built.end()) refuse("Backend", backend, joined(built));
    auto& precision = values_.at("Precision");
    if (precision != "single" && precision != "mixed" && precision != "double")
        refuse("Precision", precision, "single, mixed or double");
    if (auto const& deterministic = values_.at("DeterministicForces"); deterministic != "true" && deterministic != "false")
        refuse("DeterministicForces", deterministic, "true or false; forces are always deterministic");
    number("Threads", values_.at("Threads"));
    number("DeviceIndex", values_.at("DeviceIndex"));
    if (backend == "cuda" || backend == "opencl") check_device(backend, values_.at("DeviceIndex"));
}

BackendChoice Properties::choice() const {
    return {.platform = at("Backend"),
            .precision = at("Precision"),
            .device = number("DeviceIndex", at("DeviceIndex")),
            .threads = number("Threads", at("Threads"))};
}

void Properties::set(PlatformDescription const& description) {
    values_["Backend"] = description.platform;
    values_["Precision"] = description.precision;
    values_["Threads"] = std::to_string(description.threads);
    values_["DeterministicForces"] = "true";
}

std::string best_backend() {
    for (std::string const platform : {"cuda", "opencl"})
        if (auto const devices = devices_of(platform); !devices.empty() && !devices.front().is_processor) return platform;
    auto const built = list_platforms();
    return std::find(built.begin(), built.end(), "cpu") != built.end() ? "cpu" : "reference";
}

std::vector<std::map<std::string, std::string>> usable_devices() {
    std::vector<std::map<std::string, std::string>> result;
    for (std::string const backend : {"cuda", "opencl"})
        for (std::size_t n = 0; n < devices_of(backend).size(); ++n)
            result.push_back({{"Backend", backend}, {"DeviceIndex", std::to_string(n)}});
    auto const built = list_platforms();
    bool const has_cpu = std::find(built.begin(), built.end(), "cpu") != built.end();
    result.push_back({{"Backend", has_cpu ? "cpu" : "reference"}, {"DeviceIndex", "0"}});
    return result;
}

}  // namespace trotter::openmm
