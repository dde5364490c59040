// Compiles kernel source to programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>

#include <trotter/device/runtime/program_cache.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/opencl/queue.hpp>

#include "runtime.hpp"

namespace trotter::opencl {

/// A driver's compiler, with a cache of programs.
class Compiler {
public:
    Compiler(cl::Context context, cl::Device device, device::DeviceProperties properties, bool is_of_nvidia,
             device::Version version);

    /// Throws UnsupportedError with the compiler's log.
    Program compile(std::string const& text, std::set<std::string> packed_kernels = {}) const;

private:
    cl::Program load(std::string const& binary) const;
    cl::Program build(std::string const& source, std::string const& options) const;
    cl::Program bounded(cl::Program const& program) const;
    std::string source_of(std::string const& text) const;
    std::string options() const;

    cl::Context context_;
    cl::Device device_;
    device::DeviceProperties properties_;
    bool is_of_nvidia_;
    device::Version version_;
    device::ProgramCache cache_;
};

}  // namespace trotter::opencl
