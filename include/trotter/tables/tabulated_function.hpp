// Functions given by their values on a grid, for the formulas of forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/expression/operation.hpp>

namespace trotter {

/// A function of one to three arguments, called by its name in formulas. It is continuous if `ranges` contains a range
/// for each argument, and discrete if it is empty.
///
/// A continuous function goes through its values, which are equally spaced and include both ends of each range, as the
/// tensor product of cubic splines: natural ones, and 0 outside of the ranges; or periodic ones, for which the values
/// at both ends of each range must be equal up to rounding. A discrete function takes the value at the integers nearest
/// to its arguments, limited to 0 and the size less 1; its derivatives are 0.
struct TabulatedFunction {
    /// Smallest and largest argument.
    struct Range {
        double min = 0, max = 0;  ///< both are grid points

        friend bool operator==(Range const&, Range const&) = default;  ///< compares all members
    };
    std::string name{};  ///< name in formulas
    std::vector<int> sizes{};     ///< number of values along each argument
    std::vector<Range> ranges{};  ///< of each argument; empty for a discrete function
    bool periodic = false;  ///< its values repeat beyond each range
    std::vector<double> values{};  ///< the first argument changes fastest

    /// Whether arguments are indices.
    bool is_discrete() const { return ranges.empty(); }
    /// 1 to 3.
    int arguments() const { return static_cast<int>(sizes.size()); }
    /// Throws InputError for the first invalid size, range or value.
    void check() const;

    friend bool operator==(TabulatedFunction const&, TabulatedFunction const&) = default;  ///< compares all members
};

/// The tables as custom functions of formulas, valid while their names are.
std::vector<expression::CustomFunction> formula_functions(std::vector<TabulatedFunction> const& tables);

/// The tabulated functions of a force, if it has any.
template <class F> std::vector<TabulatedFunction> const& tabulated_functions_of(F const& force) {
    static std::vector<TabulatedFunction> const none;
    if constexpr (requires { force.tabulated_functions; })
        return force.tabulated_functions;
    else
        return none;
}

/// Throws InputError for the first invalid table, or for two tables of one name.
void check_tables(std::vector<TabulatedFunction> const& tables);

/// Throws InputError unless `changed` are tables of the same names, sizes and kinds: values and ranges may differ.
void check_same_tables(std::vector<TabulatedFunction> const& tables, std::vector<TabulatedFunction> const& changed);

}  // namespace trotter
