// CustomCVForce: an energy as a formula of the energies of other forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/containers/context_formula.hpp>
#include <trotter/common/containers/inner_kernels.hpp>
#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/forces/custom_cv.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// F = Σ ∂E/∂v F_v for variables v whose forces are F_v, of which only nonzero ones are stored.
template <class Inner, HostBackend B, Precision P> class Kernel<BasicCustomCVForce<Inner>, B, P> {
    using F = BasicCustomCVForce<Inner>;

public:
    Kernel(F const& force, Engine<B, P>& engine, Registration who)
        : index_(who.index),
          force_(force),
          formula_(formula_of(force)),
          inner_(*force.variables, engine, ForceUse::multiplied) {
        formula_.declare(engine.host);
        expect_host_task(engine);
    }

    double compute(Engine<B, P>& engine, Request const& request) {
        if (request.wants(index_, force_.force_group))
            add_host_task(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                find_variables(host, positions, request.parameter_derivatives);
                combine(host, forces, request.parameter_derivatives);
            });
        return 0;
    }
    double late_energy(Engine<B, P>&, Request const& request) const {
        return request.wants(index_, force_.force_group) ? energy_ : 0;
    }

    /// Values of the variables in the last evaluation.
    std::vector<double> answer() const { return values_; }

    /// Updates the formula, tables, and parameters of the inner forces. Throws InputError if variables or global
    /// parameters differ.
    void update(F const& force, Engine<B, P>&) {
        if (force.variable_names != force_.variable_names)
            throw InputError("the names of the variables are not what they were before");
        auto formula = formula_of(force);
        formula.check_same_parameters(formula_);
        inner_.update(*force_.variables, *force.variables);
        formula_ = std::move(formula);
        force_ = force;
    }
    template <class Archive> void save(Archive& archive) { inner_.save(archive); }
    template <class Archive> void load(Archive& archive) { inner_.load(archive); }

private:
    struct Variable {
        std::vector<std::pair<std::size_t, Vec3<>>> forces;  ///< nonzero ones
        std::map<std::string, double> derivatives;
        std::optional<Tensor> box_virial;
    };

    static ContextFormula formula_of(F const& force) {
        if (static_cast<int>(force.variable_names.size()) != force.variables->force_count())
            throw InputError("there are " + std::to_string(force.variable_names.size()) + " names of variables, but "
                             + std::to_string(force.variables->force_count()) + " forces behind them");
        return {force, force.variable_names, "collective variable"};
    }
    void find_variables(HostState const& host, std::vector<Vec3<>> const& positions, bool wants_derivatives) {
        auto const count = force_.variable_names.size();
        values_.resize(count);
        variables_.resize(count);
        inner_.place(host, positions);
        for (std::size_t v = 0; v < count; ++v) {
            values_[v] = inner_.compute_one(static_cast<int>(v), wants_derivatives);
            if (wants_derivatives) variables_[v].derivatives = inner_.derivatives();
            variables_[v].box_virial = inner_.box_virial();
            auto& kept = variables_[v].forces;
            kept.clear();
            auto const& forces = inner_.forces();
            for (std::size_t i = 0; i < forces.size(); ++i)
                if (!(forces[i] == Vec3<>{})) kept.emplace_back(i, forces[i]);
        }
    }
    void combine(HostState& host, std::vector<Vec3<>>& forces, bool wants_derivatives) {
        energy_ = formula_(values_, host.parameters);
        if (wants_derivatives) formula_.add_derivatives(host.parameter_derivatives);
        for (std::size_t v = 0; v < variables_.size(); ++v) {
            double const slope = formula_.slope(v);
            if (slope == 0) continue;  // even if the force is infinite
            for (auto const& [particle, force] : variables_[v].forces) forces[particle] += force * slope;
            if (host.box_virial) *host.box_virial += *variables_[v].box_virial * slope;
            if (wants_derivatives)
                for (auto const& [name, value] : variables_[v].derivatives)
                    host.parameter_derivatives[name] += slope * value;
        }
    }

    int index_;
    F force_;
    ContextFormula formula_;
    InnerKernels<Inner, B, P> inner_;
    double energy_ = 0;
    std::vector<double> values_;
    std::vector<Variable> variables_;
};

}  // namespace trotter
