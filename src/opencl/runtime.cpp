// Error messages for OpenCL's error codes.
// SPDX-License-Identifier: MIT
#include "runtime.hpp"

#include <array>
#include <utility>

#include <trotter/error.hpp>

namespace trotter::opencl {

namespace {

std::string error_name(cl_int code) {
    static constexpr std::array names{
        std::pair{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        std::pair{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        std::pair{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        std::pair{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        std::pair{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        std::pair{CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        std::pair{CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
        std::pair{CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        std::pair{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        std::pair{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        std::pair{CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
        std::pair{CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    };
    for (auto const& [known, name] : names)
        if (known == code) return name;
    return "error " + std::to_string(code);
}

}  // namespace

void fail(std::string const& device, std::string const& what, cl_int code) {
    throw UnsupportedError("OpenCL on " + device + ": " + what + " failed with " + error_name(code));
}

}  // namespace trotter::opencl
