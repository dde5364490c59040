// Parameters of ring polymer molecular dynamics.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/core/particles.hpp>

namespace trotter {

/// Constant pressure for a ring polymer: Monte Carlo moves of the volume that shift all copies of a molecule by the
/// same vector, which scales the centers of the molecules' centroids. The temperature is the integrator's.
struct RPMDMonteCarloBarostat {
    static constexpr std::string_view name = "RPMDMonteCarloBarostat";  ///< in messages

    double pressure = 1;     ///< [bar]
    int frequency = 25;      ///< steps between moves; 0: never
    std::uint64_t seed = 0;  ///< 0: derived from that of the RingPolymer
};

/// Ring polymer molecular dynamics (I. R. Craig, D. E. Manolopoulos, J. Chem. Phys. 121, 3368 (2004)): copies of one
/// System at `copies` times the temperature, with springs between the same particle of neighboring copies, have the
/// statistics of quantum particles that are distinguishable. The thermostat is PILE-L (M. Ceriotti, M. Parrinello,
/// T. E. Markland, D. E. Manolopoulos, J. Chem. Phys. 133, 124104 (2010)): `friction` acts on centroids, internal modes
/// are critically damped.
struct RPMDIntegrator {
    static constexpr std::string_view name = "RPMDIntegrator";  ///< in messages

    int copies = 0;                ///< 1 or more; 1 is classical
    double temperature = not_set;  ///< also gives the strength of the springs [K]
    double friction = not_set;     ///< of centroids [1/ps]
    double step_size = not_set;    ///< [ps]
    bool apply_thermostat = true;  ///< otherwise the energy of the ring is constant
    /// Number of copies on which a force group is evaluated, after ring polymer contraction (T. E. Markland,
    /// D. E. Manolopoulos, J. Chem. Phys. 129, 024105 (2008)); all copies for groups that are not listed.
    std::map<int, int> contractions{};
    std::optional<RPMDMonteCarloBarostat> barostat{};  ///< none by default
    std::uint64_t seed = 0;                            ///< 0: derived from that of the RingPolymer
    ForceGroups force_groups{};                        ///< those that the integrator applies; all by default
};

namespace rpmd {

/// Throws InputError for the first invalid parameter, and for particles that a ring polymer cannot have: constraints.
void check(RPMDIntegrator const& integrator, Particles const& particles);

}  // namespace rpmd

}  // namespace trotter
