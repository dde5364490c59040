// Forwards the calls of an AnyReplicas to its Replicas.
// SPDX-License-Identifier: MIT
#include <trotter/any_replicas.hpp>

#include <trotter/common/host_state.hpp>
#include <trotter/error.hpp>

#include "platform_choice.hpp"

namespace trotter {

AnyReplicas::AnyReplicas(std::span<CompiledContext const> compiled, void const* system, AnyIntegrator const& integrator,
                         BackendChoice const& choice, int count)
    : count_(count), replicas_(nullptr, nullptr) {
    auto const chosen = choose_context(compiled, choice);
    functions_ = &chosen.context.replicas;
    replicas_ = {chosen.context.make_replicas(system, integrator, choice, count), functions_->destroy};
    description_ = chosen.completed(functions_->description(object()));
}

void* AnyReplicas::object() const {
    if (!replicas_) throw InputError("this AnyReplicas has been moved from");
    return replicas_.get();
}
void AnyReplicas::set_state(State const& state) { functions_->set_state(object(), state); }
void AnyReplicas::set_state(int replica, State const& state) { functions_->set_state_of(object(), replica, state); }
void AnyReplicas::set_velocities_to_temperature(double temperature, std::uint64_t seed) {
    functions_->set_velocities_to_temperature(object(), temperature, seed);
}
void AnyReplicas::set_temperature(double temperature) { functions_->set_temperature(object(), temperature); }
void AnyReplicas::set_temperature(int replica, double temperature) {
    functions_->set_temperature_of(object(), replica, temperature);
}
void AnyReplicas::set_friction(double friction) { functions_->set_friction(object(), friction); }
void AnyReplicas::set_step_size(double step_size) { functions_->set_step_size(object(), step_size); }
void AnyReplicas::set_parameter(std::string_view name, double value) {
    functions_->set_parameter(object(), name, value);
}
void AnyReplicas::step(std::int64_t steps) { functions_->step(object(), steps); }
State AnyReplicas::state(int replica, StateData data, ForceGroups const& groups) {
    return functions_->state(object(), replica, data, groups);
}
double AnyReplicas::time() const { return functions_->host(object()).time; }
std::int64_t AnyReplicas::step_count() const { return functions_->host(object()).step_count; }
std::uint64_t AnyReplicas::seed() const { return functions_->host(object()).seed; }

}  // namespace trotter
