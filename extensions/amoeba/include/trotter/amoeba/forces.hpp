// The forces of this extension.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/amoeba/multipole.hpp>
#include <trotter/amoeba/torsion_torsion.hpp>
#include <trotter/amoeba/vdw.hpp>
#include <trotter/amoeba/wca_dispersion.hpp>
#include <trotter/system.hpp>

namespace trotter::amoeba {

/// For Systems with AMOEBA or HIPPO.
using Forces = ForceList<AmoebaMultipoleForce, AmoebaGeneralizedKirkwoodForce, AmoebaVdwForce, AmoebaWcaDispersionForce,
                         AmoebaTorsionTorsionForce, HippoNonbondedForce>;

}  // namespace trotter::amoeba
