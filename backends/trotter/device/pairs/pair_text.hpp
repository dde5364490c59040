// The text of the loop over pairs, for one or several interactions of one range.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>

namespace trotter::device {

/// PAIR_WARPS times 32 work-items are a work-group, where each 32 do an item of their own: lanes hold particles j of an
/// entry each, while the group's particles i stand in local memory, j cluster by j cluster. What the i get is added up
/// over the lanes, with eight numbers in registers for each component; one fixed-point addition for each j and, at the
/// end, for each i. Where lanes go in step, pairs out of range are computed like others and then left out. Lane n
/// begins with particle n/4 of a j cluster, so that lanes which add up their sums hold what they exchange in the same
/// registers; what is known of a j cluster's particles stands in local memory twice, one behind the other, so that all
/// lanes go straight on.
std::string pair_text(std::vector<PairInteraction const*> interactions, PairSums wants);

}  // namespace trotter::device
