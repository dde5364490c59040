// Evaluates the per-particle and global inputs of a factored pair formula.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/parts/pairs/pair_parameter_values.hpp>
#include <trotter/parts/pairs/pair_units.hpp>

namespace trotter {

std::vector<std::vector<double>> evaluate_all(expression::Program const& program,
                                              std::vector<std::vector<double>> const& arguments, std::size_t sets,
                                              Tables const& tables) {
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

bool PairParameterValues::update_global_parameters(GlobalParameters const& parameters) {
    version_ = parameters.version();
    auto const globals = values_of(global_names_, parameters);
    auto arguments = particles_;
    for (double const value : globals) arguments.emplace_back(particle_count_, value);
    bool const was_split = factors_roots_;
    if (!is_compiled_ || !factors_roots_) compile(true);
    for (auto const& radicands : evaluate_all(units_.radicands, arguments, particle_count_, tables_))
        for (double const radicand : radicands)
            if (!(radicand >= 0)) factors_roots_ = false;
    if (!factors_roots_) compile(false);
    columns_ = evaluate_all(units_.columns, arguments, particle_count_, tables_);
    std::vector<std::vector<double>> single;
    for (double const value : globals) single.push_back({value});
    values_.clear();
    for (auto const& value : evaluate_all(units_.values, single, 1, tables_)) values_.push_back(value[0]);
    return was_split != factors_roots_;
}
std::vector<std::string> PairParameterValues::derivative_names() const {
    std::vector<std::string> result;
    for (int const n : derivatives_) result.push_back(global_names_[static_cast<std::size_t>(n)]);
    return result;
}
void PairParameterValues::compile(bool factors_roots) {
    std::vector<std::string_view> const globals(global_names_.begin(), global_names_.end());
    factors_roots_ = factors_roots;
    is_compiled_ = true;
    units_ = expression::compile_pair(formula_, pair_roles(globals, particle_names_),
                                      static_cast<int>(particle_names_.size()), derivatives_, factors_roots,
                                      tables_.formula_functions());
}

}  // namespace trotter
