// Lowers CustomCompoundBondForce: rewrites functions of particles as functions of coordinates.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_compound_bond.hpp>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/parts/terms/point_formula.hpp>

namespace trotter {

std::tuple<CustomCompoundBondForce> CustomCompoundBondForce::parts() const {
    if (particles_per_bond < 1)
        throw InputError("the number of particles of each bond is " + std::to_string(particles_per_bond)
                         + ", expected at least 1");
    auto result = *this;
    auto const text = with_point_functions(energy.formula(), numbered_points("particle, p", particles_per_bond),
                                           formula_functions(tabulated_functions));
    result.energy = formula(text, tabulated_functions);
    return result;
}

}  // namespace trotter
