// Platforms, kernels and devices of this build.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/compiled_contexts.hpp>
#include <trotter/standard_system.hpp>

namespace trotter {

/// Every force and integrator on every platform and precision.
std::vector<KernelEntry> list_kernels(std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// The platforms, with or without a device.
std::vector<std::string_view> list_platforms(
    std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// The fastest one with the device of this choice: `cuda`, or `opencl` unless the device is a CPU, else `cpu` or
/// `reference`.
std::string best_platform(BackendChoice const& choice = {},
                          std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// A device that this build can use, as `trotter platforms` shows it.
struct DeviceEntry {
    std::string platform{}, description{};  ///< name, as `BackendChoice` has it, and one line of text
    bool is_processor = true;  ///< a CPU, not an accelerator
};
/// Descriptions of `opencl` and `cuda` devices begin with their number.
std::vector<DeviceEntry> list_devices();

}  // namespace trotter
