// Your own backend in one header: a tag, its Engine, and a kernel for a force that is not a sum of terms.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <trotter/common.hpp>
#include <trotter/kernel.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace miniature {

/// Single-threaded, with forces in the number type of the precision. Its state is in host memory, so it uses the
/// existing integrators, constraints, thermostats, barostats and minimizer.
struct Naive {
    static constexpr std::string_view name = "Naive";
    static constexpr bool keeps_state_on_host = true;
};

/// The Engine's representation of a force that is a sum of terms.
template <trotter::HasTerms F> struct Terms {
    F force;
    int index;
    trotter::FormulaOf<F> formula;
};

}  // namespace miniature

namespace trotter {

/// Data shared by the forces of a Context. A force whose parts `register_part` accepts needs no kernel.
template <Precision P> class Engine<miniature::Naive, P> {
public:
    Engine(miniature::Naive const&, Particles const& particles, Box const& box, std::uint64_t seed)
        : host(particles, box, 1, seed) {}

    HostState host;

    /// Called before and after the forces of every evaluation.
    void begin(Request const&) {
        ++host.evaluations;
        host.forces.assign(host.size(), {});
    }
    void finish(Request const&) { host.virtual_sites.distribute_forces(host.positions, host.forces, host.box); }

    template <HasTerms F> miniature::Terms<F> register_part(F const& force, Registration who) {
        check_terms(force, host.particles.count());
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        return {force, who.index, formula_of(force)};
    }
    /// Adds the forces of all terms, returns their energy. A TermEvaluator evaluates the formula and its derivatives.
    template <HasTerms F> double compute_part(miniature::Terms<F> const& terms, Request const& request) {
        using Real = typename P::Real;
        auto const& [force, index, formula] = terms;
        if (!request.wants(index, force.force_group)) return 0;
        double total = 0;
        TermEvaluator<F, Real> evaluate(formula);
        for (auto const& term : force.*F::terms) {
            auto const particles = particles_of<F>(term);
            auto const difference = [&, &periodic = force.periodic](int i, int j) {
                auto const position = [&](int n) {
                    return host.positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(n)])];
                };
                Vec3<> d = position(i) - position(j);
                if (periodic) d = host.box.minimum_image(d);
                return Vec3<Real>{static_cast<Real>(d.x), static_cast<Real>(d.y), static_cast<Real>(d.z)};
            };
            auto const value = evaluate(difference, in<Real>(fields_of<F>(term)),
                                        in<Real>(parameter_values<F>(formula, host.parameters)));
            for (std::size_t p = 0; p < particles.size(); ++p) {
                auto const& [x, y, z] = value.gradient[p];
                host.forces[static_cast<std::size_t>(particles[p])] -= Vec3<>{x, y, z};
            }
            total += value.energy;
        }
        return total;
    }

    template <class Archive> void save(Archive& archive) const { host.save(archive); }
    template <class Archive> void load(Archive& archive) { host.load(archive); }

private:
    template <class Real, std::size_t n> static std::array<Real, n> in(std::array<double, n> const& numbers) {
        std::array<Real, n> result;
        for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<Real>(numbers[i]);
        return result;
    }
};

/// A force that is not a sum of terms needs a kernel; this one computes Lennard-Jones, and throws for other settings.
template <Precision P> class Kernel<NonbondedForce, miniature::Naive, P> {
public:
    Kernel(NonbondedForce const& force, Engine<miniature::Naive, P>& engine, Registration who)
        : force_(force), index_(who.index) {
        check(force, engine.host.particles.count(), engine.host.box);
        auto const is_charged = [](NonbondedForce::Particle const& particle) { return particle.charge != 0; };
        bool const has_charges = std::any_of(force.particles.begin(), force.particles.end(), is_charged);
        if (force.uses_cutoff() || has_charges || !force.exceptions.empty() || !force.particle_offsets.empty())
            throw UnsupportedError("NonbondedForce on Naive has neither charges, cutoffs, exceptions nor offsets");
        for (auto const& particle : force.particles) sites_.emplace_back(particle);
    }

    double compute(Engine<miniature::Naive, P>& engine, Request const& request) const {
        using Real = typename P::Real;
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        double total = 0;
        for (std::size_t i = 0; i < sites_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                Vec3<> const d = host.positions[i] - host.positions[j];
                double const r2 = dot(d, d), sigma = sites_[i].half_sigma + sites_[j].half_sigma;
                auto const s6 = static_cast<Real>(std::pow(sigma * sigma / r2, 3));
                auto const pair = lennard_jones(s6, static_cast<Real>(sites_[i].root * sites_[j].root));
                host.forces[i] += d * (pair.virial / r2);
                host.forces[j] -= d * (pair.virial / r2);
                total += pair.energy;
            }
        return total;
    }

private:
    NonbondedForce force_;
    int index_;
    std::vector<LennardJonesSite> sites_;
};

}  // namespace trotter
