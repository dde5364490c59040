// Removes excluded pairs from reciprocal-space sums.
// SPDX-License-Identifier: MIT
#include <cstddef>

#include <trotter/common/forces/box_virial.hpp>
#include <trotter/common/forces/excluded_pairs.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

double subtract_excluded_pairs(ReciprocalCharges const& charges, std::vector<PairSettings::Exclusion> const& pairs,
                               HostState& host) {
    double const alpha = charges.alpha();
    double energy = 0;
    for (auto const& [particle1, particle2] : pairs) {
        auto const i = static_cast<std::size_t>(particle1), j = static_cast<std::size_t>(particle2);
        Vec3<> d = host.positions[i] - host.positions[j];
        if (charges.exclusions_use_periodic) d = host.box.minimum_image(d);
        double const r2 = dot(d, d);
        auto const on_mesh = mesh_pair(charges.kind, charges.charges[i] * charges.charges[j], r2, alpha);
        energy -= on_mesh.energy;
        if (on_mesh.virial != 0) add_force(host, i, j, d * (-on_mesh.virial / r2), d);
    }
    return energy;
}

}  // namespace trotter
