// Picks the compiled Context that the user asked for.
// SPDX-License-Identifier: MIT
#include <trotter/any_context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <concepts>
#include <fstream>
#include <thread>
#include <utility>
#include <variant>

#include <trotter/device/queue.hpp>
#include <trotter/error.hpp>
#include <trotter/precision.hpp>
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl/queue.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda/queue.hpp>
#endif

#include "contexts/compiled_context.hpp"

namespace trotter {

struct Reference;
struct OpenCl;
struct Cuda;
template <class B> struct RuntimeDevice;
#ifdef TROTTER_HAVE_CPU
template <class Arch> struct BasicCpu;
namespace cpu {
struct RuntimeArch;
}
using RuntimeCpu = BasicCpu<cpu::RuntimeArch>;
#endif

namespace {

/// All that this build has, from lists of what it has on each platform.
template <class... Cs> struct Compiled {};
template <class... As, class... Bs> Compiled<As..., Bs...> operator+(Compiled<As...>, Compiled<Bs...>);
template <class... Cs> std::variant<Cs...> variant_of(Compiled<Cs...>);

#ifdef TROTTER_HAVE_CPU
using OnCpu = Compiled<CompiledContext<RuntimeCpu, Mixed>, CompiledContext<RuntimeCpu, Double>>;
constexpr bool have_cpu = true;
#else
using OnCpu = Compiled<>;
constexpr bool have_cpu = false;
#endif
#ifdef TROTTER_HAVE_OPENCL
using OnOpenCl = Compiled<CompiledContext<RuntimeDevice<OpenCl>, Mixed>>;
std::vector<device::DeviceFacts> opencl_devices() { return opencl::devices(); }
#else
using OnOpenCl = Compiled<>;
std::vector<device::DeviceFacts> opencl_devices() { return {}; }
#endif
#ifdef TROTTER_HAVE_CUDA
using OnCuda = Compiled<CompiledContext<RuntimeDevice<Cuda>, Mixed>>;
std::vector<device::DeviceFacts> cuda_devices() { return cuda::devices(); }
#else
using OnCuda = Compiled<>;
std::vector<device::DeviceFacts> cuda_devices() { return {}; }
#endif
using All = decltype(Compiled<CompiledContext<Reference, Double>>{} + OnCpu{} + OnOpenCl{} + OnCuda{});
using AnyCompiled = decltype(variant_of(All{}));

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (auto const start = line.find(": "); start != line.npos) return line.substr(start + 2);
    return "a processor without a name";
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return result;
}

/// Whether a platform has a kernel for everything in the input.
bool can_do(StandardSystem const& system, std::string_view platform, std::string_view precision) {
    std::vector<std::string_view> missing;
    for (auto const& entry : list_kernels())
        if (lower(entry.platform) == platform && entry.precision == precision && entry.kind == KernelEntry::Kind::missing)
            missing.push_back(entry.operation);
    bool result = true;
    system.for_each_force([&]<class F>(int, F const&) {
        result = result && std::find(missing.begin(), missing.end(), F::name) == missing.end();
    });
    return result;
}

/// The fastest platform that has a device and every kernel needed; processors behind OpenCL only when asked for.
std::string best_platform(StandardSystem const& system, BackendChoice const& choice) {
    auto const device = static_cast<std::size_t>(choice.device);
    if (can_do(system, "cuda", choice.precision) && device < cuda_devices().size()) return "cuda";
    if (can_do(system, "opencl", choice.precision))
        if (auto const found = opencl_devices(); device < found.size() && !found[device].is_processor) return "opencl";
    return have_cpu && can_do(system, "cpu", choice.precision) ? "cpu" : "reference";
}

std::string device_text(PlatformDescription const& description) {
    if (!description.accelerator.empty()) return description.accelerator;
    std::string text =
        fmt::format("{}, {} thread{}", processor_name(), description.threads, description.threads == 1 ? "" : "s");
    if (!description.instruction_set.empty()) text += ", " + description.instruction_set;
    if (!description.fft.empty()) text += ", " + description.fft;
    return text;
}

std::string sentence_of_platforms() {
    auto const platforms = list_platforms();
    std::string text;
    for (std::size_t i = 0; i < platforms.size(); ++i)
        text += (i == 0 ? "" : i + 1 == platforms.size() ? " and " : ", ") + std::string(platforms[i]);
    return text;
}

AnyCompiled make(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice) {
    auto const& precision = choice.precision;
    if (precision != "single" && precision != "mixed" && precision != "double")
        throw InputError("there is no precision '" + precision + "', expected single, mixed or double");
    auto const platform = choice.platform.empty() ? best_platform(system, choice) : choice.platform;
    auto const made = [&]<class C>(std::in_place_type_t<C> type) { return AnyCompiled(type, system, integrator, choice); };
    if (platform == "reference") return made(std::in_place_type<CompiledContext<Reference, Double>>);
#ifdef TROTTER_HAVE_CPU
    // Single and Mixed are the same on Cpu: forces in float, all else in double.
    if (platform == "cpu" && precision != "double") return made(std::in_place_type<CompiledContext<RuntimeCpu, Mixed>>);
    if (platform == "cpu") return made(std::in_place_type<CompiledContext<RuntimeCpu, Double>>);
#endif
#ifdef TROTTER_HAVE_OPENCL
    if (platform == "opencl") return made(std::in_place_type<CompiledContext<RuntimeDevice<OpenCl>, Mixed>>);
#endif
#ifdef TROTTER_HAVE_CUDA
    if (platform == "cuda") return made(std::in_place_type<CompiledContext<RuntimeDevice<Cuda>, Mixed>>);
#endif
    if (platform == "cpu" || platform == "opencl" || platform == "cuda")
        throw UnsupportedError("this build has no backend '" + platform + "'; it has " + sentence_of_platforms());
    throw InputError("there is no platform '" + platform + "', expected reference, cpu, opencl or cuda");
}

}  // namespace

struct AnyContext::Held {
    AnyCompiled context;
    PlatformDescription description;

    Held(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice)
        : context(make(system, integrator, choice)) {
        description = std::visit([](auto& compiled) { return compiled.description(); }, context);
        if (description.platform != "reference") description.precision = choice.precision;
        description.device = device_text(description);
    }
    template <class Visit> decltype(auto) visit(Visit&& visit) { return std::visit(visit, context); }
};

AnyContext::AnyContext(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice)
    : held_(std::make_unique<Held>(system, integrator, choice)) {}
AnyContext::AnyContext(AnyContext&&) noexcept = default;
AnyContext& AnyContext::operator=(AnyContext&&) noexcept = default;
AnyContext::~AnyContext() = default;

void AnyContext::set_state(State const& state) {
    held_->visit([&](auto& context) { context.set_state(state); });
}
State AnyContext::state(StateData data, ForceGroups const& groups) {
    return held_->visit([&](auto& context) { return context.state(data, groups); });
}
void AnyContext::set_parameter(std::string_view name, double value) {
    held_->visit([&](auto& context) { context.set_parameter(name, value); });
}
void AnyContext::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    held_->visit([&](auto& context) { context.set_velocities_to_temperature(temperature, seed); });
}
void AnyContext::compute_virtual_sites() {
    held_->visit([](auto& context) { context.compute_virtual_sites(); });
}

std::int64_t AnyContext::step(std::int64_t steps, std::stop_token stop) {
    return held_->visit([&](auto& context) { return context.step(steps, stop); });
}
double AnyContext::evaluate(Request const& request) {
    return held_->visit([&](auto& context) { return context.evaluate(request); });
}
std::vector<double> const& AnyContext::energies() const {
    return held_->visit([](auto& context) -> auto const& { return context.energies(); });
}
double AnyContext::kinetic_energy() {
    return held_->visit([](auto& context) { return context.kinetic_energy(); });
}
MinimizationResult AnyContext::minimize(MinimizationSettings const& settings) {
    return held_->visit([&](auto& context) { return context.minimize(settings); });
}

double AnyContext::time() const {
    return held_->visit([](auto& context) { return context.time(); });
}
std::int64_t AnyContext::step_count() const {
    return held_->visit([](auto& context) { return context.step_count(); });
}
Box const& AnyContext::box() const {
    return held_->visit([](auto& context) -> auto const& { return context.box(); });
}
std::vector<Vec3<>> const& AnyContext::positions() const {
    return held_->visit([](auto& context) -> auto const& { return context.positions(); });
}
std::vector<std::vector<int>> const& AnyContext::molecules() const {
    return held_->visit([](auto& context) -> auto const& { return context.molecules(); });
}
std::uint64_t AnyContext::seed() const {
    return held_->visit([](auto& context) { return context.seed(); });
}
ForceGroups const& AnyContext::integration_groups() const {
    return held_->visit([](auto& context) -> auto const& { return context.integration_groups(); });
}
double AnyContext::step_size() const {
    return held_->visit([](auto& context) { return context.step_size(); });
}
int AnyContext::degrees_of_freedom() const {
    return held_->visit([](auto& context) { return context.degrees_of_freedom(); });
}

void AnyContext::save(Archive& archive) {
    held_->visit([&](auto& context) { context.save(archive); });
}
void AnyContext::load(Archive& archive) {
    held_->visit([&](auto& context) { context.load(archive); });
}
PlatformDescription const& AnyContext::platform() const { return held_->description; }

std::vector<KernelEntry> list_kernels() {
    std::vector<KernelEntry> result;
    auto const add = [&](std::vector<KernelEntry> entries, std::string_view precision) {
        for (auto& entry : entries) entry.precision = precision;
        result.insert(result.end(), entries.begin(), entries.end());
    };
    add(CompiledContext<Reference, Double>::kernels(), "double");
#ifdef TROTTER_HAVE_CPU
    add(CompiledContext<RuntimeCpu, Mixed>::kernels(), "single");
    add(CompiledContext<RuntimeCpu, Mixed>::kernels(), "mixed");
    add(CompiledContext<RuntimeCpu, Double>::kernels(), "double");
#endif
    auto const add_devices = [&]<class... Cs>(Compiled<Cs...>) {
        for (std::string_view const precision : {"single", "mixed", "double"}) (add(Cs::kernels(), precision), ...);
    };
    add_devices(OnOpenCl{});
    add_devices(OnCuda{});
    return result;
}

std::string fft_library() {
#ifdef TROTTER_HAVE_CPU
    return CompiledContext<RuntimeCpu, Mixed>::fft_library();
#else
    return {};
#endif
}

std::vector<std::string_view> list_platforms() {
    std::vector<std::string_view> result{"reference"};
    if (have_cpu) result.push_back("cpu");
    if (!std::same_as<OnOpenCl, Compiled<>>) result.push_back("opencl");
    if (!std::same_as<OnCuda, Compiled<>>) result.push_back("cuda");
    return result;
}

std::vector<DeviceEntry> list_devices() {
    std::string const processor = processor_name();
    std::vector<DeviceEntry> result{{"reference", processor + ", any number of threads"}};
    if (have_cpu)
        result.push_back(
            {"cpu", fmt::format("{}, {} threads", processor, std::max(1u, std::thread::hardware_concurrency()))});
    for (auto const& [platform, devices] : {std::pair{"opencl", opencl_devices()}, {"cuda", cuda_devices()}})
        for (std::size_t n = 0; n < devices.size(); ++n)
            result.push_back({platform, fmt::format("{}: {}, {}", n, devices[n].name, devices[n].driver)});
    return result;
}

}  // namespace trotter
