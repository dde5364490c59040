// The adaptive quantum thermal bath.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>

namespace trotter {

/// Langevin dynamics whose noise gives a mode of frequency w the mean energy h w (1/2 + 1/(exp(h w/kT) - 1)) of a
/// quantum oscillator. Zero-point energy leakage is compensated: after each segment of the trajectory the noise
/// strength at each frequency, the adapted friction, is moved towards the value that the fluctuation-dissipation
/// theorem requires. (E. Mangaud, S. Huppert, T. Plé, P. Depondt, S. Bonella, F. Finocchi, J. Chem. Theory Comput. 15,
/// 2863 (2019).) Mean kinetic energies are correct at any friction, mean potential energies only for modes much faster
/// than the friction. Memory: six numbers per particle and step of a segment. Velocities have no classical temperature.
struct QTBIntegrator {
    static constexpr std::string_view name = "QTBIntegrator";  ///< type name, in messages and files

    double temperature = not_set;           ///< [K]; a new one takes effect at the next segment
    double friction = not_set;              ///< [1/ps]
    double step_size = not_set;             ///< [ps]
    double segment_length = 1;              ///< [ps]
    double cutoff_frequency = 500;          ///< no noise beyond it [1/ps]
    double default_adaptation_rate = 0.01;  ///< of types not in `type_adaptation_rates` [1/ps]
    /// Particles of a type share mass and adapted friction; unlisted ones adapt individually.
    std::map<int, int> particle_types{};
    std::map<int, double> type_adaptation_rates{};  ///< by type [1/ps]
    std::uint64_t seed = 0;                         ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;             ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default

    /// Prefix of the names of one type's adapted friction in a State, where "particle" is the index of a particle of
    /// that type; `integrator` is the index in a CompoundIntegrator.
    static std::string path_of_type(int integrator, std::size_t type) {
        return "IntegratorParameters[" + std::to_string(integrator) + "]/Friction[" + std::to_string(type) + "]/";
    }
    /// Name of the adapted friction [1/ps] at one frequency in a State.
    static std::string path_of_friction(int integrator, std::size_t type, std::size_t frequency) {
        return path_of_type(integrator, type) + "F[" + std::to_string(frequency) + "]/v";
    }
};

}  // namespace trotter
