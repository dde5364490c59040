// CustomCompoundBondForce in simpler words: functions of particles as functions of coordinates.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_compound_bond.hpp>

#include <utility>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/named_points.hpp>

namespace trotter {

RuntimeExpression CustomCompoundBondForce::formula(std::string text, std::vector<TabulatedFunction> const& tables) {
    auto functions = formula_functions(tables);
    for (auto const& list : {point_functions(), particle_functions()})
        functions.insert(functions.end(), list.begin(), list.end());
    return {std::move(text), AnyName{}, functions};
}

CustomCompoundBondForce CustomCompoundBondForce::plain() const {
    if (particles_per_bond < 1)
        throw InputError("the number of particles of each bond is " + std::to_string(particles_per_bond)
                         + ", expected at least 1");
    auto const tables = formula_functions(tabulated_functions);
    auto const expected = "a particle, p1 to p" + std::to_string(particles_per_bond);
    auto result = *this;
    result.energy =
        formula(with_point_functions(energy.formula(), numbered_points('p', particles_per_bond), expected, tables),
                tabulated_functions);
    return result;
}

}  // namespace trotter
