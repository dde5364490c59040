// Stages of a simulation and the restraints that act in them, as plain data.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/stages/ramp.hpp>

namespace trotter::app {

/// Atoms held by springs at reference positions: U = s f k/2 d², where d is the distance from the reference or its
/// nearest periodic image, f the restraint's factor and s the scale of all restraints in a stage.
struct PositionRestraint {
    std::string name;                 ///< letters, digits and `_`
    std::string atoms{};              ///< selection of the atoms
    double force_constant = 0;        ///< k [kJ/mol/nm²]
    std::string reference = "input";  ///< `input`: the prepared structure; `start`: each stage's beginning; or a file
    std::string reference_stage{};    ///< of `start`: the beginning of this stage instead
    bool is_everywhere = true;        ///< acts in stages that do not name it
    bool may_be_empty = false;        ///< whether it may select no atom
};

/// A spring between the centers of mass of two sets of atoms: U = s f k/2 (d − d0)².
struct DistanceRestraint {
    std::string name;           ///< letters, digits and `_`
    std::string first{}, second{};  ///< selections of the two sets
    double force_constant = 0;  ///< k [kJ/mol/nm²]
    double distance = 0;        ///< d0 [nm]
};

/// What a stage does.
enum class StageKind { minimize, simulate };
/// Where the velocities of a stage come from: drawn anew, or those at the end of the stage before. `automatic` keeps
/// them after a simulation, and draws them else.
enum class StageVelocities { automatic, drawn, kept };
/// How the box follows the pressure.
enum class StageBarostat { none, isotropic, membrane };
/// Equations of motion.
enum class StageIntegrator { langevin_middle, nose_hoover, verlet };

/// One stage: a minimization, or a simulation under one set of conditions.
struct Stage {
    std::string name;  ///< names its folder
    StageKind kind = StageKind::simulate;  ///< what it does

    int max_iterations = 0;  ///< of a minimization; 0: no limit
    double tolerance = 10;   ///< of a minimization: RMS force to reach [kJ/mol/nm]

    double time = 0;          ///< of a simulation [ps]
    double timestep = 0.002;  ///< [ps]
    StageIntegrator integrator = StageIntegrator::langevin_middle;  ///< of a simulation
    double friction = 1;                 ///< [1/ps]; collision frequency of Nosé-Hoover chains
    std::optional<Ramp> temperature{};   ///< [K]
    std::optional<Ramp> pressure{};      ///< [bar]; nothing: constant volume
    StageBarostat barostat = StageBarostat::isotropic;  ///< if there is a pressure
    int barostat_interval = 25;                         ///< steps between moves of the volume
    StageVelocities velocities = StageVelocities::automatic;  ///< at the beginning

    bool until_plateau = false;  ///< repeat `time` until the density is flat
    int most_blocks = 20;        ///< of these repetitions
    bool must_be_flat = true;    ///< fail if the density is not flat after these; else go on

    std::map<std::string, Ramp> restraints{};  ///< factors by name; 1 for those that act everywhere and are not named
    Ramp restraint_scale{1};                   ///< of all restraints
    bool needs_solute = false;  ///< is left out if there is nothing but water and ions
    bool needs_box = false;     ///< is left out if the System is not periodic
    bool is_guarded = false;    ///< fails if temperature or density are more than 20 % off

    std::optional<std::int64_t> log_interval{}, trajectory_interval{}, checkpoint_interval{};  ///< [steps]
    std::string save{};  ///< selection of the atoms in the trajectory; empty: all

    /// Number of steps of one block. Throws InputError for none, or more than 1e15.
    std::int64_t steps() const;
};

/// Restraints and stages, in the order in which these are taken.
struct StagePlan {
    std::vector<PositionRestraint> position_restraints;  ///< acting where a stage or they themselves say so
    std::vector<DistanceRestraint> distance_restraints;  ///< acting everywhere unless a stage's factor is 0
    std::vector<Stage> stages;                           ///< at least one
};

/// Factor of a restraint in a stage; nothing if it does not act there.
std::optional<Ramp> factor_in(Stage const& stage, PositionRestraint const& restraint);
/// The same.
std::optional<Ramp> factor_in(Stage const& stage, DistanceRestraint const& restraint);

}  // namespace trotter::app
