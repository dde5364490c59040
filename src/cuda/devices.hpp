// Device queries of NVIDIA's driver.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>

#include <trotter/device/runtime/queue.hpp>

namespace trotter::cuda {

/// Throws UnsupportedError if the driver is not installed.
int device_count();
int attribute(CUdevice device, CUdevice_attribute which);
device::DeviceProperties properties_of(CUdevice device);

}  // namespace trotter::cuda
