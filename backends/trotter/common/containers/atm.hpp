// ATMForce: an energy as a formula of the energies of the same forces in two states.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/common/containers/context_formula.hpp>
#include <trotter/common/containers/inner_kernels.hpp>
#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/core/finite.hpp>
#include <trotter/forces/atm.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// F = ∂E/∂u0 F0 + ∂E/∂u1 F1; particles that define a displacement also get the force on the displaced particle. Each
/// state has its own kernels, so that neighbor lists are not rebuilt on switching.
template <class Inner, HostBackend B, Precision P> class Kernel<BasicATMForce<Inner>, B, P> {
    using F = BasicATMForce<Inner>;

public:
    Kernel(F const& force, Engine<B, P>& engine, Registration who)
        : index_(who.index),
          force_(checked(force, engine.host)),
          formula_(formula_of(force)),
          states_{State{{*force.forces, engine, ForceUse::added}},
                  State{{*force.forces, engine, ForceUse::added}}} {
        formula_.declare(engine.host);
        expect_host_task(engine);
    }

    double compute(Engine<B, P>& engine, Request const& request) {
        if (request.wants(index_, force_.force_group))
            add_host_task(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                evaluate(host, positions, forces, request.parameter_derivatives);
            });
        return 0;
    }
    double late_energy(Engine<B, P>&, Request const& request) const {
        return request.wants(index_, force_.force_group) ? found_.energy : 0;
    }

    typename F::PerturbationEnergies answer() const { return found_; }

    /// Updates the formula, displacements, and parameters of the inner forces. Throws InputError if global parameters
    /// differ.
    void update(F const& force, Engine<B, P>& engine) {
        auto formula = formula_of(checked(force, engine.host));
        formula.check_same_parameters(formula_);
        for (auto& state : states_) state.inner.update(*force_.forces, *force.forces);
        formula_ = std::move(formula);
        force_ = force;
    }
    template <class Archive> void save(Archive& archive) {
        for (auto& state : states_) state.inner.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        for (auto& state : states_) state.inner.load(archive);
    }

private:
    struct State {
        InnerKernels<Inner, B, P> inner;
        std::vector<Vec3<>> positions{};
        double energy = 0;
        bool clashes = false;
    };
    struct Ends {
        int destination, origin;
    };

    static Ends ends(ParticleOffsetDisplacement const& offset, std::size_t state) {
        return state == 0 ? Ends{offset.destination0, offset.origin0} : Ends{offset.destination1, offset.origin1};
    }
    static ContextFormula formula_of(F const& force) { return {force, {"u0", "u1"}, "energy of a state"}; }
    static F const& checked(F const& force, HostState const& host) {
        int const count = host.particles.count();
        if (static_cast<int>(force.particles.size()) != count)
            throw InputError("there are displacements of " + std::to_string(force.particles.size())
                             + " particles, expected " + std::to_string(count) + " as particles in the System");
        for (std::size_t i = 0; i < force.particles.size(); ++i)
            if (auto const* const fixed = std::get_if<FixedDisplacement>(&force.particles[i])) {
                for (auto const& d : {fixed->in_state1, fixed->in_state0})
                    if (!std::isfinite(d.x + d.y + d.z))
                        throw InputError("the displacement of particle " + std::to_string(i)
                                         + " is not of finite numbers");
            } else
                for (std::size_t const state : {0u, 1u})
                    check_ends(ends(std::get<ParticleOffsetDisplacement>(force.particles[i]), state), i, count);
        return force;
    }
    static void check_ends(Ends const& ends, std::size_t particle, int count) {
        Numbered const where{"the displacement of particle", particle};
        if (ends.destination == -1 && ends.origin == -1) return;
        for (int const end : {ends.destination, ends.origin}) check_particle(end, count, where);
    }

    void evaluate(HostState& host, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces,
                  bool wants_derivatives) {
        for (std::size_t s = 0; s < 2; ++s) {
            auto& state = states_[s];
            state.positions = positions;
            for (std::size_t i = 0; i < positions.size(); ++i) state.positions[i] += displacement(i, s, positions);
            state.inner.place(host, state.positions);
            state.energy = state.inner.compute(wants_derivatives);
            state.clashes = clashes(state, host.threads);
            if (state.clashes) state.energy = std::copysign(out_of_reach, state.energy);
        }
        bool const is_unknown = depends_on_clash(host.parameters);
        found_ = {states_[0].energy, states_[1].energy, 0};
        found_.energy = formula_({found_.u0, found_.u1}, host.parameters);
        if (is_unknown) found_.energy = std::copysign(std::numeric_limits<double>::infinity(), found_.energy);
        if (wants_derivatives) formula_.add_derivatives(host.parameter_derivatives);
        for (std::size_t s = 0; s < 2; ++s) {
            double const slope = formula_.slope(s);
            if (slope == 0 || has_saturated(states_[s], slope)) continue;  // even if the forces are infinite
            if (host.box_virial) *host.box_virial += *states_[s].inner.box_virial() * slope;
            for (std::size_t i = 0; i < forces.size(); ++i)
                add_force(i, s, states_[s].inner.forces()[i] * slope, forces);
            if (wants_derivatives)
                for (auto const& [name, value] : states_[s].inner.derivatives())
                    host.parameter_derivatives[name] += slope * value;
        }
    }
    static constexpr double large = 1e15;  // anything divided by this is negligible
    // Energy of a state with clashing particles: saturates any soft core, but formulas may square it or multiply it by
    // 0.
    static constexpr double out_of_reach = 1e100;
    // Whether particles coincide, or are so close that the pair energies overflow.
    static bool clashes(State const& state, Threads& threads) {
        double const magnitude = std::abs(state.energy);
        return magnitude >= out_of_reach || (magnitude > large && first_not_finite(state.inner.forces(), threads) >= 0);
    }
    // Whether the energy depends on the value used for a clash: it is then undefined.
    bool depends_on_clash(GlobalParameters const& parameters) {
        if (!states_[0].clashes && !states_[1].clashes) return false;
        auto const with = [&](double energy_of_clash) {
            auto const energy = [&](State const& state) {
                return state.clashes ? std::copysign(energy_of_clash, state.energy) : state.energy;
            };
            return formula_({energy(states_[0]), energy(states_[1])}, parameters);
        };
        double const larger = with(out_of_reach), smaller = with(std::numeric_limits<float>::max());
        return !(std::abs(larger - smaller) <= 1e-4 * std::max(std::abs(smaller), 1.0));
    }
    // Whether a soft core has saturated: the forces of other particles are then negligible, and those of coinciding
    // particles have no direction.
    static bool has_saturated(State const& state, double slope) { return state.clashes && std::abs(slope) * large < 1; }
    Vec3<> displacement(std::size_t particle, std::size_t state, std::vector<Vec3<>> const& positions) const {
        if (auto const* const fixed = std::get_if<FixedDisplacement>(&force_.particles[particle]))
            return state == 0 ? fixed->in_state0 : fixed->in_state1;
        auto const [destination, origin] =
            ends(std::get<ParticleOffsetDisplacement>(force_.particles[particle]), state);
        if (destination < 0) return {};
        return positions[static_cast<std::size_t>(destination)] - positions[static_cast<std::size_t>(origin)];
    }
    void add_force(std::size_t particle, std::size_t state, Vec3<> const& force, std::vector<Vec3<>>& forces) const {
        forces[particle] += force;
        auto const* const offset = std::get_if<ParticleOffsetDisplacement>(&force_.particles[particle]);
        if (!offset) return;
        auto const [destination, origin] = ends(*offset, state);
        if (destination < 0) return;
        forces[static_cast<std::size_t>(destination)] += force;
        forces[static_cast<std::size_t>(origin)] -= force;
    }

    int index_;
    F force_;
    ContextFormula formula_;
    std::array<State, 2> states_;
    typename F::PerturbationEnergies found_;
};

}  // namespace trotter
