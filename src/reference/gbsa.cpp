// GBSAOBCForce: generalized Born formulas as stages.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <vector>

#include <trotter/physics/gbsa_formula.hpp>

#include "stages.hpp"

namespace trotter::reference {

/// Stage value 0.
struct BornIntegral : OfPairs {
    std::vector<double> const &reduced_radii, &scaled_radii;

    double value(std::size_t i, std::size_t j, double r, StageNumbers const&, HostState const&) const {
        return of_neighbour(i, j, r).value / 2;
    }
    ValueAndForce pass_on(double by_result, std::size_t i, std::size_t j, double r, StageNumbers&, HostState&) const {
        auto const [value, slope] = of_neighbour(i, j, r);
        return {value / 2, -by_result * slope / 2 / r};
    }
    ValueAndSlope<double> of_neighbour(std::size_t i, std::size_t j, double r) const {
        double const rho = reduced_radii[i], s = scaled_radii[j];
        auto const closed = descreening(r, 1 / r, rho, s);
        return central_ratio * r < s ? central_descreening(r, rho, s, closed) : closed;
    }
};

/// Stage value 1.
struct BornRadius : OfParticles {
    GBSAOBCForce const& force;

    double value(std::size_t i, std::size_t, double, StageNumbers const& numbers, HostState const&) const {
        return born_radius(numbers.values[0][i], force.particles[i].radius).value;
    }
    ValueAndForce pass_on(double by_result, std::size_t i, std::size_t, double, StageNumbers& numbers,
                          HostState&) const {
        auto const [value, slope] = born_radius(numbers.values[0][i], force.particles[i].radius);
        numbers.by_value[0][i] += by_result * slope;
        return {value, 0};
    }
};

struct BornOwnEnergy : OfParticles {
    GBSAOBCForce const& force;

    ValueAndForce pass_on(double, std::size_t i, std::size_t, double, StageNumbers& numbers, HostState&) const {
        auto const& [charge, radius, scale] = force.particles[i];
        auto const own = self_energy(force.prefactor(), force.surface_area_energy, charge, radius, numbers.values[1][i]);
        numbers.by_value[1][i] += own.slope;
        return {own.value, 0};
    }
};

struct BornPairEnergy : OfPairs {
    GBSAOBCForce const& force;
    double prefactor = force.prefactor(), shift = force.uses_cutoff() ? 1 / force.cutoff_distance : 0;

    ValueAndForce pass_on(double, std::size_t i, std::size_t j, double r, StageNumbers& numbers, HostState&) const {
        double const born1 = numbers.values[1][i], born2 = numbers.values[1][j];
        double const product = prefactor * force.particles[i].charge * force.particles[j].charge;
        double const r2 = r * r;
        auto const pair = born_pair(r2, born1 * born2);
        numbers.by_value[1][i] += product * pair.radius_slope / born1;
        numbers.by_value[1][j] += product * pair.radius_slope / born2;
        return {product * (pair.inverse - shift), product * pair.virial / r2};
    }
};

struct BornFormulas {
    GBSAOBCForce const& force;
    std::vector<double> reduced_radii{}, scaled_radii{};

    explicit BornFormulas(GBSAOBCForce const& of) : force(of) {
        for (auto const& particle : force.particles) {
            reduced_radii.push_back(particle.reduced_radius());
            scaled_radii.push_back(particle.scaled_radius());
        }
    }

    static std::size_t value_count() { return 2; }
    template <class Visit> void visit_value(std::size_t k, Visit const& visit) const {
        if (k == 0)
            visit(BornIntegral{{}, reduced_radii, scaled_radii});
        else
            visit(BornRadius{{}, force});
    }
    template <class Visit> void for_each_energy(Visit const& visit) const {
        visit(BornOwnEnergy{{}, force});
        visit(BornPairEnergy{{}, force});
    }
};

template <> class CompiledKernel<GBSAOBCForce>::Implementation : public Stages<GBSAOBCForce, BornFormulas> {
    using Stages::Stages;
};

template class CompiledKernel<GBSAOBCForce>;

}  // namespace trotter::reference
