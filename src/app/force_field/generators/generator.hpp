// The forces that a force field may have.
// SPDX-License-Identifier: MIT
#pragma once
#include <variant>

#include "custom.hpp"
#include "harmonic.hpp"
#include "nonbonded.hpp"
#include "torsions.hpp"

namespace trotter::app::force_field {

/// Reads the element of its `tag`, and makes the force from it: `create` adds it to the System and returns its number
/// among those of its type; `finish`, if there is one, completes it when all forces are there.
using Generator = std::variant<HarmonicBonds, HarmonicAngles, UreyBradley, PeriodicTorsions, RBTorsions, CMAPTorsions,
                               Nonbonded, LennardJones, GBSAOBC, CustomBonds, CustomAngles, CustomTorsions,
                               CustomNonbonded, CustomGB, CustomManyParticle, CustomHbonds>;

}  // namespace trotter::app::force_field
