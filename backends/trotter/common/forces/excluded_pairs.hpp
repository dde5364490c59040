// Removes excluded pairs from reciprocal-space sums.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// Subtracts the reciprocal-space energy of `pairs`, serially in double: adds forces, returns the energy [kJ/mol].
double subtract_excluded_pairs(ReciprocalCharges const& charges, std::vector<PairSettings::Exclusion> const& pairs,
                               HostState& host);

}  // namespace trotter
