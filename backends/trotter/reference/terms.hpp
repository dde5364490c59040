// Bonded forces (sums of terms) on Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trotter/common/forces/function_images.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/parts/terms/tuple_geometry.hpp>
#include <trotter/reference/two_groups.hpp>
#include <trotter/registration.hpp>

namespace trotter::reference {

/// A TupleGeometry that adds the contribution of minimum images to the virial, if requested.
template <class Particles> struct StrainedGeometry {
    TupleGeometry<Particles> tuple;
    std::optional<Tensor>& box_virial;
    bool is_periodic = tuple.is_periodic;

    Vec3<> const& position(int n) const { return tuple.position(n); }
    Vec3<> nearest_image(Vec3<> const& d) const { return tuple.nearest_image(d); }
    Vec3<> operator()(int i, int j) const { return tuple(i, j); }
    template <std::size_t N>
    void add_images(std::array<int, N> const& points, std::array<Vec3<>, N> const& gradient, double slope) const {
        if (!box_virial || !is_periodic) return;
        auto const image = [&](int p, int q) {
            int const i = points[static_cast<std::size_t>(p)], j = points[static_cast<std::size_t>(q)];
            return tuple(i, j) - (position(i) - position(j));
        };
        *box_virial += image_slopes(gradient, image) * -slope;
    }
};

/// The terms of one force, evaluated serially.
template <HasTerms F> class Terms {
public:
    Terms(F const& force, HostState& host, Registration who)
        : force_(force), index_(who.index), formula_(checked_formula(force, host.particles.count())) {
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        wanted_ = wanted_derivatives(force, formula_);
    }

    void update(F const& force, HostState const& host) {
        check_same_terms(force_, force);
        formula_ = checked_formula(force, host.particles.count());
        force_ = force;
    }

    double compute(HostState& host, Request const& request) const {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const parameters = parameter_values<F>(formula_, host.parameters);
        std::vector<double> slopes(parameters.size());
        double energy = 0;
        for_each_term(host, parameters, [&](ForTerm<F, int> const& particles, TermValue<F, double> const& value) {
            for (std::size_t p = 0; p < particles.size(); ++p)
                host.forces[static_cast<std::size_t>(particles[p])] -= value.gradient[p];
            for (std::size_t n = 0; n < slopes.size(); ++n) slopes[n] += value.parameter_slopes[n];
            energy += value.energy;
        });
        if (host.box_virial) add_images_of_functions(host, parameters);
        if (request.parameter_derivatives)
            for (std::size_t n = 0; n < slopes.size(); ++n)
                if (wanted_[n]) host.parameter_derivatives[std::string(parameter_names<F>(formula_)[n])] += slopes[n];
        return energy;
    }

    std::vector<TermEnergy> term_energies(HostState& host) const {
        std::vector<TermEnergy> result;
        for_each_term(host, parameter_values<F>(formula_, host.parameters),
                      [&](ForTerm<F, int> const& particles, TermValue<F, double> const& value) {
                          auto& term = result.emplace_back();
                          term.particles = {particles.begin(), particles.end()};
                          term.energy = value.energy;
                          if constexpr (requires { F::part_name; }) term.part = F::part_name;
                      });
        return result;
    }
    /// Energy of pair terms between two groups.
    double interaction_energy(HostState& host, TwoGroups const& groups) const
        requires requires { requires F::are_pairs; }
    {
        double energy = 0;
        for (auto const& [particles, value, part] : term_energies(host))
            if (groups(static_cast<std::size_t>(particles[0]), static_cast<std::size_t>(particles[1]))) energy += value;
        return energy;
    }

private:
    template <class Visit>
    void for_each_term(HostState& host, FormulaParameters<F, double> const& parameters, Visit const& visit) const {
        TermEvaluator<F, double> evaluate(formula_);
        for (auto const& term : force_.*F::terms) {
            auto const particles = particles_of<F>(term);
            StrainedGeometry<ForTerm<F, int>> const geometry{{particles, host.positions, host.box, is_periodic()},
                                                             host.box_virial};
            visit(particles, evaluate(geometry, fields_of<F>(term), parameters));
        }
    }
    bool is_periodic() const {
        if constexpr (requires { force_.periodic; })
            return force_.periodic;
        else
            return false;
    }

    void add_images_of_functions([[maybe_unused]] HostState& host,
                                 [[maybe_unused]] FormulaParameters<F, double> const& parameters) const {
        if constexpr (requires { F::image_functions(); }) {
            FunctionImages<F> images(formula_, parameters);
            for (auto const& term : force_.*F::terms) {
                auto const particles = particles_of<F>(term);
                *host.box_virial +=
                    images(TupleGeometry<ForTerm<F, int>>{particles, host.positions, host.box, is_periodic()},
                           fields_of<F>(term));
            }
        }
    }

    F force_;
    int index_;
    FormulaOf<F> formula_;
    std::vector<bool> wanted_;
};

}  // namespace trotter::reference
