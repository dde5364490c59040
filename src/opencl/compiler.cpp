// Calls the drivers' compilers.
// SPDX-License-Identifier: MIT
#include "compiler.hpp"

#include <optional>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/kernels/opencl_preamble.hpp>
#include <trotter/opencl/arguments.hpp>

namespace trotter::opencl {

namespace {

std::string binary_of(cl::Program const& program) {
    auto const binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    return binaries.size() == 1 ? std::string(binaries[0].begin(), binaries[0].end()) : std::string();
}

}  // namespace

Compiler::Compiler(cl::Context context, cl::Device device, device::DeviceProperties properties, bool is_of_nvidia,
                   device::Version version)
    : context_(std::move(context)),
      device_(std::move(device)),
      properties_(std::move(properties)),
      is_of_nvidia_(is_of_nvidia),
      version_(std::move(version)) {}

Program Compiler::compile(std::string const& text, std::set<std::string> packed_kernels) const {
    std::string const source = source_of(text), options = this->options(),
                      platform = cl::Platform(device_.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_VERSION>(),
                      identity =
                          platform + ", " + properties_.name + ", " + properties_.driver + options + '\n' + source;
    auto const kept = properties_.keeps_programs ? std::nullopt : cache_.find(identity);
    auto program = kept ? load(*kept) : cl::Program();
    if (program() == nullptr) {
        program = build(source, options);
        if (is_of_nvidia_) program = bounded(program);
        // When asked for a binary, PoCL compiles all kernels again, for work-groups of any size.
        if (!properties_.keeps_programs)
            if (auto const binary = binary_of(program); !binary.empty()) cache_.keep(identity, binary);
    }
    clRetainProgram(program());
    return {program(), std::move(packed_kernels), version_};
}

/// Returns a null program if the driver rejects the binary.
cl::Program Compiler::load(std::string const& binary) const {
    try {
        cl::Program program(context_, {device_}, cl::Program::Binaries{{binary.begin(), binary.end()}});
        program.build({device_});
        return program;
    } catch (cl::Error const&) {
        return {};
    }
}
cl::Program Compiler::build(std::string const& source, std::string const& options) const {
    cl::Program program(context_, source);
    try {
        program.build({device_}, options.c_str());
    } catch (cl::Error const&) {
        throw UnsupportedError("device text does not compile for " + properties_.name + ":\n"
                               + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
    }
    return program;
}
/// Adds register bounds; returns the program unchanged if it has none or the driver rejects them.
cl::Program Compiler::bounded(cl::Program const& program) const {
    auto const assembly = binary_of(program), changed = bound_registers(assembly);
    auto const result = changed == assembly ? cl::Program() : load(changed);
    return result() == nullptr ? program : result;
}

std::string Compiler::source_of(std::string const& text) const {
    std::string defines = "#define WARP_SIZE " + std::to_string(properties_.warp_size) + '\n';
    if (is_of_nvidia_) defines += "#define NVIDIA_PTX\n";
    if (properties_.has_64_bit_atomics) defines += "#define SUPPORTS_64_BIT_ATOMICS\n";
    if (properties_.has_double) defines += "#define SUPPORTS_DOUBLE_PRECISION\n";
    return defines + kernels::opencl_preamble + text;
}
/// As in CUDA: denormals are zero, and multiply-adds are fused.
std::string Compiler::options() const { return is_of_nvidia_ ? "-cl-denorms-are-zero -cl-mad-enable" : ""; }

}  // namespace trotter::opencl
