// Generates kernel source for the energy of a particle set from a formula.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/terms/term_text.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/forces/custom_compound_bond.hpp>

namespace trotter::device {

/// Source for a set's energy, like that of a bond of a CustomCompoundBondForce: x1, x2, … are the positions of its
/// particles, `parameters` and `TABLES` the values of global parameters and tables. `field(n)` is the source of the
/// n-th field, and `add_force(p, force)` the statement that adds a force to the p-th particle. It adds to `energy`.
template <class FieldText, class ForceText>
std::string set_text(RuntimeFormula const& formula, std::size_t fields, bool is_periodic, std::string const& suffix,
                     FieldText const& field, ForceText const& add_force) {
    Statements statements("temp", suffix, "coordinate");
    std::vector<Traced> numbers, parameters;
    for (std::size_t n = 0; n < fields; ++n) numbers.emplace_back(statements, statements.name(field(n)));
    for (std::size_t n = 0; n < formula.parameter_names().size(); ++n)
        parameters.emplace_back(statements, statements.name("parameters[" + std::to_string(n) + ']'));
    TermEvaluator<CustomCompoundBondForce, Traced> evaluate(formula);
    auto const& value = evaluate(TracedGeometry{statements, is_periodic}, numbers, parameters);
    statements.add("energy += " + value.energy.name(statements) + ';');
    for (std::size_t p = 0; p < value.gradient.size(); ++p) {
        auto const& g = value.gradient[p];
        if (g.x.is(0) && g.y.is(0) && g.z.is(0)) continue;
        statements.add(add_force(p, "make_coordinate3(" + (-g.x).name(statements) + ", " + (-g.y).name(statements)
                                        + ", " + (-g.z).name(statements) + ')'));
    }
    return statements.text();
}

}  // namespace trotter::device
