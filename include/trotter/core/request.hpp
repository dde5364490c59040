// What an evaluation of the forces computes, and how integrators and barostats call it.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <type_traits>

#include <trotter/base/force_groups.hpp>

namespace trotter {

/// Forces are always computed, for the groups that are wanted; their bits do not depend on the other members.
struct Request {
    ForceGroups groups{};  ///< those that act
    bool energy = true;  ///< whether the energy is computed, too
    bool parameter_derivatives = false;  ///< whether derivatives by Context parameters are computed, too
    int only_force = -1;  ///< the index of a force: that one alone, whatever its group

    /// Whether the force with this index and group acts.
    bool wants(int force, int group) const { return only_force >= 0 ? force == only_force : groups.contains(group); }
};

/// Evaluates the forces of a Context into its engine and returns their energy: how integrators, barostats and
/// the minimizer see the forces. Refers to a callable that must outlive it.
class ForceEvaluator {
public:
    /// Keeps a reference.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, ForceEvaluator>)
    ForceEvaluator(F& evaluate)
        : object_(&evaluate), call_([](void* f, Request const& r) -> double { return (*static_cast<F*>(f))(r); }) {}

    /// Potential energy [kJ/mol]; the forces are in the engine.
    double operator()(Request const& request) const { return call_(object_, request); }

private:
    void* object_;
    double (*call_)(void*, Request const&);
};

/// Lets the forces act that change the state between steps (thermostats, barostats), for integrators that say when.
/// Refers to a callable that must outlive it.
class StateChange {
public:
    /// Keeps a reference.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, StateChange>)
    StateChange(F& change) : object_(&change), call_([](void* f) { (*static_cast<F*>(f))(); }) {}

    /// Runs thermostats and barostats.
    void operator()() const { call_(object_); }

private:
    void* object_;
    void (*call_)(void*);
};

/// Never asks to stop; a `std::stop_token` may.
struct NeverStop {
    /// Always false.
    constexpr bool stop_requested() const { return false; }
};

}  // namespace trotter
