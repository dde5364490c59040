// Forwards the calls of an AnyContext to its Context.
// SPDX-License-Identifier: MIT
#include <trotter/any_context.hpp>

#include <cstddef>
#include <utility>

#include <trotter/common/host_state.hpp>
#include <trotter/error.hpp>
#include <trotter/integrators/verlet.hpp>

#include "platform_choice.hpp"

namespace trotter {

AnyContext::AnyContext(std::span<CompiledContext const> compiled, void const* system, AnyIntegrator const& integrator,
                       BackendChoice const& choice)
    : compiled_(compiled), context_(nullptr, nullptr) {
    auto const chosen = choose_context(compiled, choice);
    functions_ = &chosen.context.functions;
    context_ = {chosen.context.make(system, integrator, choice), functions_->destroy};
    description_ = chosen.completed(functions_->description(object()));
}

void* AnyContext::object() const {
    if (!context_) throw InputError("this AnyContext has been moved from");
    return context_.get();
}
void AnyContext::set_temperature(double temperature) { functions_->set_temperature(object(), temperature); }
void AnyContext::set_friction(double friction) { functions_->set_friction(object(), friction); }
void AnyContext::set_step_size(double step_size) { functions_->set_step_size(object(), step_size); }
void AnyContext::set_state(State const& state) { functions_->set_state(object(), state); }
State AnyContext::state(StateData data, ForceGroups const& groups) { return functions_->state(object(), data, groups); }
void AnyContext::set_positions(std::vector<Vec3<>> positions) {
    functions_->set_positions(object(), std::move(positions));
}
void AnyContext::set_velocities(std::vector<Vec3<>> velocities) {
    functions_->set_velocities(object(), std::move(velocities));
}
void AnyContext::set_box(Box const& box) { functions_->set_box(object(), box); }
void AnyContext::set_time(double time) { functions_->set_time(object(), time); }
void AnyContext::set_step_count(std::int64_t count) { functions_->set_step_count(object(), count); }
double AnyContext::parameter(std::string_view name) const { return functions_->parameter(object(), name); }
void AnyContext::set_parameter(std::string_view name, double value) {
    functions_->set_parameter(object(), name, value);
}
void AnyContext::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    functions_->set_velocities_to_temperature(object(), temperature, seed);
}
void AnyContext::apply_constraints(double tolerance) { functions_->apply_constraints(object(), tolerance); }
void AnyContext::apply_velocity_constraints(double tolerance) {
    functions_->apply_velocity_constraints(object(), tolerance);
}
void AnyContext::compute_virtual_sites() { functions_->compute_virtual_sites(object()); }
void AnyContext::update(int index, ForceReference const& force) { functions_->update(object(), index, force); }
void AnyContext::reinitialize(bool preserve_state) { functions_->reinitialize(object(), preserve_state); }

std::int64_t AnyContext::step(std::int64_t steps, std::stop_token stop) {
    return functions_->step(object(), steps, stop);
}
void AnyContext::step_ahead(std::int64_t steps) { functions_->step_ahead(object(), steps); }
void AnyContext::step_towards(double end_time) { functions_->step_towards(object(), end_time); }
void AnyContext::check() { functions_->check(object()); }
void AnyContext::set_state_change(std::function<void()> change) {
    functions_->set_state_change(object(), std::move(change));
}
double AnyContext::evaluate(Request const& request) { return functions_->evaluate(object(), request); }
double AnyContext::evaluate_unchecked(Request const& request) {
    return functions_->evaluate_unchecked(object(), request);
}
double AnyContext::evaluate_one(int index, Request const& request) {
    return functions_->evaluate_one(object(), index, request);
}
std::vector<Vec3<>> const& AnyContext::forces() const { return functions_->forces(object()); }
EnergyDerivatives const& AnyContext::parameter_derivatives() const { return host().parameter_derivatives; }
std::vector<double> const& AnyContext::energies() const { return functions_->energies(object()); }
double AnyContext::kinetic_energy(bool are_forces_known) {
    return functions_->kinetic_energy(object(), are_forces_known);
}
MinimizationResult AnyContext::minimize(MinimizationSettings const& settings) {
    return functions_->minimize(object(), settings);
}

int AnyContext::force_count() const { return functions_->force_count(object()); }
int AnyContext::current_integrator() const { return functions_->current_integrator(object()); }
int AnyContext::integrator_count() const { return functions_->integrator_count(object()); }
void AnyContext::set_current_integrator(int index) { functions_->set_current_integrator(object(), index); }
std::map<std::string, double> AnyContext::integrator_parameters() {
    return functions_->integrator_parameters(object());
}
void AnyContext::set_integrator_parameters(std::map<std::string, double> const& parameters) {
    functions_->set_integrator_parameters(object(), parameters);
}
double AnyContext::global_variable(std::string const& name) { return functions_->global_variable(object(), name); }
void AnyContext::set_global_variable(std::string const& name, double value) {
    functions_->set_global_variable(object(), name, value);
}
std::vector<Vec3<>> AnyContext::per_dof_variable(std::string const& name) {
    return functions_->per_dof_variable(object(), name);
}
void AnyContext::set_per_dof_variable(std::string const& name, std::vector<Vec3<>> const& values) {
    functions_->set_per_dof_variable(object(), name, values);
}
double AnyContext::heat_bath_energy() { return functions_->heat_bath_energy(object()); }
std::vector<double> AnyContext::adapted_friction(int particle) {
    return functions_->adapted_friction(object(), particle);
}
void AnyContext::set_adapted_friction(int particle, std::vector<double> const& friction) {
    functions_->set_adapted_friction(object(), particle, friction);
}
std::vector<Vec3<>> AnyContext::shifted_velocities(double offset, double tolerance) {
    return functions_->shifted_velocities(object(), offset, tolerance);
}
void AnyContext::scale_positions(std::array<Vec3<>, 3> const& images, bool molecules_are_rigid) {
    functions_->scale_positions(object(), images, molecules_are_rigid);
}
void AnyContext::restore_positions() { functions_->restore_positions(object()); }
std::array<double, 6> AnyContext::kinetic_tensor(bool molecules_are_rigid) {
    return functions_->kinetic_tensor(object(), molecules_are_rigid);
}
UsedMeshes AnyContext::meshes(int index) { return functions_->meshes(object(), index); }

/// Calls `observe(functions, context)` with a Reference Context of the same System and state.
template <class Observe> auto AnyContext::observed(Observe const& observe) {
    auto const& reference = *find_context(compiled_, "reference", "double");
    std::unique_ptr<void, void (*)(void*)> const copy{
        reference.make(functions_->system(object()), VerletIntegrator{.step_size = 0}, {.seed = seed()}),
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
std::vector<Vec3<>> const& AnyContext::positions() const { return functions_->positions(object()); }
std::vector<Vec3<>> const& AnyContext::velocities() const { return functions_->velocities(object()); }
std::vector<std::vector<int>> const& AnyContext::molecules() const { return host().molecules; }
Profile& AnyContext::profile() { return functions_->host(object()).threads.profile; }
std::map<std::string, double, std::less<>> const& AnyContext::parameters() const {
    return host().parameters.values();
}
std::uint64_t AnyContext::seed() const { return host().seed; }
std::uint64_t AnyContext::evaluations() const { return host().evaluations; }
ForceGroups const& AnyContext::integration_groups() const { return host().integration_groups; }
double AnyContext::step_size() const { return functions_->step_size(object()); }

int AnyContext::degrees_of_freedom() const { return host().particles.degrees_of_freedom(host().removes_motion); }
double AnyContext::total_mass() const { return host().particles.total_mass(); }
bool AnyContext::is_periodic() const { return host().is_periodic; }

void AnyContext::save(Archive& archive) { functions_->save(object(), archive); }
void AnyContext::load(Archive& archive) { functions_->load(object(), archive); }

}  // namespace trotter
