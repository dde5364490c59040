// The factored formula of a pair force and the current values of its parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/expression/pair_names.hpp>
#include <trotter/parts/pairs/pairs.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Evaluates the outputs of a program for many sets of arguments: `arguments[v][i]` is variable v of set i. Custom
/// functions are `tables`.
std::vector<std::vector<double>> evaluate_all(expression::Program const& program,
                                              std::vector<std::vector<double>> const& arguments, std::size_t sets,
                                              Tables const& tables = Tables());

/// Inputs of a force's pair loops other than positions, in double precision.
class PairParameterValues {
public:
    /// The force has been checked. With `has_derivatives` the units include the requested parameter derivatives.
    template <HasPairs F> PairParameterValues(F const& force, GlobalParameters const& parameters, bool has_derivatives)
        : formula_(force.energy.formula()) {
        for (auto const& name : particle_names(force)) particle_names_.emplace_back(name);
        auto const found = trotter::global_names(force.energy.names(), particle_names_);
        global_names_.assign(found.begin(), found.end());
        if (has_derivatives) derivatives_ = wanted_pair_derivatives(force, found);
        update_particles(force, parameters);
    }

    /// Updates per-particle parameters and tables. Returns whether `units` changed.
    template <HasPairs F> bool update_particles(F const& force, GlobalParameters const& parameters) {
        tables_ = Tables(tabulated_functions_of(force));
        particles_ = particle_numbers(force);
        particle_count_ = (force.*F::sites).size();
        return update_global_parameters(parameters);
    }
    /// Updates the global parameters. Returns whether `units` changed.
    bool update_global_parameters(GlobalParameters const& parameters);
    /// Whether no parameter has changed since the last update.
    bool is_up_to_date(GlobalParameters const& parameters) const { return version_ == parameters.version(); }

    /// Compiled formulas of the pair and of its per-particle inputs.
    expression::PairUnits const& units() const { return units_; }
    /// The tabulated functions, which are the custom functions of all units.
    Tables const& tables() const { return tables_; }
    /// Whether roots of products were split, which requires non-negative per-particle factors.
    bool factors_roots() const { return factors_roots_; }
    /// Per-particle inputs of the pair formula: one vector, of one value for each particle, for each input.
    std::vector<std::vector<double>> const& columns() const { return columns_; }
    /// Inputs of the pair formula that are the same for all particles.
    std::vector<double> const& values() const { return values_; }
    /// The parameters whose derivatives follow energy and slope among the outputs of a pair.
    std::vector<std::string> derivative_names() const;

private:
    void compile(bool factors_roots);

    std::string formula_;
    Tables tables_;
    std::vector<std::string> particle_names_, global_names_;
    std::vector<int> derivatives_;
    bool factors_roots_ = true, is_compiled_ = false;
    expression::PairUnits units_;
    std::size_t particle_count_ = 0;
    std::vector<std::vector<double>> particles_, columns_;
    std::vector<double> values_;
    long version_ = -1;
};

}  // namespace trotter
