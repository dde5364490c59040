// Requests for force evaluations, and the callbacks by which integrators and barostats make them.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <type_traits>

#include <trotter/base/force_groups.hpp>

namespace trotter {

/// Forces of the chosen groups are always computed; their bits do not depend on the other members.
struct Request {
    ForceGroups groups{};  ///< to evaluate
    bool energy = true;  ///< whether to compute the energy, too
    bool parameter_derivatives = false;  ///< whether to compute derivatives by Context parameters, too
    int only_force = -1;  ///< index of a force to evaluate alone, whatever its group

    /// Whether to evaluate the force with this index and group.
    bool wants(int force, int group) const { return only_force >= 0 ? force == only_force : groups.contains(group); }
};

/// Evaluates the forces of a Context into its engine and returns their energy: a callback for integrators, barostats
/// and the minimizer. Refers to a callable that must outlive it.
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

/// Applies the forces that change the state between steps (thermostats, barostats), for integrators that choose when.
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

/// A stop condition that never holds, in place of a `std::stop_token`.
struct NeverStop {
    /// Always false.
    constexpr bool stop_requested() const { return false; }
};

}  // namespace trotter
