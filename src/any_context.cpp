// Picks the compiled Context that the user asked for.
// SPDX-License-Identifier: MIT
#include <trotter/any_context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <trotter/device/queue.hpp>
#include <trotter/error.hpp>
#include <trotter/host/engine.hpp>
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl/queue.hpp>
#endif
#ifdef TROTTER_HAVE_CUDA
#include <trotter/cuda/queue.hpp>
#endif

namespace trotter {
namespace {

using AllCompiled = std::span<CompiledContext const>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

#ifdef TROTTER_HAVE_OPENCL
std::vector<device::DeviceFacts> opencl_devices() { return opencl::devices(); }
#else
std::vector<device::DeviceFacts> opencl_devices() { return {}; }
#endif
#ifdef TROTTER_HAVE_CUDA
std::vector<device::DeviceFacts> cuda_devices() { return cuda::devices(); }
#else
std::vector<device::DeviceFacts> cuda_devices() { return {}; }
#endif

CompiledContext const* find(AllCompiled compiled, std::string_view platform, std::string_view precision) {
    for (auto const& context : compiled) {
        auto const& offered = context.precisions;
        if (context.platform != platform) continue;
        // Reference computes in double whatever is asked for.
        if (platform == "reference" || std::find(offered.begin(), offered.end(), precision) != offered.end())
            return &context;
    }
    return nullptr;
}

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
    if (auto const* const context = find(compiled, platform, precision)) return *context;
    if (platform == "cpu" || platform == "opencl" || platform == "cuda") {
        auto const built = list_platforms(compiled);
        bool const lacks_precision = std::find(built.begin(), built.end(), platform) != built.end();
        throw UnsupportedError("this build has no backend '" + platform + (lacks_precision ? "' in '" + precision : "")
                               + "'; it has " + sentence_of_platforms(compiled));
    }
    throw InputError("there is no platform '" + platform + "', expected reference, cpu, opencl or cuda");
}

/// `finding_seconds` is what the choice of a platform took, which may have started drivers.
PlatformDescription completed(PlatformDescription description, BackendChoice const& choice, double finding_seconds) {
    if (description.platform != "reference") description.precision = choice.precision;
    if (!description.accelerator.empty()) description.opening_seconds += finding_seconds;
    return description;
}

}  // namespace

AnyContext::AnyContext(AllCompiled compiled, void const* system,
                       AnyIntegrator const& integrator, BackendChoice const& choice)
    : compiled_(compiled), context_(nullptr, nullptr) {
    auto const start = Clock::now();
    auto const& chosen = choose(compiled, choice);
    double const finding_seconds = seconds_since(start);
    functions_ = &chosen.functions;
    context_ = {chosen.make(system, integrator, choice), functions_->destroy};
    description_ = completed(functions_->description(held()), choice, finding_seconds);
}

void* AnyContext::held() const {
    if (!context_) throw InputError("this AnyContext has been moved from");
    return context_.get();
}
void AnyContext::set_temperature(double temperature) { functions_->set_temperature(held(), temperature); }
void AnyContext::set_friction(double friction) { functions_->set_friction(held(), friction); }
void AnyContext::set_step_size(double step_size) { functions_->set_step_size(held(), step_size); }
void AnyContext::set_state(State const& state) { functions_->set_state(held(), state); }
State AnyContext::state(StateData data, ForceGroups const& groups) { return functions_->state(held(), data, groups); }
void AnyContext::set_positions(std::vector<Vec3<>> positions) {
    functions_->set_positions(held(), std::move(positions));
}
void AnyContext::set_velocities(std::vector<Vec3<>> velocities) {
    functions_->set_velocities(held(), std::move(velocities));
}
void AnyContext::set_box(Box const& box) { functions_->set_box(held(), box); }
void AnyContext::set_time(double time) { functions_->set_time(held(), time); }
void AnyContext::set_step_count(std::int64_t count) { functions_->set_step_count(held(), count); }
double AnyContext::parameter(std::string_view name) const { return functions_->parameter(held(), name); }
void AnyContext::set_parameter(std::string_view name, double value) { functions_->set_parameter(held(), name, value); }
void AnyContext::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    functions_->set_velocities_to_temperature(held(), temperature, seed);
}
void AnyContext::apply_constraints(double tolerance) { functions_->apply_constraints(held(), tolerance); }
void AnyContext::apply_velocity_constraints(double tolerance) {
    functions_->apply_velocity_constraints(held(), tolerance);
}
void AnyContext::compute_virtual_sites() { functions_->compute_virtual_sites(held()); }
void AnyContext::update(int index, ForceReference const& force) { functions_->update(held(), index, force); }
void AnyContext::reinitialize(bool preserve_state) { functions_->reinitialize(held(), preserve_state); }

std::int64_t AnyContext::step(std::int64_t steps, std::stop_token stop) {
    return functions_->step(held(), steps, stop);
}
void AnyContext::step_ahead(std::int64_t steps) { functions_->step_ahead(held(), steps); }
void AnyContext::step_towards(double end_time) { functions_->step_towards(held(), end_time); }
void AnyContext::check() { functions_->check(held()); }
void AnyContext::set_state_change(std::function<void()> change) {
    functions_->set_state_change(held(), std::move(change));
}
double AnyContext::evaluate(Request const& request) { return functions_->evaluate(held(), request); }
double AnyContext::evaluate_unchecked(Request const& request) {
    return functions_->evaluate_unchecked(held(), request);
}
double AnyContext::evaluate_one(int index, Request const& request) {
    return functions_->evaluate_one(held(), index, request);
}
std::vector<Vec3<>> const& AnyContext::forces() const { return functions_->forces(held()); }
std::map<std::string, double> const& AnyContext::parameter_derivatives() const { return host().parameter_derivatives; }
std::vector<double> const& AnyContext::energies() const { return functions_->energies(held()); }
double AnyContext::kinetic_energy(bool are_forces_known) {
    return functions_->kinetic_energy(held(), are_forces_known);
}
MinimizationResult AnyContext::minimize(MinimizationSettings const& settings) {
    return functions_->minimize(held(), settings);
}

void AnyContext::set_current_integrator(int index) { functions_->set_current_integrator(held(), index); }
std::map<std::string, double> AnyContext::integrator_parameters() {
    return functions_->integrator_parameters(held());
}
void AnyContext::set_integrator_parameters(std::map<std::string, double> const& parameters) {
    functions_->set_integrator_parameters(held(), parameters);
}
double AnyContext::global_variable(std::string const& name) { return functions_->global_variable(held(), name); }
void AnyContext::set_global_variable(std::string const& name, double value) {
    functions_->set_global_variable(held(), name, value);
}
std::vector<Vec3<>> AnyContext::per_dof_variable(std::string const& name) {
    return functions_->per_dof_variable(held(), name);
}
void AnyContext::set_per_dof_variable(std::string const& name, std::vector<Vec3<>> const& values) {
    functions_->set_per_dof_variable(held(), name, values);
}
double AnyContext::heat_bath_energy() { return functions_->heat_bath_energy(held()); }
std::vector<double> AnyContext::adapted_friction(int particle) {
    return functions_->adapted_friction(held(), particle);
}
void AnyContext::set_adapted_friction(int particle, std::vector<double> const& friction) {
    functions_->set_adapted_friction(held(), particle, friction);
}
std::vector<Vec3<>> AnyContext::shifted_velocities(double offset, double tolerance) {
    return functions_->shifted_velocities(held(), offset, tolerance);
}
void AnyContext::scale_positions(std::array<Vec3<>, 3> const& images, bool molecules_are_rigid) {
    functions_->scale_positions(held(), images, molecules_are_rigid);
}
void AnyContext::restore_positions() { functions_->restore_positions(held()); }
std::array<double, 6> AnyContext::kinetic_tensor(bool molecules_are_rigid) {
    return functions_->kinetic_tensor(held(), molecules_are_rigid);
}
UsedMeshes AnyContext::meshes(int index) { return functions_->meshes(held(), index); }

/// `observe(functions, context)` of a Context of Reference with the same System and state.
template <class Observe> auto AnyContext::observed(Observe const& observe) {
    auto const& reference = *find(compiled_, "reference", "double");
    std::unique_ptr<void, void (*)(void*)> const copy{
        reference.make(functions_->system(held()), VerletIntegrator{.step_size = 0}, {.seed = seed()}),
        reference.functions.destroy};
    reference.functions.set_state(copy.get(), state(Positions | Velocities | Parameters));
    return observe(reference.observables, copy.get());
}
Tensor AnyContext::virial(ForceGroups const& groups) {
    return observed([&](auto const& functions, void* copy) { return functions.virial(copy, groups); });
}
Tensor AnyContext::pressure_tensor(ForceGroups const& groups) {
    return observed([&](auto const& functions, void* copy) { return functions.pressure_tensor(copy, groups); });
}
std::vector<TermEnergy> AnyContext::term_energies(int force_index) {
    return observed([&](auto const& functions, void* copy) { return functions.term_energies(copy, force_index); });
}
double AnyContext::interaction_energy(int force_index, std::vector<int> const& first, std::vector<int> const& second) {
    return observed([&](auto const& functions, void* copy) {
        return functions.interaction_energy(copy, force_index, first, second);
    });
}

double AnyContext::time() const { return host().time; }
std::int64_t AnyContext::step_count() const { return host().step_count; }
Box const& AnyContext::box() const { return host().box; }
std::vector<Vec3<>> const& AnyContext::positions() const { return functions_->positions(held()); }
std::vector<Vec3<>> const& AnyContext::velocities() const { return functions_->velocities(held()); }
std::vector<std::vector<int>> const& AnyContext::molecules() const { return host().molecules; }
Profile& AnyContext::profile() { return functions_->host(held()).threads.profile; }
std::map<std::string, double, std::less<>> const& AnyContext::parameters() const {
    return host().parameters.values();
}
std::uint64_t AnyContext::seed() const { return host().seed; }
std::uint64_t AnyContext::evaluations() const { return host().evaluations; }
ForceGroups const& AnyContext::integration_groups() const { return host().integration_groups; }
double AnyContext::step_size() const { return functions_->step_size(held()); }

int AnyContext::degrees_of_freedom() const {
    auto const& particles = host().particles;
    auto const has_mass = [&](int particle) { return particles.masses[static_cast<std::size_t>(particle)] > 0; };
    int count = host().removes_motion ? -3 : 0;
    for (double const mass : particles.masses) count += mass > 0 ? 3 : 0;
    for (auto const& [particle1, particle2, distance] : particles.constraints)
        count -= has_mass(particle1) || has_mass(particle2) ? 1 : 0;
    return count;
}

void AnyContext::save(Archive& archive) { functions_->save(held(), archive); }
void AnyContext::load(Archive& archive) { functions_->load(held(), archive); }

AnyReplicas::AnyReplicas(AllCompiled compiled, void const* system,
                         AnyIntegrator const& integrator, BackendChoice const& choice, int count)
    : count_(count), replicas_(nullptr, nullptr) {
    auto const start = Clock::now();
    auto const& chosen = choose(compiled, choice);
    double const finding_seconds = seconds_since(start);
    functions_ = &chosen.replicas;
    replicas_ = {chosen.make_replicas(system, integrator, choice, count), functions_->destroy};
    description_ = completed(functions_->description(held()), choice, finding_seconds);
}

void* AnyReplicas::held() const {
    if (!replicas_) throw InputError("this AnyReplicas has been moved from");
    return replicas_.get();
}
void AnyReplicas::set_state(State const& state) { functions_->set_state(held(), state); }
void AnyReplicas::set_state(int replica, State const& state) { functions_->set_state_of(held(), replica, state); }
void AnyReplicas::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    functions_->set_velocities_to_temperature(held(), temperature, seed);
}
void AnyReplicas::set_temperature(double temperature) { functions_->set_temperature(held(), temperature); }
void AnyReplicas::set_temperature(int replica, double temperature) {
    functions_->set_temperature_of(held(), replica, temperature);
}
void AnyReplicas::set_friction(double friction) { functions_->set_friction(held(), friction); }
void AnyReplicas::set_step_size(double step_size) { functions_->set_step_size(held(), step_size); }
void AnyReplicas::set_parameter(std::string_view name, double value) { functions_->set_parameter(held(), name, value); }
void AnyReplicas::step(std::int64_t steps) { functions_->step(held(), steps); }
State AnyReplicas::state(int replica, StateData data, ForceGroups const& groups) {
    return functions_->state(held(), replica, data, groups);
}
double AnyReplicas::time() const { return functions_->host(held()).time; }
std::int64_t AnyReplicas::step_count() const { return functions_->host(held()).step_count; }
std::uint64_t AnyReplicas::seed() const { return functions_->host(held()).seed; }

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
    if (find(compiled, "cuda", choice.precision) && device < cuda_devices().size()) return "cuda";
    if (find(compiled, "opencl", choice.precision))
        if (auto const found = opencl_devices(); device < found.size() && !found[device].is_processor) return "opencl";
    return find(compiled, "cpu", choice.precision) ? "cpu" : "reference";
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
