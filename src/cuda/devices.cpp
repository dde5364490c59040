// Lists CUDA devices.
// SPDX-License-Identifier: MIT
#include "devices.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/cuda/queue.hpp>
#include <trotter/error.hpp>

#include "driver.hpp"

namespace trotter::cuda {

int attribute(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    check(driver().device_get_attribute(&value, which, device), std::to_string(device), "asking for an attribute");
    return value;
}

device::DeviceProperties properties_of(CUdevice device) {
    std::array<char, 256> name{};
    check(driver().device_get_name(name.data(), static_cast<int>(name.size()), device), std::to_string(device),
          "asking for a name");
    int version = 0;
    check(driver().driver_get_version(&version), name.data(), "asking for the driver's version");
    std::size_t memory = 0;
    check(driver().device_total_mem(&memory, device), name.data(), "asking for the size of its memory");
    return {
        .name = name.data(),
        .driver = "CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10),
        .compute_units = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        .warp_size = attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        .local_memory = static_cast<std::size_t>(attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)),
        .largest_group = static_cast<std::size_t>(attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)),
        .memory = memory,
        .has_double = true,
        .has_64_bit_atomics = true};
}

int device_count() {
    int count = 0;
    check(driver().device_get_count(&count), "this machine", "counting devices");
    return count;
}

std::vector<device::DeviceProperties> devices() {
    std::vector<device::DeviceProperties> result;
    try {
        for (int n = 0; n < device_count(); ++n) {
            CUdevice handle = 0;
            check(driver().device_get(&handle, n), std::to_string(n), "opening the device");
            result.push_back(properties_of(handle));
        }
    } catch (UnsupportedError const&) {
        // No driver, or one without devices.
    }
    return result;
}

}  // namespace trotter::cuda
