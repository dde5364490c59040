// The pairs of AmoebaVdwForce as a formula, to compare with.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/vdw.hpp>
#include <trotter/amoeba/vdw/pair_parameters.hpp>
#include <trotter/forces/custom_nonbonded.hpp>

namespace trotter::amoeba {

/// The interactions of sites, as if they were particles, without dispersion correction. Pairs are chosen by the
/// distance of their sites. sigma and epsilon are tables of all pairs of types.
CustomNonbondedForce pairs_of_sites(AmoebaVdwForce const& force, PairParameters const& parameters);

}  // namespace trotter::amoeba
