// Generates kernel source from run-time GB formulas: pair loops and loops over particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <trotter/device/pairs/columns.hpp>
#include <trotter/device/runtime/numbers.hpp>
#include <trotter/device/text/table_text.hpp>
#include <trotter/expression/literal.hpp>
#include <trotter/physics/custom_gb_formulas.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// Pair source has type `real` and follows `PairInteraction`; per-particle source, for the particle `atom`, has type
/// `coordinate`.
///
/// Pair value k is a particle sum of the engine, a single-particle value is in `values`. The derivative of the energy
/// by value k is the sum of `by_value[k]`, from single particles, and a particle sum of the engine, from pairs.
class CustomGBText {
    using Source = GBFormula::Source;

public:
    /// Scale of sums over partners, which are fixed-point numbers of 2^-32.
    static constexpr int finer = 256;

    /// Parameters of the kernels over particles.
    static constexpr char const* parameters =
        "GLOBAL const coordinate4* RESTRICT positions, GLOBAL mm_ulong* RESTRICT forces, GLOBAL coordinate* RESTRICT "
        "sums, "
        "GLOBAL const coordinate* RESTRICT parameters, GLOBAL const coordinate* RESTRICT globals, "
        "GLOBAL const coordinate4* RESTRICT tables, GLOBAL coordinate* RESTRICT values, "
        "GLOBAL coordinate* RESTRICT by_value";

    /// The engine's particle sums for a value (pair values only) and for derivatives by it.
    struct Sums {
        int value = -1, by_value = -1;
    };

    CustomGBText(GBFormulas const& formulas, Tables const& tables, NumberTypes const& types, std::vector<Sums> sums);

    /// Adds pair value k to `sum_` of both particles.
    std::string value(int k) const;
    /// Applies the chain rule to such a value, with `weight_` the derivative of the energy by it.
    std::string chain(int k) const;
    std::string energy(GBFormula const& formula) const;

    /// Indices of the arguments from `source` that the formulas use.
    static std::set<int> used(std::vector<GBFormula const*> const& formulas, Source source);
    /// Value k as a pair parameter: its name, element type, and how it is computed from elements.
    static std::string value_name(int k) { return "value" + std::to_string(k) + '_'; }
    std::string value_type(int k) const { return formula_of(k).is_of_pairs() ? "mm_long" : "coordinate"; }
    std::string value_load(int k) const;
    std::string weight_load(int k) const;
    static std::string by_value_name(int k) { return "by_value" + std::to_string(k) + '_'; }
    static std::string global_name(int n) { return "global" + std::to_string(n); }
    static std::string derivative_name(int n) { return "derivative" + std::to_string(n); }

    std::string single_value(int k) const;
    /// Initializes the derivatives by values with those of single-particle energies.
    std::string single_energies() const;
    std::string single_chain(int k) const { return single_chain(formula_of(k), by_value(k)); }

    /// Adds single-particle energies to `energy` and all of their derivatives by the chosen parameters to
    /// `derivative0`, …
    std::string single_sums() const;
    /// A kernel over particles.
    std::string kernel(std::string const& name, std::string const& body) const;
    /// The kernel that sums single-particle energies and derivatives.
    std::string sums_kernel(std::string const& name, int energy_accumulator,
                            std::vector<int> const& derivative_accumulators) const;
    bool has_derivatives(GBFormula const& formula) const;

private:
    GBFormula const& formula_of(int k) const { return formulas_.values[static_cast<std::size_t>(k)]; }
    Sums const& sums_of(int k) const { return sums_[static_cast<std::size_t>(k)]; }
    GBFormula const& both_orders(int k) const { return formulas_.both_orders[static_cast<std::size_t>(k)]; }
    std::string fine(double number) const { return "(coordinate) " + expression::literal(number, fine_); }
    static std::string element(std::string const& array, int k);
    std::string from_sum(std::string const& array, int number) const;
    std::string by_value(int k) const;
    static std::string slope_name(std::size_t n) { return "slope" + std::to_string(n); }

    /// A derivative for each argument but parameters and weights, by which none is needed.
    static std::vector<std::string> slope_targets(GBFormula const& formula, std::string const& type);
    static std::vector<std::string> global_targets(GBFormula const& formula);
    std::string pair_source(GBFormula const& formula, std::vector<std::string> const& targets) const;
    TableShape const& shape(int table) const { return tables_.shape(static_cast<std::size_t>(table)); }
    static char side_of(GBFormula::Argument const& argument) { return argument.is_second ? '2' : '1'; }
    std::string single_source(GBFormula const& formula, std::vector<std::string> const& targets) const;

    /// Indices of a global parameter among the requested derivatives; may be empty.
    std::vector<int> const& wanted(int global) const { return formulas_.wanted[static_cast<std::size_t>(global)]; }
    /// Adds a pair's derivatives to their sums.
    std::string passed_on(GBFormula const& formula) const;
    std::string to_derivatives(GBFormula const& formula, std::string const& weight) const;
    std::string single_chain(GBFormula const& formula, std::string const& weight) const;

    static std::string for_particles(std::string const& body);

    GBFormulas const& formulas_;
    Tables const& tables_;
    std::vector<Sums> sums_;
    ColumnPacking packing_;
    expression::SourceStyle real_, fine_;
};

}  // namespace trotter::device
