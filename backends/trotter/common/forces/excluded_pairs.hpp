// What sums over wave vectors hold of pairs that do not interact.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// Takes it out of these pairs, in double, one after the other: adds forces, returns the energy [kJ/mol].
double take_out_pairs(ReciprocalCharges const& charges, std::vector<PairSettings::Exclusion> const& pairs,
                      HostState& host);

}  // namespace trotter
