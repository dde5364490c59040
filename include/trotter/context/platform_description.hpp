// Platform, precision, device and threads of a Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace trotter {

/// Platform of a Context. Contexts with equal `platform`, `precision`, `instruction_set`, `accelerator` and
/// `list_buffer` give equal bits.
struct PlatformDescription {
    std::string platform{};  ///< the backend's name in lower case
    std::string precision{};  ///< single, mixed or double
    std::string instruction_set{};  ///< of the inner loops of Cpu; empty where there is none
    std::string accelerator{};      ///< name and driver of the device of `opencl` and `cuda`
    int threads = 1;  ///< of the host
    std::string device{};        ///< all of it in one line, on hosts with the processor's name
    double opening_seconds = 0;  ///< time to find and open the accelerator
};

std::string processor_name();  ///< as the operating system names it
/// A backend's name on the command line.
std::string platform_name(std::string_view backend);
/// The accelerator, or the processor's name with threads and instruction set.
std::string device_text(PlatformDescription const& description);

/// Describes the engine of a Context.
template <class B, class P, class Engine> PlatformDescription describe_platform(Engine const& engine) {
    PlatformDescription result{.platform = platform_name(B::name), .precision = std::string(P::name)};
    result.threads = engine.host.threads.count();
    if constexpr (requires { engine.precision(); }) result.precision = engine.precision();
    if constexpr (requires { engine.instruction_set(); }) result.instruction_set = engine.instruction_set();
    if constexpr (requires { engine.device.queue.properties(); }) {
        result.accelerator = engine.device.queue.properties().name + ", " + engine.device.queue.properties().driver;
        result.opening_seconds = engine.opening_seconds;
    }
    result.device = device_text(result);
    return result;
}

}  // namespace trotter
