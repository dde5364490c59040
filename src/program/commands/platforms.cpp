// `trotter platforms`: the compile-time registry as a table, and the devices found.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/platforms.hpp>
#include <trotter/program.hpp>

#include "commands.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string_view word(KernelEntry::Kind kind) {
    return kind == KernelEntry::Kind::fallback ? "fallback" : "yes";
}

void print_json(std::vector<KernelEntry> const& kernels, std::vector<DeviceEntry> const& devices) {
    std::vector<Report> kernel_reports, device_reports;
    for (auto const& k : kernels)
        kernel_reports.emplace_back()
            .add("operation", k.operation)
            .add("kind", k.is_integrator ? "integrator" : "force")
            .add("platform", lower(k.platform))
            .add("precision", k.precision)
            .add("available", true)
            .add("fallback", k.kind == KernelEntry::Kind::fallback);
    for (auto const& d : devices)
        device_reports.emplace_back().add("platform", d.platform).add("device", d.description);
    Report().add("kernels", kernel_reports).add("devices", device_reports).write("-");
}

/// Formats one row per operation and one column per platform and precision, in registry order.
std::string table(std::vector<KernelEntry> const& kernels, bool integrators) {
    std::vector<std::string> columns, rows;
    for (auto const& k : kernels) {
        if (k.is_integrator != integrators) continue;
        auto const column = lower(k.platform) + "/" + std::string(k.precision);
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
        if (std::find(rows.begin(), rows.end(), k.operation) == rows.end()) rows.emplace_back(k.operation);
    }
    std::string text = fmt::format("{:<32}", integrators ? "integrator" : "force");
    for (auto const& column : columns) text += fmt::format(" {:>16}", column);
    for (auto const& row : rows) {
        text += fmt::format("\n{:<32}", row);
        for (auto const& column : columns)
            for (auto const& k : kernels)
                if (k.operation == row && lower(k.platform) + "/" + std::string(k.precision) == column)
                    text += fmt::format(" {:>16}", word(k.kind));
    }
    return text + "\n";
}

}  // namespace

int platforms(Options const& options, KnownForces const& forces) {
    auto const kernels = list_kernels(forces.compiled);
    auto const devices = list_devices();
    if (options.table_as_json) {
        print_json(kernels, devices);
        return done;
    }
    std::string text = table(kernels, false) + "\n" + table(kernels, true);
    text += "\nyes: the platform's own kernel; fallback: the reference platform's, borrowed; -: none\n\n";
    for (auto const& device : devices) text += fmt::format("{:<12}{}\n", device.platform, device.description);
    auto const built = list_platforms(forces.compiled);
    for (std::string_view const platform : {"cpu", "opencl", "cuda"}) {
        if (std::find(built.begin(), built.end(), platform) == built.end())
            text += fmt::format("{:<12}not in this build\n", platform);
        else if (std::none_of(devices.begin(), devices.end(), [&](auto const& device) { return device.platform == platform; }))
            text += fmt::format("{:<12}no device found\n", platform);
    }
    print(text);
    return done;
}

}  // namespace trotter::program
