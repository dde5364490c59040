// OpenCL's headers, and messages for its error codes.
// SPDX-License-Identifier: MIT
#pragma once
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop

#include <string>

namespace trotter::opencl {

[[noreturn]] void fail(std::string const& device, std::string const& what, cl_int code);

}  // namespace trotter::opencl
