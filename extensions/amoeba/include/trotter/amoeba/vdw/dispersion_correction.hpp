// Mean energy of the pairs that the cutoff of AmoebaVdwForce leaves out.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/vdw/pair_parameters.hpp>
#include <trotter/common/threads/threads.hpp>

namespace trotter::amoeba {

/// Correction times the volume [kJ/mol nm³]: 2π Σ_ij ∫ E_ij(r) (1 - taper(r)) r² dr over all ordered pairs of particles
/// (M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, Oxford 1987, section 2.8), from the beginning of the
/// taper to 20 nm by the midpoint rule with about 200 steps per nm, which defines its value. Factors of particles and
/// alchemical changes do not count.
double dispersion_correction(AmoebaVdwForce const& force, PairParameters const& parameters, Threads& threads);

}  // namespace trotter::amoeba
