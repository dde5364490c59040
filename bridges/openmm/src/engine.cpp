// Implements an OpenMM Context by one Trotter Context.
// SPDX-License-Identifier: MIT
#include "engine.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <openmm/CompoundIntegrator.h>
#include <openmm/internal/OSRngSeed.h>

namespace trotter::openmm {
namespace {

/// Returns the seeds of an integrator, or of each in a compound.
std::vector<std::uint64_t*> seeds_in(AnyIntegrator& integrator) {
    std::vector<std::uint64_t*> result;
    auto const add = [&](auto const& self, auto& one) -> void {
        if constexpr (requires { one.integrators; })
            for (auto& inner : one.integrators) std::visit([&](auto& each) { self(self, each); }, inner);
        else if constexpr (requires { one.seed; })
            result.push_back(&one.seed);
    };
    std::visit([&](auto& one) { add(add, one); }, integrator);
    return result;
}

}  // namespace

Engine::Engine(OpenMM::ContextImpl& context, Properties properties, bool is_inner)
    : context_(context),
      properties_(std::move(properties)),
      choice_(checked_choice(properties_)),
      is_inner_(is_inner),
      seeds_{static_cast<std::uint32_t>(osrngseed())} {
    ++contexts;
}
Engine::~Engine() { --contexts; }

void Engine::count_evaluations() noexcept {
    auto const now = any_->evaluations();
    if (now == counted_) return;
    evaluations += static_cast<long long>(now - std::exchange(counted_, now));
    forget();
}

std::string Engine::in_words_of_openmm(std::string text) const {
    auto const words = [](auto index, std::string_view name) {
        return "force " + std::to_string(index) + " (" + std::string(name) + ")";
    };
    for (std::size_t n = 0; n < indices_.size(); ++n) {
        std::string ours, theirs;
        if (indices_[n] >= 0)
            system_->visit_force(indices_[n], [&]<class F>(F const& force) {
                bool const is_callback = std::is_same_v<F, CallbackForce<>>;
                ours = words(indices_[n], F::name);
                theirs = words(n, is_callback ? std::string_view(force.label) : F::name);
            });
        if (auto const place = text.find(ours); !ours.empty() && place != text.npos)
            return text.replace(place, ours.size(), theirs);
    }
    return text;
}

CallbackForce<> Engine::callback_of(OpenMM::Force const& force) {
    if (auto const* python = dynamic_cast<OpenMM::PythonForce const*>(&force))
        return call_python(*python, [this] { return step_count(); });
    auto const found = callbacks_.find(&force);
    return found == callbacks_.end() ? CallbackForce<>{} : found->second;
}

void Engine::convert_system() {
    auto const& system = context_.getSystem();
    auto converted = convert_frame(system);
    auto const find_callback = [this](OpenMM::Force const& force) { return callback_of(force); };
    indices_.clear();
    for (int n = 0; n < system.getNumForces(); ++n) {
        auto const& force = system.getForce(n);
        indices_.push_back(acts_by_itself(force) ? -1 : converted.force_count());
        has_barostat_ = has_barostat_ || indices_.back() < 0;
        if (indices_.back() >= 0) add_force(converted, force, find_callback);
    }
    system_ = std::move(converted);
}

void Engine::make() {
    if (!system_) convert_system();
    auto integrator = convert_integrator(context_.getIntegrator());
    for (std::size_t place = 1; auto* const seed : seeds_in(integrator)) {
        if (place == seeds_.size()) seeds_.push_back(*seed);  // on first creation
        *seed = seeds_[place++];
    }
    choice_.seed = seeds_.front();
    any_.emplace(*system_, integrator, choice_);
    counted_ = any_->evaluations();
    record(any_->platform(), properties_);
    any_->set_state_change([this] {
        if (updates_context_state_) context_.updateContextState();
    });
    forget();
    current_integrator_ = -1;
    if (pending_.box) any_->set_box(*pending_.box);
    if (!pending_.positions.empty()) any_->set_positions(std::move(pending_.positions));
    if (!pending_.velocities.empty()) any_->set_velocities(std::move(pending_.velocities));
    any_->set_time(pending_.time);
    if (pending_.step_count != 0) step_offset_ = pending_.step_count;
    pending_ = {};
}

/// Recreates the Context with changed integrator parameters, keeping the state.
void Engine::make_anew() {
    settle();
    auto const state = any_->state(Positions | Velocities | Parameters | IntegratorParameters);
    make();
    any_->set_state(state);
}

template <class Change> void Engine::compare_parameters(Change const& change) {
    auto const& ours = any_->parameters();
    for (auto const& [name, value] : context_.getParameters())
        if (auto const own = ours.find(name); own != ours.end() && own->second != value)
            change(name, value, own->second);
}

AnyContext& Engine::any() {
    if (!any_) make();
    compare_parameters([this](std::string const& name, double theirs, double) {
        any_->set_parameter(name, theirs);
        forget();
    });
    return *any_;
}

int Engine::index_of(OpenMM::Force const& force) const {
    auto const& system = context_.getSystem();
    for (int n = 0; n < system.getNumForces(); ++n)
        if (&system.getForce(n) == &force && static_cast<std::size_t>(n) < indices_.size())
            return indices_[static_cast<std::size_t>(n)];
    throw InputError("the force " + force.getName() + " is none of this Context's");
}

int Engine::index_of(OpenMM::Integrator const& integrator) const {
    int index = 0;
    if (auto const* compound = dynamic_cast<OpenMM::CompoundIntegrator const*>(&context_.getIntegrator()))
        while (&compound->getIntegrator(index) != &integrator) ++index;
    return index;
}

void Engine::register_callback(OpenMM::CustomCPPForceImpl& force) {
    callbacks_.insert_or_assign(&force.getOwner(), call_cpp(force, context_));
}

void Engine::settle() {
    if (std::exchange(is_ahead_, false)) watched([](AnyContext& any) { any.check(); });
}

void Engine::evaluate(std::uint32_t groups, bool with_energy, bool is_trial) {
    auto const& context = any();
    if (evaluated_ && evaluated_->groups == groups && (evaluated_->has_energy || !with_energy)) return;
    Request const request{ForceGroups::mask(groups), with_energy, !context.parameter_derivatives().empty()};
    double const energy =
        run([&](AnyContext& any) { return is_trial ? any.evaluate_unchecked(request) : any.evaluate(request); });
    evaluated_ = {groups, with_energy, energy};
}
double Engine::energy(std::uint32_t groups) {
    if (answers_) {
        double sum = 0;
        for (std::size_t group = 0; group < answers_->size(); ++group)
            if (groups >> (group % 32) & 1u) sum += (*answers_)[group];
        return sum;
    }
    ask(groups);
    bool const is_trial = std::exchange(is_trial_, false);  // applies to this energy only, even if it fails
    evaluate(groups, true, is_trial);
    double const energy = evaluated_->energy;
    // Energies with non-finite forces are meaningless, so forces are checked; not with a barostat, whose requests
    // cannot be distinguished from a user's: copying forces from a device for each move takes as long as the steps
    // between.
    if (!has_barostat_) (void)forces();
    return energy;
}
std::vector<Vec3<>> const& Engine::forces() {
    evaluate(asked_groups_, false);
    auto const& forces = any_->forces();
    bool const are_finite = std::all_of(forces.begin(), forces.end(), [](Vec3<> const& f) { return is_finite(f); });
    return are_finite ? forces : reference_forces_ = forces_of_reference();
}
/// Computes forces that overflow a device's fixed point by Reference. Throws SimulationError that names the source if
/// they are not finite there either.
std::vector<Vec3<>> Engine::forces_of_reference() {
    return watched([this](AnyContext& any) {
        auto const groups = ForceGroups::mask(asked_groups_);
        if (auto const& backend = properties_.at("Backend"); backend != "cuda" && backend != "opencl")
            return any.state(Forces, groups).forces;
        AnyContext reference(*system_, VerletIntegrator{.step_size = 0.001}, {.platform = "reference"});
        reference.set_state(any.state(Positions | Parameters));
        return reference.state(Forces, groups).forces;
    });
}
std::map<std::string, double> const& Engine::parameter_derivatives() {
    evaluate(asked_groups_, false);
    return any_->parameter_derivatives();
}

double Engine::time() { return any_ ? any_->time() : pending_.time; }
void Engine::set_time(double time) { any_ ? any_->set_time(time) : void(pending_.time = time); }
std::int64_t Engine::step_count() { return any_ ? any_->step_count() + step_offset_ : pending_.step_count; }
void Engine::set_step_count(std::int64_t count) {
    any_ ? void(step_offset_ = count - any_->step_count()) : void(pending_.step_count = count);
}
Box Engine::box() const { return any_ ? any_->box() : pending_.box.value_or(Box{}); }
void Engine::set_box(Box const& box) {
    forget();
    any_ ? any_->set_box(box) : void(pending_.box = box);
}
std::vector<Vec3<>> const& Engine::positions() {
    if (!any_) return pending_.positions;
    settle();
    return any_->positions();
}
void Engine::set_positions(std::vector<Vec3<>> positions) {
    forget();
    answers_.reset();
    has_positions_ = true;
    any_ ? any_->set_positions(std::move(positions)) : void(pending_.positions = std::move(positions));
}
std::vector<Vec3<>> const& Engine::velocities() {
    if (!any_) return pending_.velocities;
    settle();
    return any_->velocities();
}
void Engine::set_velocities(std::vector<Vec3<>> velocities) {
    if (any_) return any_->set_velocities(std::move(velocities));
    pending_.velocities = std::move(velocities);
    if (!is_inner_) make();
}

AnyContext& Engine::any_with(int integrator) {
    auto& context = any();
    if (current_integrator_ != integrator) context.set_current_integrator(current_integrator_ = integrator);
    return context;
}

void Engine::take_numbers(int integrator, IntegratorNumbers const& numbers) {
    any_with(integrator);
    auto const place = numbers_.try_emplace(integrator, numbers).first;
    if (place->second == numbers) return;
    auto const last = std::exchange(place->second, numbers);
    if (last.others != numbers.others) {
        make_anew();
        any_with(integrator);
        return;
    }
    if (last.step_size != numbers.step_size) any_->set_step_size(numbers.step_size);
    if (last.temperature != numbers.temperature) any_->set_temperature(numbers.temperature);
    if (last.friction != numbers.friction) any_->set_friction(numbers.friction);
}

void Engine::step(int integrator, IntegratorNumbers const& numbers, bool updates_context_state) {
    take_numbers(integrator, numbers);
    updates_context_state_ = updates_context_state;
    watched([](AnyContext& any) { any.step_ahead(1); });
    is_ahead_ = true;
    forget();
    if (updates_context_state)  // the integrator may have assigned parameters
        compare_parameters([this](std::string const& name, double, double own) { context_.setParameter(name, own); });
}
double Engine::step_towards(double end_time, int integrator, IntegratorNumbers const& numbers) {
    take_numbers(integrator, numbers);
    watched([&](AnyContext& any) { any.step_towards(end_time); });
    is_ahead_ = true;
    forget();
    return numbers_.at(integrator).step_size = any_->step_size();
}

double Engine::kinetic_energy(int integrator, bool by_formula) {
    auto& context = any_with(integrator);
    settle();
    auto const groups = ForceGroups::mask(evaluated_ ? evaluated_->groups : 0);
    bool const are_forces_known = evaluated_ && groups == context.integration_groups() && !by_formula;
    return watched([&](AnyContext& any) { return any.kinetic_energy(are_forces_known); });
}

void Engine::update(OpenMM::Force const& force) {
    int const index = index_of(force);
    any();
    StandardSystem changed;
    changed.particles = system_->particles;
    add_force(changed, force, [this](OpenMM::Force const& other) { return callback_of(other); });
    changed.visit_force(0, [&]<class F>(F const& own) {
        any_->update(index, own);
        system_->force<F>(index) = own;
    });
    follower_(index);
    forget();
}

}  // namespace trotter::openmm
