// Implements an OpenMM Context by one Trotter Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <openmm/internal/ContextImpl.h>
#include <trotter/any_context.hpp>
#include <trotter/error.hpp>

#include "convert.hpp"
#include "properties.hpp"

namespace trotter::openmm {

/// Parameters of an OpenMM integrator, which may change between steps.
struct IntegratorNumbers {
    double step_size = 0, temperature = 0, friction = 0;
    /// Parameters whose change requires a new Trotter Context.
    std::vector<double> others{};
    friend bool operator==(IntegratorNumbers const&, IntegratorNumbers const&) = default;
};

/// Data of an OpenMM Context, used by all kernels. Creates the Trotter Context at the last call of OpenMM's creation,
/// or on first use of an inner Context of a container, and evaluates lazily.
class Engine {
public:
    /// Number of force evaluations of all Engines, and of existing Engines.
    static inline std::atomic<long long> evaluations = 0, contexts = 0;

    /// `is_inner`: for a Context inside a container.
    Engine(OpenMM::ContextImpl& context, Properties properties, bool is_inner);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    static Engine& of(OpenMM::ContextImpl& context) { return *static_cast<Engine*>(context.getPlatformData()); }

    Properties const& properties() const { return properties_; }
    BackendChoice const& choice() const { return choice_; }
    bool is_made() const { return any_.has_value(); }
    /// The Context, updated with changes made in OpenMM; for reading, and for changes that do not affect forces.
    AnyContext& any();
    /// Calls `work(any())` after pending steps, for all other changes: invalidates results.
    template <class Work> auto run(Work const& work) {
        any();
        settle();
        forget();
        return watched(work);
    }
    /// Trotter index of a force of the System.
    int index_of(OpenMM::Force const& force) const;
    /// Index of an integrator in the Context's CompoundIntegrator; 0 without.
    int index_of(OpenMM::Integrator const& integrator) const;
    /// Registers the callback of a force for the creation of the Context.
    void register_callback(OpenMM::CustomCPPForceImpl& force);
    void update(OpenMM::Force const& force);
    /// `update(index)` will be called after each update of a force.
    void set_follower(std::function<void(int)> update) { follower_ = std::move(update); }
    /// As at creation, with updated forces.
    StandardSystem const& system() const { return *system_; }

    // Evaluation.
    /// Selects the force groups of the next results; computes nothing.
    void ask(std::uint32_t groups) { asked_groups_ = groups; }
    double energy(std::uint32_t groups);
    std::vector<Vec3<>> const& forces();
    std::map<std::string, double> const& parameter_derivatives();
    /// Results of a force other than its energy.
    template <class F> typename F::Answer answer_of(OpenMM::Force const& force) {
        return run([&](AnyContext& any) { return any.ask<F>(index_of(force)); });
    }
    /// The next energy is of a trial move, which may be rejected: it need not be finite.
    void begin_trial() { is_trial_ = true; }
    /// Sets the energy of each group, computed by a container for its inner Context.
    void set_answers(std::vector<double> by_group) { answers_ = std::move(by_group); }
    bool wants_energy = true;  ///< false only in an evaluation without energy, between OpenMM's begin and finish
    double left_out = 0;       ///< part of the energy that OpenMM adds itself

    // State.
    double time();
    void set_time(double time);
    std::int64_t step_count();
    void set_step_count(std::int64_t count);
    Box box() const;
    void set_box(Box const& box);
    std::vector<Vec3<>> const& positions();
    void set_positions(std::vector<Vec3<>> positions);
    std::vector<Vec3<>> const& velocities();
    /// The first call is the last of OpenMM's Context creation, and creates Trotter's (not for inner Contexts).
    void set_velocities(std::vector<Vec3<>> velocities);
    void save(std::ostream& stream);
    void load(std::istream& stream);

    // Steps.
    /// Steps by integrator number `integrator`, which decides when forces that change the state act if
    /// `updates_context_state`.
    void step(int integrator, IntegratorNumbers const& numbers, bool updates_context_state = false);
    /// Takes a step that ends at `end_time` at the latest; returns its size.
    double step_towards(double end_time, int integrator, IntegratorNumbers const& numbers);
    /// Kinetic energy by integrator number `integrator`; `by_formula`: by a user's formula, which may need energies.
    double kinetic_energy(int integrator, bool by_formula = false);
    /// The Context, with integrator number `integrator` current.
    AnyContext& any_with(int integrator);

private:
    struct Evaluated {
        std::uint32_t groups;
        bool has_energy;
        double energy;
    };

    CallbackForce<> callback_of(OpenMM::Force const& force);
    void convert_system();
    void make();
    void make_anew();
    /// Calls `change(name, OpenMM's value, ours)` for each Context parameter whose values differ.
    template <class Change> void compare_parameters(Change const& change);
    void take_numbers(int integrator, IntegratorNumbers const& numbers);
    /// Invalidates results.
    void forget() { evaluated_.reset(); }
    /// Calls `work(*any_)` and counts its evaluations; these, and failures, invalidate results.
    template <class Work> auto watched(Work const& work) {
        struct Counting {
            Engine& engine;
            ~Counting() { engine.count_evaluations(); }
        } const counting{*this};
        try {
            return work(*any_);
        } catch (SimulationError const& error) {
            forget();
            throw SimulationError(in_words_of_openmm(error.what()));
        } catch (...) {
            forget();
            throw;
        }
    }
    void count_evaluations() noexcept;
    /// Replaces index and name of a force in a message by those in OpenMM.
    std::string in_words_of_openmm(std::string text) const;
    /// Waits for steps taken ahead, and throws their errors.
    void settle();
    void evaluate(std::uint32_t groups, bool with_energy, bool is_trial = false);
    std::vector<Vec3<>> forces_of_reference();

    OpenMM::ContextImpl& context_;
    Properties properties_;
    BackendChoice choice_;
    bool is_inner_, is_trial_ = false, is_ahead_ = false, updates_context_state_ = false;
    bool has_positions_ = false, has_barostat_ = false;
    /// Seed of the Context, and once created, of its integrators; checkpoints restore them.
    std::vector<std::uint64_t> seeds_;
    std::optional<StandardSystem> system_;  ///< as at creation; later changes in OpenMM have no effect
    std::optional<AnyContext> any_;
    State pending_;  ///< until the Context is made
    /// OpenMM's step count minus ours, which never decreases, because random numbers depend on it: samplers that switch
    /// replicas in one Context reset OpenMM's count for each.
    std::int64_t step_offset_ = 0;
    std::vector<int> indices_;  ///< Trotter index by OpenMM index; -1 for forces applied by OpenMM
    std::map<OpenMM::Force const*, CallbackForce<>> callbacks_;
    std::function<void(int)> follower_ = [](int) {};
    int current_integrator_ = -1;  ///< -1: unknown, as after creation
    std::map<int, IntegratorNumbers> numbers_;  ///< last parameters of each integrator
    std::uint32_t asked_groups_ = 0xFFFFFFFFu;
    std::optional<Evaluated> evaluated_;
    std::optional<std::vector<double>> answers_;
    std::vector<Vec3<>> reference_forces_;  ///< of the last evaluation that overflowed on a device
    std::uint64_t counted_ = 0;  ///< evaluations of this Context already counted
};

/// OpenMM's kernel class `K` with the Engine of its Context.
template <class K> struct EngineKernel : K {
    EngineKernel(std::string name, OpenMM::Platform const& platform, OpenMM::ContextImpl& context)
        : K(std::move(name), platform), engine_(Engine::of(context)) {}

protected:
    Engine& engine_;
};

}  // namespace trotter::openmm
