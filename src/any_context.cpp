// Picks the compiled Context that the user asked for.
// SPDX-License-Identifier: MIT
#include <trotter/any_context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>
#include <utility>
#include <variant>

#include <trotter/error.hpp>
#include <trotter/precision.hpp>

#include "contexts/compiled_context.hpp"

namespace trotter {

struct Reference;
#ifdef TROTTER_HAVE_CPU
template <class Arch> struct BasicCpu;
namespace cpu {
struct RuntimeArch;
}
using RuntimeCpu = BasicCpu<cpu::RuntimeArch>;
using AnyCompiled = std::variant<CompiledContext<Reference, Double>,
                                 CompiledContext<RuntimeCpu, Mixed>, CompiledContext<RuntimeCpu, Double>>;
#else
using AnyCompiled = std::variant<CompiledContext<Reference, Double>>;
#endif

namespace {

#ifdef TROTTER_HAVE_CPU
constexpr bool have_cpu = true;
#else
constexpr bool have_cpu = false;
#endif

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (auto const start = line.find(": "); start != line.npos) return line.substr(start + 2);
    return "a processor without a name";
}

/// Whether the Cpu backend has a kernel for everything in the input.
bool cpu_can_do(StandardSystem const& system, BackendChoice const& choice) {
    if (!have_cpu) return false;
    std::vector<std::string_view> missing;
    for (auto const& entry : list_kernels())
        if (entry.platform == "Cpu" && entry.precision == choice.precision && entry.kind == KernelEntry::Kind::missing)
            missing.push_back(entry.operation);
    bool result = true;
    system.for_each_force([&]<class F>(int, F const&) {
        result = result && std::find(missing.begin(), missing.end(), F::name) == missing.end();
    });
    return result;
}

std::string device_text(PlatformDescription const& description) {
    std::string text =
        fmt::format("{}, {} thread{}", processor_name(), description.threads, description.threads == 1 ? "" : "s");
    if (!description.instruction_set.empty()) text += ", " + description.instruction_set;
    if (!description.fft.empty()) text += ", " + description.fft;
    return text;
}

AnyCompiled make(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice) {
    auto const made = [&]<class C>(std::in_place_type_t<C> type) {
        return AnyCompiled(type, system, integrator, choice);
    };
    auto platform = choice.platform;
    if (platform.empty()) platform = cpu_can_do(system, choice) ? "cpu" : "reference";
    auto const& precision = choice.precision;
    if (precision != "single" && precision != "mixed" && precision != "double")
        throw InputError("there is no precision '" + precision + "', expected single, mixed or double");
    if (platform == "reference") return made(std::in_place_type<CompiledContext<Reference, Double>>);
#ifdef TROTTER_HAVE_CPU
    // Single and Mixed are the same on Cpu: forces in float, all else in double.
    if (platform == "cpu" && precision != "double") return made(std::in_place_type<CompiledContext<RuntimeCpu, Mixed>>);
    if (platform == "cpu") return made(std::in_place_type<CompiledContext<RuntimeCpu, Double>>);
#endif
    if (platform == "cpu" || platform == "opencl" || platform == "cuda")
        throw UnsupportedError("this build has no backend '" + platform + "'; it has reference"
                               + (have_cpu ? " and cpu" : ""));
    throw InputError("there is no platform '" + platform + "', expected reference, cpu, opencl or cuda");
}

}  // namespace

struct AnyContext::Held {
    AnyCompiled context;
    PlatformDescription description;

    Held(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice)
        : context(make(system, integrator, choice)) {
        description = std::visit([](auto& compiled) { return compiled.description(); }, context);
        if (description.precision == "mixed") description.precision = choice.precision;
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
    auto result = CompiledContext<Reference, Double>::kernels();
#ifdef TROTTER_HAVE_CPU
    auto const mixed = CompiledContext<RuntimeCpu, Mixed>::kernels();
    auto single = mixed;
    for (auto& entry : single) entry.precision = "single";
    for (auto const& more : {single, mixed, CompiledContext<RuntimeCpu, Double>::kernels()})
        result.insert(result.end(), more.begin(), more.end());
#endif
    return result;
}

std::string fft_library() {
#ifdef TROTTER_HAVE_CPU
    return CompiledContext<RuntimeCpu, Mixed>::fft_library();
#else
    return {};
#endif
}

std::vector<DeviceEntry> list_devices() {
    std::string const processor = processor_name();
    std::vector<DeviceEntry> result{{"reference", processor + ", any number of threads"}};
    if (have_cpu)
        result.push_back(
            {"cpu", fmt::format("{}, {} threads", processor, std::max(1u, std::thread::hardware_concurrency()))});
    return result;
}

}  // namespace trotter
