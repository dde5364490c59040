// The formulas of particle mesh Ewald as device text.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>

#include <trotter/device/mesh_text.hpp>
#include <trotter/device/traced.hpp>
#include <trotter/forces/particle_mesh.hpp>

namespace trotter::device {

std::string influence_text(MeshKind kind, double alpha, std::string const& suffix) {
    auto function = [&](std::string const& head, auto const& formula) {
        Statements statements("t", suffix);
        Traced const value = formula(Traced(statements, "m2"), Traced(statements, "volume"));
        return "inline DEVICE real " + head + " {\n" + statements.text() + "return " + value.text(statements) + ";\n}\n";
    };
    std::string const head = "influence(real m2, real volume)", zero_head = "influence_at_zero(real volume)";
    if (kind == MeshKind::coulomb)
        return function(head, [&](Traced const& m2, Traced const& volume) {
                   return coulomb_influence_beyond_zero(m2, alpha, volume) * (1 / constants::coulomb);
               })
               + function(zero_head, [](Traced const&, Traced const&) { return Traced(0); });
    return function(head, [&](Traced const& m2, Traced const& volume) { return dispersion_influence_of(m2, alpha, volume); })
           + "inline DEVICE real " + zero_head + " { return influence(0, volume); }\n";
}

std::string spline_text(std::string const& suffix) {
    Statements statements("t", suffix);
    auto const weights = spline_weights(Traced(statements, "w"));
    for (std::size_t j = 0; j < spline_order; ++j) {
        std::string const index = '[' + std::to_string(j) + "] = ";
        statements.add("value" + index + weights.value[j].text(statements) + ';');
        statements.add("slope" + index + weights.slope[j].text(statements) + ';');
    }
    return "inline DEVICE void spline(real w, real* value, real* slope) {\n" + statements.text() + "}\n";
}

}  // namespace trotter::device
