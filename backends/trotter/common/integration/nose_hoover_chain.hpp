// A Nosé-Hoover thermostat chain, which scales velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/units.hpp>

namespace trotter {

/// Fractions of a time step in a higher-order factorization: M. Suzuki, Phys. Lett. A 146, 319 (1990); H. Yoshida,
/// Phys. Lett. A 150, 262 (1990). With 3 and 5 stages the outer fractions are 1/(2 - 2^(-1/3)) and 1/(4 - 4^(-1/3)), as
/// in OpenMM, where the papers have positive exponents: these factorizations are of second order.
inline std::vector<double> yoshida_suzuki_shares(int stages) {
    double const outer3 = 1 / (2 - 1 / std::cbrt(2.0)), outer5 = 1 / (4 - 1 / std::cbrt(4.0));
    if (stages == 3) return {outer3, 1 - 2 * outer3, outer3};
    if (stages == 5) return {outer5, outer5, 1 - 4 * outer5, outer5, outer5};
    constexpr double a = 0.784513610477560, b = 0.235573213359357, c = -1.17767998417887;
    if (stages == 7) return {a, b, c, 1 - 2 * (a + b + c), c, b, a};
    return {1};
}

template <class T> struct NoseHooverBead {
    T position = 0;  ///< dimensionless
    T velocity = 0;  ///< [1/ps]
};

/// Equations of motion of a chain's beads, for any number type.
template <class T> struct NoseHooverStage {
    T kT, target;        ///< of a bead, and target of twice the kinetic energy [kJ/mol]
    T first_mass, mass;  ///< of the first bead, and of the others

    /// Advances the beads by `step` [ps]; returns the total scale factor for the velocities, which were scaled by
    /// `scale` after their Σ m v² was computed.
    T operator()(std::vector<NoseHooverBead<T>>& beads, T const& twice_kinetic_energy, T const& scale,
                 T const& step) const {
        using std::exp;
        kick_beads(beads, scale * scale * twice_kinetic_energy, step / 2, true);
        T const scaled = scale * exp(-step * beads[0].velocity);
        for (auto& bead : beads) bead.position += step * bead.velocity;
        kick_beads(beads, scaled * scaled * twice_kinetic_energy, step / 2, false);
        return scaled;
    }

private:
    // Advances all bead velocities by half a step, from the last bead to the first or in reverse. Each is damped by the
    // next bead, before and after the kick by its force.
    void kick_beads(std::vector<NoseHooverBead<T>>& beads, T const& twice_kinetic_energy, T const& half_step,
                    bool from_last) const {
        using std::exp;
        std::size_t const last = beads.size() - 1;
        auto const mass_of = [this](std::size_t i) { return i == 0 ? first_mass : mass; };
        for (std::size_t n = 0; n <= last; ++n) {
            std::size_t const i = from_last ? last - n : n;
            T const drive = i == 0 ? twice_kinetic_energy - target
                                   : mass_of(i - 1) * beads[i - 1].velocity * beads[i - 1].velocity - kT;
            T const damping = i == last ? T(1) : exp(-half_step / 2 * beads[i + 1].velocity);
            beads[i].velocity = damping * (damping * beads[i].velocity + half_step * drive / mass_of(i));
        }
    }
};

/// Beads of mass Q₁ = n kT/ω², Q₂… = kT/ω² for n degrees of freedom at temperature T and frequency ω
/// (G. J. Martyna, M. E. Tuckerman, D. J. Tobias, M. L. Klein, Mol. Phys. 87, 1117 (1996)).
struct NoseHooverChain {
    using Bead = NoseHooverBead<double>;

    double temperature = 0, collision_frequency = 0;
    int degrees_of_freedom = 0;
    int multiple_time_steps = 1;
    std::vector<double> shares{1};
    std::vector<Bead> beads;

    double kT() const { return constants::gas_constant * temperature; }
    double mass(std::size_t bead) const {
        return (bead == 0 ? degrees_of_freedom : 1) * kT() / (collision_frequency * collision_frequency);
    }

    /// Advances the chain by `dt` [ps]; returns the scale factor for velocities with the given Σ m v² [kJ/mol].
    double propagate(double twice_kinetic_energy, double dt) {
        if (twice_kinetic_energy < 2 * at_rest || degrees_of_freedom <= 0) return 1;
        auto const stage = this->stage();
        double scale = 1;
        for (int n = 0; n < multiple_time_steps; ++n)
            for (double share : shares)
                scale = stage(beads, twice_kinetic_energy, scale, share * dt / multiple_time_steps);
        return scale;
    }
    NoseHooverStage<double> stage() const { return {kT(), degrees_of_freedom * kT(), mass(0), mass(1)}; }

    /// Below this kinetic energy particles are at rest and not thermostatted [kJ/mol].
    static constexpr double at_rest = 1e-8;

    /// Contribution of the beads to the conserved energy [kJ/mol].
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < beads.size(); ++i)
            sum += 0.5 * mass(i) * beads[i].velocity * beads[i].velocity
                   + (i == 0 ? degrees_of_freedom : 1) * kT() * beads[i].position;
        return sum;
    }
};

}  // namespace trotter
