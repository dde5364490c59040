// RGForce: the radius of gyration.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/core/structure_check.hpp>
#include <trotter/forces/rg.hpp>

#include "define_kernel.hpp"
#include "superposition.hpp"

namespace trotter::reference {

/// E = sqrt(Σ |x|²/N) of centred positions; ∂E/∂x = x/(N E).
template <> class CompiledKernel<RGForce>::Implementation {
public:
    Implementation(RGForce const& force, Engine<Reference, Double>& engine, Registration who) : index_(who.index) {
        update(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, group_)) return 0;
        auto const x = centered(chosen(host.positions, particles_));
        double square = 0;
        for (auto const& point : x) square += dot(point, point);
        double const count = static_cast<double>(x.size()), radius = std::sqrt(square / count);
        if (radius == 0) return 0;  // a single point has no gradient direction
        for (std::size_t n = 0; n < x.size(); ++n)
            host.forces[static_cast<std::size_t>(particles_[n])] -= x[n] / (count * radius);
        return radius;
    }

    /// Updates the particles.
    void update(RGForce const& force, Engine<Reference, Double>& engine) {
        int const count = engine.host.particles.count();
        check_distinct_particles(force.particles, count);
        group_ = force.force_group;
        particles_ = named_or_all(force.particles, count);
    }

private:
    int index_, group_ = 0;
    std::vector<int> particles_;
};

template class CompiledKernel<RGForce>;

}  // namespace trotter::reference
