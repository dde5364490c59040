// Lists and selects the platforms of this build.
// SPDX-License-Identifier: MIT
#include <trotter/platforms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include <trotter/device/runtime/queue.hpp>
#include <trotter/error.hpp>
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl/queue.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda/queue.hpp>
#endif

#include "platform_choice.hpp"

namespace trotter {
namespace {

using AllCompiled = std::span<CompiledContext const>;

#ifdef TROTTER_HAVE_OPENCL
std::vector<device::DeviceProperties> opencl_devices() { return opencl::devices(); }
#else
std::vector<device::DeviceProperties> opencl_devices() { return {}; }
#endif
#ifdef TROTTER_HAVE_CUDA
std::vector<device::DeviceProperties> cuda_devices() { return cuda::devices(); }
#else
std::vector<device::DeviceProperties> cuda_devices() { return {}; }
#endif

std::string sentence_of_platforms(AllCompiled compiled) {
    auto const platforms = list_platforms(compiled);
    std::string text;
    for (std::size_t i = 0; i < platforms.size(); ++i)
        text += (i == 0 ? "" : i + 1 == platforms.size() ? " and " : ", ") + std::string(platforms[i]);
    return text;
}

CompiledContext const& choose(AllCompiled compiled, BackendChoice const& choice) {
    auto const& precision = choice.precision;
    if (precision != "single" && precision != "mixed" && precision != "double")
        throw InputError("there is no precision '" + precision + "', expected single, mixed or double");
    auto const platform = choice.platform.empty() ? best_platform(choice, compiled) : choice.platform;
    if (choice.copies != 1 && (platform == "reference" || platform == "cpu"))
        throw UnsupportedError("the backend '" + platform + "' does not batch copies of a System, but "
                               + std::to_string(choice.copies) + " were asked for");
    if (auto const* const context = find_context(compiled, platform, precision)) return *context;
    if (platform == "cpu" || platform == "opencl" || platform == "cuda") {
        auto const built = list_platforms(compiled);
        bool const lacks_precision = std::find(built.begin(), built.end(), platform) != built.end();
        throw UnsupportedError("this build has no backend '" + platform + (lacks_precision ? "' in '" + precision : "")
                               + "'; it has " + sentence_of_platforms(compiled));
    }
    throw InputError("there is no platform '" + platform + "', expected reference, cpu, opencl or cuda");
}

}  // namespace

CompiledContext const* find_context(AllCompiled compiled, std::string_view platform, std::string_view precision) {
    for (auto const& context : compiled) {
        auto const& offered = context.precisions;
        if (context.platform != platform) continue;
        if (platform == "reference" || std::find(offered.begin(), offered.end(), precision) != offered.end())
            return &context;
    }
    return nullptr;
}

ChosenContext choose_context(AllCompiled compiled, BackendChoice const& choice) {
    auto const start = std::chrono::steady_clock::now();
    auto const& chosen = choose(compiled, choice);
    return {chosen, choice, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}
PlatformDescription ChosenContext::completed(PlatformDescription description) const {
    if (description.platform != "reference") description.precision = choice.precision;
    if (!description.accelerator.empty()) description.opening_seconds += finding_seconds;
    return description;
}

std::vector<KernelEntry> list_kernels(AllCompiled compiled) {
    std::vector<KernelEntry> result;
    for (auto const& context : compiled)
        for (auto const precision : context.precisions)
            for (auto entry : context.kernels()) {
                entry.precision = precision;
                result.push_back(entry);
            }
    return result;
}

std::vector<std::string_view> list_platforms(AllCompiled compiled) {
    std::vector<std::string_view> result;
    for (auto const& context : compiled)
        if (result.empty() || result.back() != context.platform) result.push_back(context.platform);
    return result;
}

std::string best_platform(BackendChoice const& choice, AllCompiled compiled) {
    auto const device = static_cast<std::size_t>(choice.device);
    if (find_context(compiled, "cuda", choice.precision) && device < cuda_devices().size()) return "cuda";
    if (find_context(compiled, "opencl", choice.precision))
        if (auto const found = opencl_devices(); device < found.size() && !found[device].is_processor) return "opencl";
    return find_context(compiled, "cpu", choice.precision) ? "cpu" : "reference";
}

std::vector<DeviceEntry> list_devices() {
    std::string const processor = processor_name();
    std::vector<DeviceEntry> result{{"reference", processor + ", any number of threads"}};
#ifdef TROTTER_HAVE_CPU
    unsigned const threads = std::max(1u, std::thread::hardware_concurrency());
    result.push_back({"cpu", fmt::format("{}, {} threads", processor, threads)});
#endif
    for (auto const& [platform, devices] : {std::pair{"opencl", opencl_devices()}, {"cuda", cuda_devices()}})
        for (std::size_t n = 0; n < devices.size(); ++n)
            result.push_back({platform, fmt::format("{}: {}, {}", n, devices[n].name, devices[n].driver),
                              devices[n].is_processor});
    return result;
}

}  // namespace trotter
