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

/// Langevin dynamics whose noise gives a mode of frequency w the mean energy h w (1/2 + 1/(exp(h w/kT) - 1)) of a quantum
/// oscillator. Energy that leaks from fast to slow modes is made up for: after each segment of the trajectory the strength
/// of the noise at each frequency, the adapted friction, moves towards what the fluctuation-dissipation theorem asks for.
/// (E. Mangaud, S. Huppert, T. Plé, P. Depondt, S. Bonella, F. Finocchi, J. Chem. Theory Comput. 15, 2863 (2019).)
/// Mean kinetic energies are right at any friction, those of positions of modes much faster than the friction.
/// Needs memory for six numbers for each particle and step of a segment. Velocities do not have a classical temperature.
struct QTBIntegrator {
    static constexpr std::string_view name = "QTBIntegrator";  ///< type name, in messages and files

    double temperature = not_set;           ///< [K]; a new one takes effect at the next segment
    double friction = not_set;              ///< [1/ps]
    double step_size = not_set;             ///< [ps]
    double segment_length = 1;              ///< [ps]
    double cutoff_frequency = 500;          ///< beyond which there is no noise [1/ps]
    double default_adaptation_rate = 0.01;  ///< of types that `type_adaptation_rates` does not list [1/ps]
    /// Particles of a type have the same mass and the same adapted friction; those not listed adapt each on its own.
    std::map<int, int> particle_types{};
    std::map<int, double> type_adaptation_rates{};  ///< by type [1/ps]
    std::uint64_t seed = 0;                         ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;             ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default

    /// The places in a State of the adapted friction of one type, which a particle of that type stands for; `integrator`
    /// counts those of a CompoundIntegrator from 0.
    static std::string path_of_type(int integrator, std::size_t type) {
        return "IntegratorParameters[" + std::to_string(integrator) + "]/Friction[" + std::to_string(type) + "]/";
    }
    /// Name of the adapted friction [1/ps] at one frequency in a State.
    static std::string path_of_friction(int integrator, std::size_t type, std::size_t frequency) {
        return path_of_type(integrator, type) + "F[" + std::to_string(frequency) + "]/v";
    }
};

}  // namespace trotter
