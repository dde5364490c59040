// The devices of all OpenCL platforms.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

#include "runtime.hpp"

namespace trotter::opencl {

/// Returns the devices in the order of their numbers.
std::vector<cl::Device> all_devices();
device::DeviceProperties properties_of(cl::Device const& device);
bool is_of_nvidia(cl::Device const& device);

/// Returns the context that queues of a device share while any exist: a driver takes long for the first, and PoCL then
/// reads all of its library.
std::shared_ptr<cl::Context> context_on(cl::Device const& device);

}  // namespace trotter::opencl
