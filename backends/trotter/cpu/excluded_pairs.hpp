// What meshes hold of excluded pairs that are too far apart for the pair loop.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/cpu/pair_search.hpp>
#include <trotter/forces/pair_energies.hpp>

namespace trotter::cpu {

/// Takes the mesh's part out of exceptions that span more than the pair list reaches, or a face of the box: there are
/// none as long as molecules are whole and small. In double, one after the other.
template <class Arch> class ExcludedPairs {
public:
    /// Chooses them, after a pair list was made from these positions.
    void choose(NonbondedForce const& force, std::vector<Vec3<>> const& positions, Box const& box,
                Exclusions<Arch> const& exclusions) {
        pairs_.clear();
        if (!exclusions.screened) return;
        for (auto const& e : force.exceptions)
            if (!exclusions.in_loop(positions, box, e.particle1, e.particle2))
                pairs_.push_back({e.particle1, e.particle2});
    }

    /// Adds forces, returns the energy. `dispersion_alpha` 0: there is no mesh for dispersion.
    double compute(std::vector<Vec3<>> const& positions, Box const& box, Exclusions<Arch> const& exclusions,
                   std::vector<NonbondedForce::Particle> const& particles, double alpha, double dispersion_alpha,
                   std::vector<Vec3<>>& forces) const {
        double energy = 0;
        for (auto const& [particle1, particle2] : pairs_) {
            auto const i = static_cast<std::size_t>(particle1), j = static_cast<std::size_t>(particle2);
            Vec3<> d = positions[i] - positions[j];
            if (exclusions.periodic) d = box.minimum_image(d);
            double const r2 = dot(d, d);
            auto mesh =
                mesh_coulomb(constants::coulomb * particles[i].charge * particles[j].charge, std::sqrt(r2), alpha);
            if (dispersion_alpha > 0)
                mesh = mesh
                       + mesh_dispersion(dispersion_charge(particles[i]) * dispersion_charge(particles[j]), r2,
                                         dispersion_alpha);
            energy -= mesh.energy;
            if (mesh.virial == 0) continue;
            Vec3<> const force = d * (-mesh.virial / r2);
            forces[i] += force;
            forces[j] -= force;
        }
        return energy;
    }

private:
    struct Pair {
        int particle1, particle2;
    };
    std::vector<Pair> pairs_;
};

}  // namespace trotter::cpu
