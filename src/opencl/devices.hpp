// The devices of all platforms of OpenCL.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/device/runtime/queue.hpp>

#include "runtime.hpp"

namespace trotter::opencl {

/// In the order of their numbers.
std::vector<cl::Device> all_devices();
device::DeviceProperties properties_of(cl::Device const& device);
bool is_of_nvidia(cl::Device const& device);

/// Queues of one device share a context, while there are any: a driver takes long for the first, and PoCL then reads all
/// of its library.
std::shared_ptr<cl::Context> context_on(cl::Device const& device);

}  // namespace trotter::opencl
