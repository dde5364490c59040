// Validates ReciprocalCharges and computes their position-independent energy.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <tuple>

#include <trotter/base/field.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>

namespace trotter {

void check(ReciprocalCharges const& charges, int particle_count, double memory) {
    check_particle_number(charges.charges.size(), particle_count);
    for (std::size_t i = 0; i < charges.charges.size(); ++i)
        detail::require_finite(charges.charges[i], "charge", Numbered{"particle", i});
    detail::check_exclusions(charges.exclusions, particle_count);
    if (auto const* const mesh = std::get_if<MeshSettings>(&charges.method)) {
        check_mesh(*mesh, "Ewald");
        check_mesh_memory(*mesh, "Ewald", memory);
    }
}

void check_same_shape(ReciprocalCharges const& charges, ReciprocalCharges const& changed) {
    auto const settings = [](ReciprocalCharges const& c) {
        auto const mesh = c.mesh();
        return std::tuple{mesh.alpha, mesh.nx, mesh.ny, mesh.nz, c.force_group, c.charges.size()};
    };
    if (settings(charges) != settings(changed) || charges.exclusions != changed.exclusions)
        throw InputError("the mesh, its exclusions or the force group have changed; only charges can be updated");
}

ReciprocalConstant reciprocal_constant(ReciprocalCharges const& charges) {
    double sum = 0, squares = 0;
    for (double const charge : charges.charges) {
        sum += charge;
        squares += charge * charge;
    }
    double const alpha = charges.alpha();
    if (charges.kind == MeshKind::dispersion) return {.own = std::pow(alpha, 6) / 12 * squares};
    return {.own = -constants::coulomb * alpha * std::numbers::inv_sqrtpi * squares,
            .background = -constants::coulomb * std::numbers::pi * sum * sum / (2 * alpha * alpha)};
}

}  // namespace trotter
