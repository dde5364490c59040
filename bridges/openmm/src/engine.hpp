// What stands behind a Context of OpenMM: one Context of Trotter.
// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
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

/// The numbers of an integrator of OpenMM, which may change between steps.
struct IntegratorNumbers {
    double step_size = 0, temperature = 0, friction = 0;
    /// Those whose change takes a new Context here.
    std::vector<double> others{};
    friend bool operator==(IntegratorNumbers const&, IntegratorNumbers const&) = default;
};

/// Kernels ask it for everything: they hold an index at most. It makes the Context at the last call of OpenMM's creation,
/// or when an inner one of a container is first asked, and notes evaluations until somebody wants their results.
class Engine {
public:
    /// Of all that there have been: evaluations of forces. And how many there are.
    static inline std::atomic<long long> evaluations = 0, contexts = 0;

    /// Of a Context that was asked for, or of one inside a container.
    Engine(OpenMM::ContextImpl& context, Properties properties, bool is_inner);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    static Engine& of(OpenMM::ContextImpl& context) { return *static_cast<Engine*>(context.getPlatformData()); }
    static Engine& of(OpenMM::ContextImpl const& context) { return of(const_cast<OpenMM::ContextImpl&>(context)); }

    Properties& properties() { return properties_; }
    bool is_made() const { return any_.has_value(); }
    /// With everything that OpenMM's side has changed taken over; to look at, and for what forces do not depend on.
    AnyContext& any();
    /// `work(any())` after steps that ended well, for anything else: what was computed before it is no longer so.
    template <class Work> auto run(Work const& work) {
        any();
        settle();
        forget();
        return watched(work);
    }
    /// The index here of a force of the System.
    int index_of(OpenMM::Force const& force) const;
    /// Lets the function that computes a force be found when the Context is made.
    void register_callback(OpenMM::CustomCPPForceImpl& force);
    void update(OpenMM::Force const& force);

    // Evaluation.
    /// Lets the next results be those of these groups; computes nothing.
    void ask(std::uint32_t groups) { asked_groups_ = groups; }
    double energy(std::uint32_t groups);
    std::vector<Vec3<>> const& forces();
    std::map<std::string, double> const& parameter_derivatives();
    /// What a force knows besides its energy.
    template <class F> typename F::Answer answer_of(OpenMM::Force const& force) {
        return run([&](AnyContext& any) { return any.ask<F>(index_of(force)); });
    }
    /// The next energy is that of a trial, which may be refused: it need not be finite.
    void begin_trial() { is_trial_ = true; }
    /// Answers that a container gives instead of its inner Context: the energy of each group.
    void set_answers(std::vector<double> by_group) { answers_ = std::move(by_group); }
    bool wants_energy = true;  ///< other than an evaluation between OpenMM's begin and finish may
    double left_out = 0;       ///< energy in that which OpenMM adds itself

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
    /// The first call is the last of OpenMM's creation of a Context, and makes one that was asked for.
    void set_velocities(std::vector<Vec3<>> velocities);
    void save(std::ostream& stream);
    void load(std::istream& stream);

    // Steps.
    /// Of the `integrator`-th of several; one that `says_when` lets the forces act that change the state.
    void step(int integrator, IntegratorNumbers const& numbers, bool says_when = false);
    /// One that ends at `end_time` where it would reach beyond; returns its size.
    double step_towards(double end_time, int integrator, IntegratorNumbers const& numbers);
    /// Of the `integrator`-th; by a formula of the user's, which may ask for energies.
    double kinetic_energy(int integrator, bool by_formula = false);
    /// That of the `integrator`-th from now on.
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
    void take_parameters();
    void give_parameters();
    void take_numbers(int integrator, IntegratorNumbers const& numbers);
    /// What was computed is no longer so.
    void forget() { evaluated_.reset(); }
    /// `work(*any_)`; evaluations in it are counted, and make those before it a thing of the past, as failures do.
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
    /// With the index and the name that a user of OpenMM knows of the force in it.
    std::string in_words_of_openmm(std::string text) const;
    /// Waits for steps that were taken ahead, and throws what failed in them.
    void settle();
    void evaluate(std::uint32_t groups, bool with_energy, bool is_trial = false);
    std::vector<Vec3<>> forces_of_reference();

    OpenMM::ContextImpl& context_;
    Properties properties_;
    bool is_inner_, is_trial_ = false, is_ahead_ = false, says_when_ = false;
    bool has_positions_ = false, has_barostat_ = false;
    /// That of the Context, and once it is made, those of its integrators: a checkpoint brings those it was made with.
    std::vector<std::uint64_t> seeds_;
    std::optional<StandardSystem> system_;  ///< as it was at creation: OpenMM's may have changed since, to no effect
    std::optional<AnyContext> any_;
    State pending_;  ///< until the Context is made
    /// OpenMM's count of steps less ours, which never goes back: random numbers go by it, and a sampler that lets replicas
    /// take turns in one Context sets OpenMM's back to the same number for each.
    std::int64_t step_offset_ = 0;
    std::vector<int> indices_;  ///< here, by OpenMM's; -1 for forces that act by themselves
    std::map<OpenMM::Force const*, CallbackForce<>> callbacks_;
    int current_integrator_ = -1;  ///< -1: whichever the Context has, as when it has just been made
    std::map<int, IntegratorNumbers> numbers_;  ///< of each integrator, as they were last
    std::uint32_t asked_groups_ = 0xFFFFFFFFu;
    std::optional<Evaluated> evaluated_;
    std::optional<std::vector<double>> answers_;
    std::vector<Vec3<>> reference_forces_;  ///< of the last evaluation that a device had no room for
    std::uint64_t counted_ = 0;  ///< of this Context's evaluations
};

}  // namespace trotter::openmm
