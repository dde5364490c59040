// Generates kernel source from the formulas of particle mesh Ewald.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include <trotter/device/mesh/mesh_text.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter::device {

std::string influence_text(MeshKind kind, double alpha, std::string const& suffix) {
    auto function = [&](std::string const& head, auto const& formula) {
        Statements statements("t", suffix);
        Traced const value = formula(Traced(statements, "m2"), Traced(statements, "volume"));
        return "inline DEVICE real " + head + " {\n" + statements.text() + "return " + value.name(statements) + ";\n}\n";
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
        statements.add("value" + index + weights.value[j].name(statements) + ';');
        statements.add("slope" + index + weights.slope[j].name(statements) + ';');
    }
    return "inline DEVICE void spline(real w, real* value, real* slope) {\n" + statements.text() + "}\n";
}

namespace {

/// Source for P(u) of `mesh_dispersion`: a series where the closed form would cancel.
Traced mesh_dispersion_fraction(Traced const& u, Traced const& exponential) {
    Traced series = 0;
    for (int n = 14; n >= 3; --n) series = series * u + Traced(1 / std::tgamma(n + 1));
    return select(Traced(0.5) < u, Traced(1) - exponential * (Traced(1) + u + u * u / Traced(2)),
                  exponential * u * u * u * series);
}

/// Like `mesh_coulomb` on the host: the limit is used below erf(x) = 1e-6.
PairValue<Traced> coulomb_of_mesh(Statements& s, Traced const& qq, Traced const& r, Traced const& inverse_r, double alpha) {
    Traced const x = Traced(alpha) * r, erf_x = erf(x), no_force{s, s.name("(real) 0")};
    auto const value = screened_coulomb<Traced>(qq, inverse_r, x, erf_x, -exp(-(x * x)));
    auto const is_near = erf_x <= Traced(1e-6);
    return {select(is_near, qq * Traced(2 * std::numbers::inv_sqrtpi * alpha), value.energy),
            select(is_near, no_force, value.virial)};
}
PairValue<Traced> dispersion_of_mesh(Statements& s, Traced const& c6, Traced const& r2, Traced const& inverse_r, double alpha) {
    Traced const u = Traced(alpha * alpha) * r2, exponential = exp(-u), inverse2 = inverse_r * inverse_r,
                 no_force{s, s.name("(real) 0")};
    auto const value = mesh_dispersion<Traced>(c6, inverse2 * inverse2 * inverse2, u,
                                                        mesh_dispersion_fraction(u, exponential), exponential);
    auto const is_near = u < Traced(1e-6);
    return {select(is_near, c6 * Traced(-std::pow(alpha, 6) / 6), value.energy),
            select(is_near, no_force, value.virial)};
}

}  // namespace

std::string excluded_pair_text(ReciprocalCharges const& stated, std::string const& charges, bool is_double) {
    Statements s("temp", is_double ? "" : "f");
    bool const is_periodic = stated.exclusions_use_periodic;
    std::string const d = s.name(is_periodic ? "to_real3(nearest_image(x1 - x2, box))" : "to_real3(x1 - x2)", "3");
    Traced const x{s, d + ".x"}, y{s, d + ".y"}, z{s, d + ".z"};
    Traced const r2 = x * x + y * y + z * z, r = sqrt(r2), inverse_r = Traced(1) / max(r, Traced(1e-15));
    Traced const product{s, s.name(charges + "[atom1]*" + charges + "[atom2]")};
    auto const value = stated.kind == MeshKind::coulomb ? coulomb_of_mesh(s, product, r, inverse_r, stated.alpha())
                                                        : dispersion_of_mesh(s, product, r2, inverse_r, stated.alpha());
    Traced const scale = -(value.virial * inverse_r * inverse_r);
    std::string const push =
        "make_real3(" + (x * scale).name(s) + ", " + (y * scale).name(s) + ", " + (z * scale).name(s) + ")";
    return s.text() + "energy -= " + value.energy.name(s) + ";\nconst real3 push = " + push
           + ";\nadd_force(forces, atom1, push);\nadd_force(forces, atom2, make_real3(-push.x, -push.y, -push.z));\n";
}

}  // namespace trotter::device
