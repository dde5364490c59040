// What `CompiledContext` does, for the files that instantiate it.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <type_traits>
#include <variant>

#include <trotter/context.hpp>

#include "compiled_context.hpp"

namespace trotter {

/// How a backend is made from the user's choices, and what it then runs with: `backend(choice)`, `instruction_set()`,
/// `fft_library()`. Each backend specializes it.
template <class B> struct BackendChoices;

template <class B, class P> struct CompiledContext<B, P>::Made {
    Context<StandardSystem, B, P> context;
    bool has_stepped = false;

    Made(StandardSystem const& system, auto const& integrator, BackendChoice const& choice)
        : context(system, integrator, BackendChoices<B>::backend(choice), P{}, choice.seed) {}

    HostEngine& host() { return context.engine().host; }
};

template <class B, class P> CompiledContext<B, P>::CompiledContext(StandardSystem const& system,
                                                                   AnyIntegrator const& integrator,
                                                                   BackendChoice const& choice) {
    std::visit([&](auto const& known) { made_ = std::make_unique<Made>(system, known, choice); }, integrator);
}
template <class B, class P> CompiledContext<B, P>::~CompiledContext() = default;

template <class B, class P> void CompiledContext<B, P>::set_state(State const& state) {
    made_->context.set_state(state);
}
template <class B, class P> State CompiledContext<B, P>::state(StateData data, ForceGroups const& groups) {
    return made_->context.state(data, groups);
}
template <class B, class P> void CompiledContext<B, P>::set_parameter(std::string_view name, double value) {
    made_->context.set_parameter(name, value);
}
template <class B, class P>
void CompiledContext<B, P>::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    made_->context.set_velocities_to_temperature(temperature, seed);
}
template <class B, class P> void CompiledContext<B, P>::compute_virtual_sites() {
    made_->context.compute_virtual_sites();
}

template <class B, class P> std::int64_t CompiledContext<B, P>::step(std::int64_t steps, std::stop_token stop) {
    auto const at_step = [this](std::string const& what) {
        return what.starts_with("step ") ? what : "step " + std::to_string(made_->context.step_count()) + ": " + what;
    };
    auto const first = made_->context.step_count();
    try {
        auto const done = made_->context.step(steps, stop);
        made_->has_stepped = made_->has_stepped || done > 0;
        return done;
    } catch (SimulationError const& error) {
        throw SimulationError(at_step(error.what()));
    } catch (InputError const& error) {
        // What was good for the first step has become bad by itself, such as a box that shrank.
        if (!made_->has_stepped && made_->context.step_count() == first) throw;
        throw SimulationError(at_step(error.what()));
    }
}
template <class B, class P> double CompiledContext<B, P>::evaluate(Request const& request) {
    return made_->context.evaluate(request);
}
template <class B, class P> std::vector<double> const& CompiledContext<B, P>::energies() const {
    return made_->context.energies();
}
template <class B, class P> double CompiledContext<B, P>::kinetic_energy() { return made_->context.kinetic_energy(); }
template <class B, class P> MinimizationResult CompiledContext<B, P>::minimize(MinimizationSettings const& settings) {
    return trotter::minimize(made_->context, settings);
}

template <class B, class P> double CompiledContext<B, P>::time() const { return made_->context.time(); }
template <class B, class P> std::int64_t CompiledContext<B, P>::step_count() const {
    return made_->context.step_count();
}
template <class B, class P> Box const& CompiledContext<B, P>::box() const { return made_->context.box(); }
template <class B, class P> std::vector<Vec3<>> const& CompiledContext<B, P>::positions() const {
    return made_->context.positions();
}
template <class B, class P> std::vector<std::vector<int>> const& CompiledContext<B, P>::molecules() const {
    return made_->context.molecules();
}
template <class B, class P> std::uint64_t CompiledContext<B, P>::seed() const { return made_->context.seed(); }
template <class B, class P> ForceGroups const& CompiledContext<B, P>::integration_groups() const {
    return made_->host().integration_groups;
}
template <class B, class P> double CompiledContext<B, P>::step_size() const {
    return made_->context.visit_integrator([](auto& kernel) { return kernel.integrator().step_size; });
}

template <class B, class P> int CompiledContext<B, P>::degrees_of_freedom() const {
    auto const& particles = made_->host().particles;
    auto const has_mass = [&](int particle) { return particles.masses[static_cast<std::size_t>(particle)] > 0; };
    int count = made_->host().removes_motion ? -3 : 0;
    for (double const mass : particles.masses) count += mass > 0 ? 3 : 0;
    for (auto const& [particle1, particle2, distance] : particles.constraints)
        count -= has_mass(particle1) || has_mass(particle2) ? 1 : 0;
    return count;
}

template <class B, class P> PlatformDescription CompiledContext<B, P>::description() const {
    PlatformDescription result{.platform = std::string(B::name), .precision = std::string(P::name)};
    for (char& letter : result.platform) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    result.threads = made_->host().threads.count();
    result.instruction_set = BackendChoices<B>::instruction_set();
    result.fft = fft_library();
    auto& engine = made_->context.engine();
    if constexpr (requires { engine.device.queue.facts(); })
        result.accelerator = engine.device.queue.facts().name + ", " + engine.device.queue.facts().driver;
    return result;
}
template <class B, class P> std::string CompiledContext<B, P>::fft_library() {
    return BackendChoices<B>::fft_library();
}

template <class B, class P> void CompiledContext<B, P>::save(Archive& archive) { made_->context.save(archive); }
template <class B, class P> void CompiledContext<B, P>::load(Archive& archive) { made_->context.load(archive); }

namespace detail {

/// A kernel says itself that it is missing or borrowed; every other one is the backend's own.
template <class Op, class B, class P> KernelEntry kernel_entry(bool is_integrator) {
    using K = Kernel<Op, B, P>;
    auto kind = KernelEntry::Kind::own;
    if constexpr (requires { requires K::is_missing; })
        kind = KernelEntry::Kind::missing;
    else if constexpr (requires { requires K::is_borrowed; })
        kind = KernelEntry::Kind::borrowed;
    return {Op::name, is_integrator, B::name, P::name, kind};
}

template <class B, class P, class... Fs, class... Is>
std::vector<KernelEntry> kernel_entries(ForceList<Fs...>, IntegratorList<Is...>) {
    return {kernel_entry<Fs, B, P>(false)..., kernel_entry<Is, B, P>(true)...};
}

}  // namespace detail

template <class B, class P> std::vector<KernelEntry> CompiledContext<B, P>::kernels() {
    return detail::kernel_entries<B, P>(StandardForces{}, StandardIntegrators{});
}

}  // namespace trotter
