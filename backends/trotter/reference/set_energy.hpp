// Energy of forces that apply a formula to sets of particles which they find themselves.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/common/forces/function_images.hpp>
#include <trotter/common/forces/same_parameters.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/parts/terms/tuple_geometry.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>

namespace trotter::reference {

/// Evaluates the formula of `F` for one set at a time, like a bond of a CustomCompoundBondForce. Has scratch space: not
/// thread-safe.
template <Force F> class SetEnergy {
public:
    /// Throws InputError for an invalid force.
    SetEnergy(F const& force, HostState& host, Registration who)
        : index_(who.index), system_box_(host.box), force_(checked(force, host)), formula_(force.set_formula()) {
        for (auto const& [name, value] : force.global_parameters) host.parameters.declare(name, value);
    }
    // `evaluate_` refers to `formula_`.
    SetEnergy(SetEnergy const&) = delete;
    SetEnergy& operator=(SetEnergy const&) = delete;

    /// Updates everything except global parameters.
    void update(F const& force, HostState const& host) {
        check_same_parameters(force_.global_parameters, checked(force, host).global_parameters);
        formula_ = force.set_formula();
        evaluate_ = Evaluate(formula_);
        force_ = force;
    }

    F const& force() const { return force_; }

    /// Starts an evaluation; returns whether it is requested.
    bool begin(HostState const& host, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return false;
        globals_ = parameter_values<CustomCompoundBondForce>(formula_, host.parameters);
        images_.reset();
        if (host.box_virial) images_.emplace(formula_, globals_);
        return true;
    }
    /// Returns the energy of a set; subtracts its gradient from the forces.
    double add(HostState& host, std::vector<int> const& particles, std::vector<double> const& fields) {
        TupleGeometry<std::vector<int>> const geometry{particles, host.positions, host.box, force_.is_periodic()};
        auto const& value = evaluate_(geometry, fields, globals_);
        if (images_) *host.box_virial += (*images_)(geometry, fields);
        for (std::size_t p = 0; p < particles.size(); ++p)
            host.forces[static_cast<std::size_t>(particles[p])] -= value.gradient[p];
        return value.energy;
    }

private:
    using Evaluate = TermEvaluator<CustomCompoundBondForce, double>;

    F const& checked(F const& force, HostState const& host) const {
        check(force, host.particles.count(), system_box_);
        return force;
    }

    int index_;
    Box system_box_;
    F force_;
    RuntimeFormula formula_;
    Evaluate evaluate_{formula_};
    std::vector<double> globals_;
    std::optional<FunctionImages<CustomCompoundBondForce>> images_;  // if the virial is requested
};

}  // namespace trotter::reference
