// Generates source that evaluates one bonded term: from its force's formula, or user-supplied.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include <trotter/device/text/traced.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/tables/tables.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// Positions and distance vectors of a term's particles x1, x2, … in source.
struct TracedGeometry {
    Statements& statements;
    bool is_periodic;

    Vec3<Traced> position(int n) const { return components('x' + std::to_string(n + 1)); }
    Vec3<Traced> nearest_image(Vec3<Traced> const& d) const;
    /// Value and derivatives of a table whose values begin at TABLES.
    void look_up(Tables const& tables, int table, std::span<Traced const* const> operands, std::span<Traced* const> results) const;
    Vec3<Traced> operator()(int i, int j) const;

private:
    Vec3<Traced> components(std::string const& of) const;
};

/// The source for a force's formula. In it, `index` is the term's index, `atom1` … are its particles, `x1` … their
/// positions, FIELD(n) is its n-th parameter and PARAMETER(n) the n-th global parameter; `energy` and `derivative0` …
/// are sums, and add_force(forces, atom, real3) and add_fine_force(forces, atom, coordinate3) add a force. Terms are
/// few and stiff, and their forces cancel: they are computed in the type of positions.
template <HasTerms F> std::string term_text(F const& force, FormulaOf<F> const& formula, std::string const& suffix,
                                            std::string const& add_force = "add_fine_force(forces") {
    Statements statements("temp", suffix, "coordinate");
    bool is_periodic = false;
    if constexpr (requires { force.periodic; }) is_periodic = force.periodic;
    auto fields = zeros<TermFields<F, Traced>>(field_count(force));
    for (std::size_t n = 0; n < fields.size(); ++n)
        fields[n] = {statements, statements.name("FIELD(" + std::to_string(n) + ')')};
    auto parameters = zeros<FormulaParameters<F, Traced>>(parameter_names<F>(formula).size());
    for (std::size_t n = 0; n < parameters.size(); ++n)
        parameters[n] = {statements, statements.name("PARAMETER(" + std::to_string(n) + ')')};
    TermEvaluator<F, Traced> evaluate(formula);
    auto const& value = evaluate(TracedGeometry{statements, is_periodic}, fields, parameters);
    statements.add("energy += " + value.energy.name(statements) + ';');
    for (std::size_t p = 0; p < term_size(force); ++p) {
        auto const& g = value.gradient[p];
        statements.add(add_force + ", atom" + std::to_string(p + 1) + ", make_coordinate3("
                       + (-g.x).name(statements) + ", " + (-g.y).name(statements) + ", " + (-g.z).name(statements)
                       + "));");
    }
    int derivative = 0;
    auto const wanted = wanted_derivatives(force, formula);
    for (std::size_t n = 0; n < wanted.size(); ++n)
        if (wanted[n])
            statements.add("derivative" + std::to_string(derivative++)
                           + " += " + value.parameter_slopes[n].name(statements) + ';');
    return statements.text();
}

/// The source for a user's own text. It can use `index`, `atom1` …, and positions `pos1` … (real4); it adds to `energy`
/// and declares `force1` … (real4), the forces on the particles.
std::string user_term_text(std::string const& text, int particles);

}  // namespace trotter::device
