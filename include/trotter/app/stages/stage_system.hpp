// The System of a stage: a System with restraints and a barostat.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/app/stages/stage.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Context parameter that scales all restraints.
inline constexpr std::string_view restraint_scale_parameter = "restraint_scale";
/// Context parameter that scales one restraint: `restraint_NAME`.
std::string restraint_parameter(std::string_view name);

/// Adds a CustomExternalForce that holds atoms at reference positions [nm], one for each particle of the System; in a
/// periodic System by the distance of nearest images, which does not jump where a molecule crosses the box. Particles
/// without mass, virtual sites among them, are left out: they have no motion of their own. `scale` and `factor` are the
/// defaults of the two parameters. Throws InputError for a force constant that is negative or not finite, and for an
/// atom that the System does not have.
void add_restraint(StandardSystem& system, PositionRestraint const& restraint, std::vector<int> const& atoms,
                   std::vector<Vec3<>> const& reference, double scale = 1, double factor = 1);

/// Adds a CustomCentroidBondForce between the centers of mass of two sets of atoms. Throws InputError as above, and for
/// an empty set.
void add_restraint(StandardSystem& system, DistanceRestraint const& restraint, std::vector<int> const& first,
                   std::vector<int> const& second, double scale = 1, double factor = 1);

/// The System without its Monte Carlo barostats; other forces keep their order.
StandardSystem without_barostats(StandardSystem const& system);

/// Adds the barostat of a stage, if it has a pressure. Throws InputError if the System is not periodic, or if the stage
/// has no temperature above 0.
void add_barostat(StandardSystem& system, Stage const& stage);

}  // namespace trotter::app
