// One Nosé-Hoover chain: a heat bath that scales velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/units.hpp>

namespace trotter {

/// Shares of a time step in a product of higher order: M. Suzuki, Phys. Lett. A 146, 319 (1990); H. Yoshida, Phys.
/// Lett. A 150, 262 (1990). With 3 and 5 stages the outer shares are 1/(2 - 2^(-1/3)) and 1/(4 - 4^(-1/3)), as OpenMM
/// has them, where the papers have positive exponents: such products are of second order.
inline std::vector<double> yoshida_suzuki_shares(int stages) {
    double const outer3 = 1 / (2 - 1 / std::cbrt(2.0)), outer5 = 1 / (4 - 1 / std::cbrt(4.0));
    if (stages == 3) return {outer3, 1 - 2 * outer3, outer3};
    if (stages == 5) return {outer5, outer5, 1 - 4 * outer5, outer5, outer5};
    constexpr double a = 0.784513610477560, b = 0.235573213359357, c = -1.17767998417887;
    if (stages == 7) return {a, b, c, 1 - 2 * (a + b + c), c, b, a};
    return {1};
}

/// Beads of mass Q₁ = n kT/ω², Q₂… = kT/ω² for n degrees of freedom at temperature T and frequency ω
/// (G. J. Martyna, M. E. Tuckerman, D. J. Tobias, M. L. Klein, Mol. Phys. 87, 1117 (1996)).
struct NoseHooverChain {
    struct Bead {
        double position = 0;  ///< without unit
        double velocity = 0;  ///< [1/ps]
    };

    double temperature = 0, collision_frequency = 0;
    int degrees_of_freedom = 0;
    int multiple_time_steps = 1;
    std::vector<double> shares{1};
    std::vector<Bead> beads;

    double kT() const { return constants::gas_constant * temperature; }
    double mass(std::size_t bead) const {
        return (bead == 0 ? degrees_of_freedom : 1) * kT() / (collision_frequency * collision_frequency);
    }

    /// Moves the chain on by `dt` [ps]; returns the factor for the velocities whose Σ m v² is given [kJ/mol].
    double propagate(double twice_kinetic_energy, double dt) {
        if (twice_kinetic_energy < 2 * at_rest || degrees_of_freedom <= 0) return 1;
        double scale = 1;
        for (int n = 0; n < multiple_time_steps; ++n)
            for (double share : shares) {
                double const step = share * dt / multiple_time_steps;
                kick_beads(scale * scale * twice_kinetic_energy, step / 2, true);
                scale *= std::exp(-step * beads[0].velocity);
                for (Bead& bead : beads) bead.position += step * bead.velocity;
                kick_beads(scale * scale * twice_kinetic_energy, step / 2, false);
            }
        return scale;
    }

    /// What the beads add to the conserved energy [kJ/mol].
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < beads.size(); ++i)
            sum += 0.5 * mass(i) * beads[i].velocity * beads[i].velocity
                   + (i == 0 ? degrees_of_freedom : 1) * kT() * beads[i].position;
        return sum;
    }

private:
    /// Particles that do not move have no temperature to control [kJ/mol].
    static constexpr double at_rest = 1e-8;

    // Half a step of all bead velocities: from the last bead to the first, or from the first to the last. Each is
    // damped by the next one before and after the kick by its own force.
    void kick_beads(double twice_kinetic_energy, double half_step, bool from_last) {
        std::size_t const last = beads.size() - 1;
        for (std::size_t n = 0; n <= last; ++n) {
            std::size_t const i = from_last ? last - n : n;
            double const drive = i == 0 ? twice_kinetic_energy - degrees_of_freedom * kT()
                                        : mass(i - 1) * beads[i - 1].velocity * beads[i - 1].velocity - kT();
            double const damping = i == last ? 1 : std::exp(-half_step / 2 * beads[i + 1].velocity);
            beads[i].velocity = damping * (damping * beads[i].velocity + half_step * drive / mass(i));
        }
    }
};

}  // namespace trotter
