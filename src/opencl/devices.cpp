// Lists OpenCL devices.
// SPDX-License-Identifier: MIT
#include "devices.hpp"

#include <map>
#include <mutex>
#include <string>

#include <trotter/opencl/queue.hpp>

namespace trotter::opencl {

namespace {

bool is_of_pocl(cl::Device const& device) {
    std::string const name = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    return name.starts_with("Portable Computing Language");
}

}  // namespace

std::vector<cl::Device> all_devices() {
    // The first query starts the drivers, and not all of them support two at once.
    static std::mutex mutex;
    std::lock_guard const lock(mutex);
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> result;
    // Without any platform the loader reports an error.
    try {
        cl::Platform::get(&platforms);
    } catch (cl::Error const&) {
        return {};
    }
    for (auto const& platform : platforms) {
        std::vector<cl::Device> found;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
        } catch (cl::Error const&) {
            continue;
        }
        result.insert(result.end(), found.begin(), found.end());
    }
    return result;
}

bool is_of_nvidia(cl::Device const& device) {
    std::string const extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    return extensions.find("cl_nv_device_attribute_query") != std::string::npos;
}

device::DeviceProperties properties_of(cl::Device const& device) {
    std::string const extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    auto has = [&](char const* extension) { return extensions.find(extension) != std::string::npos; };
    return {.name = device.getInfo<CL_DEVICE_NAME>().c_str(),
            .driver = device.getInfo<CL_DRIVER_VERSION>().c_str(),
            .compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
            .warp_size = is_of_nvidia(device) ? 32 : 1,
            .local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(),
            .largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(),
            .memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>(),
            .has_double = has("cl_khr_fp64"),
            .has_64_bit_atomics = has("cl_khr_int64_base_atomics"),
            .is_processor = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0,
            .keeps_programs = is_of_pocl(device)};
}

std::shared_ptr<cl::Context> context_on(cl::Device const& device) {
    static std::mutex mutex;
    static std::map<cl_device_id, std::weak_ptr<cl::Context>> known;
    std::lock_guard const lock(mutex);
    auto& entry = known[device()];
    auto context = entry.lock();
    if (!context) entry = context = std::make_shared<cl::Context>(device);
    return context;
}

std::vector<device::DeviceProperties> devices() {
    std::vector<device::DeviceProperties> result;
    for (auto const& device : all_devices()) result.push_back(properties_of(device));
    return result;
}

}  // namespace trotter::opencl
