// RMSDForce: the RMSD from a reference structure after superposition.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/core/structure_check.hpp>
#include <trotter/forces/rmsd.hpp>

#include "define_kernel.hpp"
#include "superposition.hpp"

namespace trotter::reference {

/// E = sqrt(Σ |x - R y|²/N) of centred positions and reference positions. At the best rotation R the energy is
/// stationary, so that ∂E/∂x = (x - R y)/(N E).
template <> class CompiledKernel<RMSDForce>::Implementation {
public:
    Implementation(RMSDForce const& force, Engine<Reference, Double>& engine, Registration who) : index_(who.index) {
        update(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, group_)) return 0;
        auto difference = centered(chosen(host.positions, particles_));
        auto const rotation = eigen_system(rotation_matrix(difference, reference_)).vectors[0];
        double square = 0;
        for (std::size_t n = 0; n < difference.size(); ++n) {
            difference[n] -= rotated(rotation, reference_[n]);
            square += dot(difference[n], difference[n]);
        }
        double const count = static_cast<double>(particles_.size()), rmsd = std::sqrt(square / count);
        // The remaining difference of equal structures is rounding, without direction.
        if (rmsd <= 1e-14 * size_) return rmsd;
        for (std::size_t n = 0; n < difference.size(); ++n)
            host.forces[static_cast<std::size_t>(particles_[n])] -= difference[n] / (count * rmsd);
        return rmsd;
    }

    /// Updates reference and particles.
    void update(RMSDForce const& force, Engine<Reference, Double>& engine) {
        int const count = engine.host.particles.count();
        check_reference_positions(force.reference_positions, count);
        check_distinct_particles(force.particles, count);
        group_ = force.force_group;
        particles_ = named_or_all(force.particles, count);
        reference_ = centered(chosen(force.reference_positions, particles_));
        size_ = 0;
        for (auto const& y : reference_) size_ += norm(y);
    }

private:
    int index_, group_ = 0;
    std::vector<int> particles_;
    std::vector<Vec3<>> reference_;
    double size_ = 0;
};

template class CompiledKernel<RMSDForce>;

}  // namespace trotter::reference
