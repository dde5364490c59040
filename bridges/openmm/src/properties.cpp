// Platform properties that OpenMM users may set.
// SPDX-License-Identifier: MIT
#include "properties.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/platforms.hpp>

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

void check_word(std::string const& name, std::string const& value, std::vector<std::string_view> const& allowed,
                std::string const& remark = "") {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
    std::string expected;
    for (std::size_t n = 0; n < allowed.size(); ++n)
        expected += (n == 0 ? "" : n + 1 == allowed.size() ? " or " : ", ") + std::string(allowed[n]);
    refuse(name, value, expected + remark);
}

void check_device(std::string const& backend, int index) {
    auto const devices = list_devices();
    auto const count = std::count_if(devices.begin(), devices.end(), [&](auto const& d) { return d.platform == backend; });
    if (count == 0) throw InputError("there is no device for the backend '" + backend + "' of the platform Trotter");
    if (index >= count)
        refuse("DeviceIndex", std::to_string(index),
               count == 1 ? "0, the only device" : "a number below " + std::to_string(count));
}

}  // namespace

std::map<std::string, std::string> const& Properties::defaults() {
    static std::map<std::string, std::string> const values{
        {"Backend", ""}, {"Precision", "mixed"}, {"Threads", "0"}, {"DeviceIndex", "0"}, {"DeterministicForces", "true"}};
    return values;
}

Properties::Properties(std::map<std::string, std::string> const& values) : values_(values) {
    auto& backend = values_.at("Backend");
    if (backend.empty()) backend = best_platform();
    check_word("Backend", backend, list_platforms());
    check_word("Precision", at("Precision"), {"single", "mixed", "double"});
    check_word("DeterministicForces", at("DeterministicForces"), {"true", "false"}, "; forces are always deterministic");
    int const device = choice().device;
    if (backend == "cuda" || backend == "opencl") check_device(backend, device);
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

std::vector<std::map<std::string, std::string>> usable_devices() {
    auto const devices = list_devices();
    bool const has_cpu = std::any_of(devices.begin(), devices.end(), [](auto const& d) { return d.platform == "cpu"; });
    std::vector<std::map<std::string, std::string>> result;
    for (std::string const backend : {"cuda", "opencl", has_cpu ? "cpu" : "reference"})
        for (int index = 0; auto const& device : devices)
            if (device.platform == backend)
                result.push_back({{"Backend", backend}, {"DeviceIndex", std::to_string(index++)}});
    return result;
}

}  // namespace trotter::openmm
