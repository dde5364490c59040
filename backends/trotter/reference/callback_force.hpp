// CallbackForce: forces computed by a user's function.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <trotter/core/structure_check.hpp>
#include <trotter/error.hpp>
#include <trotter/forces/callback_force.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>

namespace trotter {

template <class Function> class Kernel<CallbackForce<Function>, Reference, Double> {
public:
    Kernel(CallbackForce<Function> const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), force_(force) {
        check(force, engine.host);
        for (auto const& [name, value] : force.global_parameters)
            for (auto* known : {&engine.host.parameters, &parameters_}) known->declare(name, value);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        if (host.box_virial && force_.periodic)
            throw UnsupportedError(force_named(index_, force_.name)
                                   + ": its function does not say how the energy depends on the box, so that there is "
                                     "no virial of it; leave its group out");
        for (auto const& parameter : force_.global_parameters)
            parameters_.set(parameter.name, host.parameters.value(parameter.name));
        if (force_.particles.empty()) return call(host, host.positions, host.forces);
        positions_.clear();
        for (int const particle : force_.particles)
            positions_.push_back(host.positions[static_cast<std::size_t>(particle)]);
        return call(host, positions_, host.forces);
    }

    /// Updates function and particles. Throws InputError if global parameters differ.
    void update(CallbackForce<Function> const& force, Engine<Reference, Double>& engine) {
        check(force, engine.host);
        for (auto const& parameter : force.global_parameters)
            if (!parameters_.has(parameter.name))
                throw InputError("the global parameter '" + parameter.name
                                 + "' is new; only what the function computes can be updated");
        force_ = force;
    }

private:
    static void check(CallbackForce<Function> const& force, HostState const& host) {
        check_distinct_particles(force.particles, host.particles.count());
        if constexpr (std::is_constructible_v<bool, Function const&>)  // std::function or pointer
            if (!static_cast<bool>(force.function))
                throw InputError("there is no function to call: `function` is empty");
    }
    double call(HostState const& host, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& sum) {
        forces_.assign(positions.size(), {});
        double const energy =
            force_.function(Configuration{positions, host.box, parameters_, host.time}, std::span(forces_));
        for (std::size_t n = 0; n < forces_.size(); ++n)
            sum[force_.particles.empty() ? n : static_cast<std::size_t>(force_.particles[n])] += forces_[n];
        return energy;
    }

    int index_;
    CallbackForce<Function> force_;
    GlobalParameters parameters_;  // those of the force
    std::vector<Vec3<>> positions_, forces_;
};

template <class Function> inline constexpr bool uses_reference_fallback<CallbackForce<Function>> = true;

}  // namespace trotter
