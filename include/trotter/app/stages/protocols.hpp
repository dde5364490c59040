// Known protocols of equilibration.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <trotter/app/stages/stage.hpp>

namespace trotter::app {

/// Options of a protocol. All of its stages are guarded.
struct ProtocolOptions {
    double temperature = 300;  ///< [K]
    double pressure = 1;       ///< [bar]
    double time_factor = 1;    ///< of all times and numbers of iterations, for trials
    int most_blocks = 20;      ///< of the last stage of Roe and Brooks
    bool must_be_flat = true;  ///< fail if the density is not flat after these
};

/// Ten stages: minimizations and short simulations in which restraints of heavy atoms get weaker, then simulation at
/// constant pressure until the density is flat. D. R. Roe and B. R. Brooks, J. Chem. Phys. 153, 054123 (2020); numbers
/// of steps and force constants as in the first author's AmberMdPrep 0.3. AMBER's energy of restraints is w d²
/// [kcal/mol/Å²], so that k = 2 · 418.4 w. Here the System's own cutoff and constraints hold in all stages, and velocities
/// follow Langevin dynamics with 5/ps.
StagePlan roe_brooks(ProtocolOptions const& options);

/// A minimization, 100 ps at constant volume and, in a periodic box, 1 ns at constant pressure.
StagePlan simple_equilibration(ProtocolOptions const& options);

/// The protocol of this name, `roe-brooks` or `simple`. Throws InputError for another name, and for temperatures,
/// factors or blocks that are not positive.
StagePlan protocol(std::string_view name, ProtocolOptions const& options);

}  // namespace trotter::app
