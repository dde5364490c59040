// Forces that are sums of terms, one term after the other.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/forces/term_value.hpp>
#include <trotter/forces/terms_check.hpp>
#include <trotter/forces/tuple_geometry.hpp>
#include <trotter/host/engine.hpp>

namespace trotter::reference {

/// The terms of one force.
template <HasTerms F> class Terms {
public:
    Terms(F const& force, HostEngine& host)
        : force_(force), index_(host.next_force), formula_(checked_formula(force, host.particles.count())) {
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        wanted_ = wanted_derivatives(force, formula_);
    }

    void update(F const& force, HostEngine const& host) {
        check_same_terms(force_, force);
        formula_ = checked_formula(force, host.particles.count());
        force_ = force;
    }

    double compute(HostEngine& host, Request const& request) const {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const parameters = parameter_values<F>(formula_, host.parameters);
        TermEvaluator<F, double> evaluate(formula_);
        std::vector<double> slopes(parameters.size());
        double energy = 0;
        for (auto const& term : force_.*F::terms) {
            auto const particles = particles_of<F>(term);
            auto const& value =
                evaluate(TupleGeometry<ForTerm<F, int>>{particles, host.positions, host.box, is_periodic()},
                         fields_of<F>(term), parameters);
            for (std::size_t p = 0; p < particles.size(); ++p)
                host.forces[static_cast<std::size_t>(particles[p])] -= value.gradient[p];
            for (std::size_t n = 0; n < slopes.size(); ++n) slopes[n] += value.parameter_slopes[n];
            energy += value.energy;
        }
        if (request.parameter_derivatives)
            for (std::size_t n = 0; n < slopes.size(); ++n)
                if (wanted_[n]) host.parameter_derivatives[std::string(parameter_names<F>(formula_)[n])] += slopes[n];
        return energy;
    }

private:
    bool is_periodic() const {
        if constexpr (requires { force_.periodic; })
            return force_.periodic;
        else
            return false;
    }

    F force_;
    int index_;
    FormulaOf<F> formula_;
    std::vector<bool> wanted_;
};

}  // namespace trotter::reference
