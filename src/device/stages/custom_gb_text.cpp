// Generates kernel source from run-time GB formulas: pair loops and loops over particles.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <trotter/device/stages/custom_gb_text.hpp>
#include <trotter/device/text/table_text.hpp>
#include <trotter/expression/source.hpp>

namespace trotter::device {

CustomGBText::CustomGBText(GBFormulas const& formulas, Tables const& tables, NumberTypes const& types,
                           std::vector<Sums> sums)
    : formulas_(formulas),
      tables_(tables),
      sums_(std::move(sums)),
      packing_(formulas.parameter_count),
      real_{"real", "temp", types.real_suffix(), "r", "invR", "r2", "quick_exp", "quick_log"},
      fine_{"coordinate", "temp", types.coordinate_suffix()} {}
std::string CustomGBText::value(int k) const {
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
std::string CustomGBText::chain(int k) const {
    auto const& formula = both_orders(k);
    return "{\n" + pair_source(formula, slope_targets(formula, "real")) + passed_on(formula) + "}\n";
}
std::string CustomGBText::energy(GBFormula const& formula) const {
    auto targets = slope_targets(formula, "real");
    targets[0] = "const real energy";
    return "{\n" + pair_source(formula, targets) + "tempEnergy += energy;\n" + passed_on(formula) + "}\n";
}
std::set<int> CustomGBText::used(std::vector<GBFormula const*> const& formulas, Source source) {
    std::set<int> result;
    for (auto const* formula : formulas)
        for (auto const& argument : formula->arguments)
            if (argument.source == source) result.insert(argument.index);
    return result;
}
std::string CustomGBText::value_load(int k) const {
    return formula_of(k).is_of_pairs() ? "(real) (" + from_sum(value_name(k), sums_of(k).value) + ")"
                                       : "(real) " + element(value_name(k), k);
}
std::string CustomGBText::weight_load(int k) const {
    return "(real) (" + element("by_value", k) + " + " + from_sum("weight_", sums_of(k).by_value) + ")";
}
std::string CustomGBText::single_value(int k) const {
    return "{\n" + single_source(formula_of(k), {element("values", k)}) + "}\n";
}
std::string CustomGBText::single_energies() const {
    std::string result;
    for (int k = 0; k < static_cast<int>(formulas_.values.size()); ++k) result += element("by_value", k) + " = 0;\n";
    for (auto const& formula : formulas_.energies)
        if (!formula.is_of_pairs()) result += single_chain(formula, fine(1));
    return result;
}
std::string CustomGBText::single_sums() const {
    std::string result;
    for (auto const& formula : formulas_.energies)
        if (!formula.is_of_pairs()) {
            auto targets = global_targets(formula);
            targets[0] = "const coordinate self_energy";
            result += "{\n" + single_source(formula, targets) + "energy += self_energy;\n"
                      + to_derivatives(formula, fine(1)) + "}\n";
        }
    for (int k = 0; k < static_cast<int>(formulas_.values.size()); ++k)
        if (auto const& formula = formula_of(k); !formula.is_of_pairs())
            result +=
                "{\n" + single_source(formula, global_targets(formula)) + to_derivatives(formula, by_value(k)) + "}\n";
    return result;
}
std::string CustomGBText::kernel(std::string const& name, std::string const& body) const {
    return "KERNEL void " + name + '(' + parameters + ") {\n" + for_particles(body) + "}\n";
}
std::string CustomGBText::sums_kernel(std::string const& name, int energy_accumulator,
                                      std::vector<int> const& derivative_accumulators) const {
    std::vector<std::pair<std::string, int>> sums{{"energy", energy_accumulator}};
    for (std::size_t n = 0; n < derivative_accumulators.size(); ++n)
        sums.emplace_back(derivative_name(static_cast<int>(n)), derivative_accumulators[n]);
    std::string before, after;
    for (auto const& [sum, slot] : sums) {
        before += "coordinate " + sum + " = 0;\n";
        after += "add_group_sum(" + sum + ", scratch, sums + " + std::to_string(slot) + "*SUM_WIDTH);\n";
    }
    return "KERNEL void " + name + '(' + parameters + ") {\nLOCAL coordinate scratch[64];\n" + before
           + for_particles(single_sums()) + after + "}\n";
}
bool CustomGBText::has_derivatives(GBFormula const& formula) const {
    return std::any_of(formula.arguments.begin(), formula.arguments.end(), [this](auto const& argument) {
        return argument.source == Source::global && !wanted(argument.index).empty();
    });
}
std::string CustomGBText::element(std::string const& array, int k) {
    return array + '[' + std::to_string(k) + "*PADDED_NUM_ATOMS + atom]";
}
std::string CustomGBText::from_sum(std::string const& array, int number) const {
    return "(coordinate) (mm_long) " + array + "[PARTICLE_SUM(" + std::to_string(number) + ") + atom]*"
           + fine(1 / (finer * 4294967296.0));
}
std::string CustomGBText::by_value(int k) const {
    return "(" + element("by_value", k) + " + " + from_sum("forces", sums_of(k).by_value) + ")";
}
std::vector<std::string> CustomGBText::slope_targets(GBFormula const& formula, std::string const& type) {
    std::vector<std::string> result{""};
    for (std::size_t n = 0; n < formula.arguments.size(); ++n)
        result.push_back(formula.arguments[n].source == Source::parameter
                                 || formula.arguments[n].source == Source::weight
                             ? ""
                             : "const " + type + ' ' + slope_name(n));
    return result;
}
std::vector<std::string> CustomGBText::global_targets(GBFormula const& formula) {
    auto result = slope_targets(formula, "coordinate");
    for (std::size_t n = 0; n < formula.arguments.size(); ++n)
        if (formula.arguments[n].source != Source::global) result[n + 1].clear();
    return result;
}
std::string CustomGBText::pair_source(GBFormula const& formula, std::vector<std::string> const& targets) const {
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
std::string CustomGBText::single_source(GBFormula const& formula, std::vector<std::string> const& targets) const {
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
std::string CustomGBText::passed_on(GBFormula const& formula) const {
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
std::string CustomGBText::to_derivatives(GBFormula const& formula, std::string const& weight) const {
    std::string result;
    for (std::size_t n = 0; n < formula.arguments.size(); ++n)
        if (formula.arguments[n].source == Source::global)
            for (int const derivative : wanted(formula.arguments[n].index))
                result += derivative_name(derivative) + " += " + weight + '*' + slope_name(n) + ";\n";
    return result;
}
std::string CustomGBText::single_chain(GBFormula const& formula, std::string const& weight) const {
    std::string result =
        "{\nconst coordinate weight = " + weight + ";\n" + single_source(formula, slope_targets(formula, "coordinate"));
    std::string force[3] = {"0", "0", "0"};
    for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
        auto const& [source, index, is_second] = formula.arguments[n];
        if (source == Source::value) result += element("by_value", index) + " += weight*" + slope_name(n) + ";\n";
        if (source == Source::coordinate) force[index] = "-weight*" + slope_name(n);
    }
    if (std::any_of(std::begin(force), std::end(force), [](auto const& component) { return component != "0"; }))
        result +=
            "add_fine_force(forces, atom, make_coordinate3(" + force[0] + ", " + force[1] + ", " + force[2] + "));\n";
    return result + "}\n";
}
std::string CustomGBText::for_particles(std::string const& body) {
    return "for (int atom = GLOBAL_ID; atom < NUM_ATOMS; atom += GLOBAL_SIZE) {\n" + body + "}\n";
}

}  // namespace trotter::device
