// The formulas of a CustomGBForce as text: loops over pairs and over particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <trotter/device/numbers.hpp>
#include <trotter/device/pairs/columns.hpp>
#include <trotter/device/table_text.hpp>
#include <trotter/expression/source.hpp>
#include <trotter/forces/custom_gb_formulas.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// Text of pairs has type `real` and follows `Interaction`; text of the particle `atom` has type `coordinate`.
///
/// Value k of pairs is a sum of the engine's, one of single particles stands in `values`. The derivative of the energy
/// by value k is `by_value[k]` of single particles and a sum of the engine's over pairs.
class CustomGBText {
    using Source = GBFormula::Source;

public:
    /// Sums over partners are fixed-point numbers of 2^-32: so much finer they are kept.
    static constexpr int finer = 256;

    /// The engine's sums for a value, which one of single particles does not need, and for the derivatives by it.
    struct Sums {
        int value = -1, by_value = -1;
    };

    CustomGBText(CustomGBForce const& force, GBFormulas const& formulas, Tables const& tables, NumberTypes const& types,
                 std::vector<Sums> sums)
        : force_(force),
          formulas_(formulas),
          tables_(tables),
          sums_(std::move(sums)),
          packing_(force.parameter_names.size()),
          real_{"real", "temp", types.real_suffix(), "r", "invR", "r2", "quick_exp", "quick_log"},
          fine_{"coordinate", "temp", types.coordinate_suffix()} {}

    /// Adds value k of pairs to `sum_` of both particles.
    std::string value(int k) const {
        auto const& formula = both_orders(k);
        std::vector<std::string> targets(formula.arguments.size() + 1);
        std::string sums;
        for (std::size_t n = 0; n < formula.arguments.size(); ++n)
            if (formula.arguments[n].source == Source::weight) {
                targets[n + 1] = "const real " + slope_name(n);
                sums += std::string("sum_") + side_of(formula.arguments[n]) + " += " + slope_name(n) + ";\n";
            }
        return "{\n" + pair_source(formula, targets) + sums + "}\n";
    }
    /// What follows from the derivative `weight_` of the energy by such a value.
    std::string chain(int k) const {
        auto const& formula = both_orders(k);
        return "{\n" + pair_source(formula, slope_targets(formula, "real")) + passed_on(formula) + "}\n";
    }
    std::string energy(GBFormula const& formula) const {
        auto targets = slope_targets(formula, "real");
        targets[0] = "const real energy";
        return "{\n" + pair_source(formula, targets) + "tempEnergy += energy;\n" + passed_on(formula) + "}\n";
    }

    /// For all values that a formula of pairs depends on.
    static std::set<int> used(std::vector<GBFormula const*> const& formulas, Source source) {
        std::set<int> result;
        for (auto const* formula : formulas)
            for (auto const& argument : formula->arguments)
                if (argument.source == source) result.insert(argument.index);
        return result;
    }
    /// Value k as a parameter of pairs: its name, the type of its array's elements, and how it is made of them.
    static std::string value_name(int k) { return "value" + std::to_string(k) + '_'; }
    std::string value_type(int k) const { return formula_of(k).is_of_pairs() ? "mm_long" : "coordinate"; }
    std::string value_load(int k) const {
        return formula_of(k).is_of_pairs() ? "(real) (" + from_sum(value_name(k), sums_of(k).value) + ")"
                                           : "(real) " + element(value_name(k), k);
    }
    std::string weight_load(int k) const {
        return "(real) (" + element("by_value", k) + " + " + from_sum("weight_", sums_of(k).by_value) + ")";
    }
    static std::string by_value_name(int k) { return "by_value" + std::to_string(k) + '_'; }
    static std::string global_name(int n) { return "global" + std::to_string(n); }
    static std::string derivative_name(int n) { return "derivative" + std::to_string(n); }

    std::string single_value(int k) const {
        return "{\n" + single_source(formula_of(k), {element("values", k)}) + "}\n";
    }
    /// Derivatives by values begin with those of the energies of single particles.
    std::string single_energies() const {
        std::string result;
        for (int k = 0; k < static_cast<int>(formulas_.values.size()); ++k)
            result += element("by_value", k) + " = 0;\n";
        for (auto const& formula : formulas_.energies)
            if (!formula.is_of_pairs()) result += single_chain(formula, fine(1));
        return result;
    }
    std::string single_chain(int k) const { return single_chain(formula_of(k), by_value(k)); }

    /// Adds the energies of a single particle to `energy` and all of its derivatives by the chosen parameters to
    /// `derivative0`, …
    std::string single_sums() const {
        std::string result;
        for (auto const& formula : formulas_.energies)
            if (!formula.is_of_pairs()) {
                auto targets = global_targets(formula);
                targets[0] = "const coordinate own_energy";
                result += "{\n" + single_source(formula, targets) + "energy += own_energy;\n"
                          + to_derivatives(formula, fine(1)) + "}\n";
            }
        for (int k = 0; k < static_cast<int>(formulas_.values.size()); ++k)
            if (auto const& formula = formula_of(k); !formula.is_of_pairs())
                result += "{\n" + single_source(formula, global_targets(formula)) + to_derivatives(formula, by_value(k))
                          + "}\n";
        return result;
    }
    /// A kernel over particles.
    std::string kernel(std::string const& name, std::string const& body) const {
        return "KERNEL void " + name + '(' + declarations() + ") {\n" + for_particles(body) + "}\n";
    }
    /// The kernel that adds up what single particles have.
    std::string sums_kernel(std::string const& name, int energy_slot, std::vector<int> const& derivative_slots) const {
        std::vector<std::pair<std::string, int>> sums{{"energy", energy_slot}};
        for (std::size_t n = 0; n < derivative_slots.size(); ++n)
            sums.emplace_back(derivative_name(static_cast<int>(n)), derivative_slots[n]);
        std::string before, after;
        for (auto const& [sum, slot] : sums) {
            before += "coordinate " + sum + " = 0;\n";
            after += "add_group_sum(" + sum + ", scratch, sums + " + std::to_string(slot) + "*SUM_WIDTH);\n";
        }
        return "KERNEL void " + name + '(' + declarations() + ") {\nLOCAL coordinate scratch[64];\n" + before
               + for_particles(single_sums()) + after + "}\n";
    }
    /// The places of a global parameter among those by which derivatives are wanted, or none.
    std::vector<int> wanted(int global) const {
        std::vector<int> result;
        auto const& names = force_.energy_parameter_derivatives;
        for (std::size_t n = 0; n < names.size(); ++n)
            if (names[n] == force_.global_parameters[static_cast<std::size_t>(global)].name)
                result.push_back(static_cast<int>(n));
        return result;
    }
    bool has_derivatives(GBFormula const& formula) const {
        return std::any_of(formula.arguments.begin(), formula.arguments.end(), [this](auto const& argument) {
            return argument.source == Source::global && !wanted(argument.index).empty();
        });
    }

private:
    GBFormula const& formula_of(int k) const { return formulas_.values[static_cast<std::size_t>(k)]; }
    Sums const& sums_of(int k) const { return sums_[static_cast<std::size_t>(k)]; }
    GBFormula const& both_orders(int k) const { return formulas_.both_orders[static_cast<std::size_t>(k)]; }
    std::string fine(double number) const { return "(coordinate) " + expression::literal(number, fine_); }
    static std::string element(std::string const& array, int k) {
        return array + '[' + std::to_string(k) + "*PADDED_NUM_ATOMS + atom]";
    }
    std::string from_sum(std::string const& array, int number) const {
        return "(coordinate) (mm_long) " + array + "[PARTICLE_SUM(" + std::to_string(number) + ") + atom]*"
               + fine(1 / (finer * 4294967296.0));
    }
    std::string by_value(int k) const {
        return "(" + element("by_value", k) + " + " + from_sum("forces", sums_of(k).by_value) + ")";
    }
    static std::string slope_name(std::size_t n) { return "slope" + std::to_string(n); }

    /// A slope for each argument but parameters and weights, which nothing follows from.
    static std::vector<std::string> slope_targets(GBFormula const& formula, std::string const& type) {
        std::vector<std::string> result{""};
        for (std::size_t n = 0; n < formula.arguments.size(); ++n)
            result.push_back(formula.arguments[n].source == Source::parameter
                                     || formula.arguments[n].source == Source::weight
                                 ? ""
                                 : "const " + type + ' ' + slope_name(n));
        return result;
    }
    static std::vector<std::string> global_targets(GBFormula const& formula) {
        auto result = slope_targets(formula, "coordinate");
        for (std::size_t n = 0; n < formula.arguments.size(); ++n)
            if (formula.arguments[n].source != Source::global) result[n + 1].clear();
        return result;
    }
    std::string pair_source(GBFormula const& formula, std::vector<std::string> const& targets) const {
        std::vector<std::string> arguments;
        for (auto const& argument : formula.arguments) {
            char const side = side_of(argument);
            switch (argument.source) {
                case Source::parameter:
                    arguments.push_back(packing_.text(static_cast<std::size_t>(argument.index), side));
                    break;
                case Source::value:
                    arguments.push_back(value_name(argument.index) + side);
                    break;
                case Source::global:
                    arguments.push_back(global_name(argument.index));
                    break;
                case Source::weight:
                    arguments.push_back(std::string("weight_") + side);
                    break;
                default:
                    arguments.push_back("r");
            }
        }
        return expression::source(formula.expression.unit(), arguments, targets, real_, "=",
                                  [&](int table, std::span<std::string const> operands) {
                                      return pair_table_call(shape(table), operands, packing_);
                                  });
    }
    TableShape const& shape(int table) const { return tables_.shape(static_cast<std::size_t>(table)); }
    static char side_of(GBFormula::Argument const& argument) { return argument.is_second ? '2' : '1'; }
    std::string single_source(GBFormula const& formula, std::vector<std::string> const& targets) const {
        std::vector<std::string> arguments;
        for (auto const& [source, index, is_second] : formula.arguments) switch (source) {
                case Source::parameter:
                    arguments.push_back(element("parameters", index));
                    break;
                case Source::value:
                    arguments.push_back(formula_of(index).is_of_pairs()
                                            ? '(' + from_sum("forces", sums_of(index).value) + ')'
                                            : element("values", index));
                    break;
                case Source::global:
                    arguments.push_back("globals[" + std::to_string(index) + ']');
                    break;
                default:
                    arguments.push_back(std::string("positions[atom].") + "xyz"[index]);
            }
        return expression::source(formula.expression.unit(), arguments, targets, fine_, "=",
                                  [&](int table, std::span<std::string const> operands) {
                                      return table_call(shape(table), "coordinate", "tables", operands);
                                  });
    }

    /// What slopes of a pair add to.
    std::string passed_on(GBFormula const& formula) const {
        std::string result;
        for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
            auto const& argument = formula.arguments[n];
            if (argument.source == Source::distance) result += "dEdR += " + slope_name(n) + ";\n";
            if (argument.source == Source::value)
                result += by_value_name(argument.index) + side_of(argument) + " += " + slope_name(n) + ";\n";
            if (argument.source == Source::global)
                for (int const derivative : wanted(argument.index))
                    result += derivative_name(derivative) + " += " + slope_name(n) + ";\n";
        }
        return result;
    }
    std::string to_derivatives(GBFormula const& formula, std::string const& weight) const {
        std::string result;
        for (std::size_t n = 0; n < formula.arguments.size(); ++n)
            if (formula.arguments[n].source == Source::global)
                for (int const derivative : wanted(formula.arguments[n].index))
                    result += derivative_name(derivative) + " += " + weight + '*' + slope_name(n) + ";\n";
        return result;
    }
    std::string single_chain(GBFormula const& formula, std::string const& weight) const {
        std::string result = "{\nconst coordinate weight = " + weight + ";\n"
                             + single_source(formula, slope_targets(formula, "coordinate"));
        std::string force[3] = {"0", "0", "0"};
        for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
            auto const& [source, index, is_second] = formula.arguments[n];
            if (source == Source::value) result += element("by_value", index) + " += weight*" + slope_name(n) + ";\n";
            if (source == Source::coordinate) force[index] = "-weight*" + slope_name(n);
        }
        if (std::any_of(std::begin(force), std::end(force), [](auto const& component) { return component != "0"; }))
            result += "add_fine_force(forces, atom, make_coordinate3(" + force[0] + ", " + force[1] + ", " + force[2]
                      + "));\n";
        return result + "}\n";
    }

    std::string declarations() const {
        return "GLOBAL const coordinate4* RESTRICT positions, GLOBAL mm_ulong* RESTRICT forces, GLOBAL coordinate* "
               "RESTRICT sums, GLOBAL const coordinate* RESTRICT parameters, GLOBAL const coordinate* RESTRICT "
               "globals, "
               "GLOBAL const coordinate4* RESTRICT tables, GLOBAL coordinate* RESTRICT values, GLOBAL coordinate* "
               "RESTRICT by_value";
    }
    static std::string for_particles(std::string const& body) {
        return "for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {\n" + body + "}\n";
    }

    CustomGBForce const& force_;
    GBFormulas const& formulas_;
    Tables const& tables_;
    std::vector<Sums> sums_;
    ColumnPacking packing_;
    expression::SourceStyle real_, fine_;
};

}  // namespace trotter::device
