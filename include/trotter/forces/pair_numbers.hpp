// A pair's formula in parts, and the numbers that the parts are made of at present.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/pair_units.hpp>
#include <trotter/forces/pairs.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Evaluates the outputs of a program for many sets of arguments: `arguments[v][i]` is variable v of set i. Custom
/// functions are `tables`.
inline std::vector<std::vector<double>> evaluate_all(expression::Program const& program,
                                                     std::vector<std::vector<double>> const& arguments,
                                                     std::size_t sets, Tables const& tables = Tables()) {
    struct Names {
        std::size_t count;
        std::size_t size() const { return count; }
    };
    struct View {
        expression::Program const& program;
        std::size_t variables;
        expression::UnitView unit() const { return {program.code, program.outputs, program.calls}; }
        Names names() const { return {variables}; }
    };
    std::vector<std::vector<double>> results(program.outputs.size(), std::vector<double>(sets));
    if (results.empty()) return results;
    Evaluator<double> evaluate{View{program, arguments.size()}};
    std::vector<double const*> from;
    std::vector<double*> to;
    for (auto const& argument : arguments) from.push_back(argument.data());
    for (std::size_t n = 1; n < results.size(); ++n) to.push_back(results[n].data());
    evaluate(sets, from, results[0].data(), to, tables);
    return results;
}

/// What the pair loops of a force need besides positions. In double, whatever the loops compute in.
class PairNumbers {
public:
    /// The force has been checked. With `has_derivatives` the formula's parts have the derivatives that it wants.
    template <HasPairs F> PairNumbers(F const& force, GlobalParameters const& parameters, bool has_derivatives)
        : formula_(force.energy.formula()) {
        for (auto const& name : particle_names(force)) particle_names_.emplace_back(name);
        auto const found = trotter::global_names(force.energy.names(), particle_names_);
        global_names_.assign(found.begin(), found.end());
        if (has_derivatives) derivatives_ = wanted_pair_derivatives(force, found);
        take_particles(force, parameters);
    }

    /// Takes over new numbers of particles and tables. True if `units` are others now.
    template <HasPairs F> bool take_particles(F const& force, GlobalParameters const& parameters) {
        tables_ = Tables(tabulated_functions_of(force));
        particles_ = particle_numbers(force);
        particle_count_ = (force.*F::sites).size();
        return take_parameters(parameters);
    }
    /// Takes over the present values of the global parameters.
    bool take_parameters(GlobalParameters const& parameters) {
        version_ = parameters.version();
        auto const globals = values_of(global_names_, parameters);
        auto arguments = particles_;
        for (double const value : globals) arguments.emplace_back(particle_count_, value);
        bool const was_split = splits_roots_;
        if (!is_compiled_ || !splits_roots_) compile(true);
        for (auto const& radicands : evaluate_all(units_.radicands, arguments, particle_count_, tables_))
            for (double const radicand : radicands)
                if (!(radicand >= 0)) splits_roots_ = false;
        if (!splits_roots_) compile(false);
        columns_ = evaluate_all(units_.columns, arguments, particle_count_, tables_);
        std::vector<std::vector<double>> single;
        for (double const value : globals) single.push_back({value});
        values_.clear();
        for (auto const& value : evaluate_all(units_.values, single, 1, tables_)) values_.push_back(value[0]);
        return was_split != splits_roots_;
    }
    bool is_up_to_date(GlobalParameters const& parameters) const { return version_ == parameters.version(); }

    expression::PairUnits const& units() const { return units_; }
    /// The tabulated functions, which are the custom functions of all units.
    Tables const& tables() const { return tables_; }
    /// Whether roots of products were split, which the numbers of particles have to allow.
    bool splits_roots() const { return splits_roots_; }
    std::vector<std::vector<double>> const& columns() const { return columns_; }
    std::vector<double> const& values() const { return values_; }
    /// The parameters whose derivatives follow energy and slope among the outputs of a pair.
    std::vector<std::string> derivative_names() const {
        std::vector<std::string> result;
        for (int const n : derivatives_) result.push_back(global_names_[static_cast<std::size_t>(n)]);
        return result;
    }

private:
    void compile(bool splits_roots) {
        std::vector<std::string_view> const globals(global_names_.begin(), global_names_.end());
        splits_roots_ = splits_roots;
        is_compiled_ = true;
        units_ = expression::compile_pair(formula_, pair_roles(globals, particle_names_),
                                          static_cast<int>(particle_names_.size()), derivatives_, splits_roots,
                                          tables_.formula_functions());
    }

    std::string formula_;
    Tables tables_;
    std::vector<std::string> particle_names_, global_names_;
    std::vector<int> derivatives_;
    bool splits_roots_ = true, is_compiled_ = false;
    expression::PairUnits units_;
    std::size_t particle_count_ = 0;
    std::vector<std::vector<double>> particles_, columns_;
    std::vector<double> values_;
    long version_ = -1;
};

}  // namespace trotter
