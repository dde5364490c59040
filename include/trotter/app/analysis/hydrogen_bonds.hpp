// Hydrogen bonds and how often they are there.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/app/analysis/frames.hpp>

namespace trotter::app {

/// What counts as a hydrogen bond of a donor D with its hydrogen H and an acceptor A.
enum class HydrogenBondCriterion {
    baker_hubbard,  ///< H–A below 0.25 nm and D–H–A above 120° (Baker and Hubbard, Prog. Biophys. Mol. Biol. 44, 97 (1984))
    distance_angle  ///< D–A below 0.35 nm and H–D–A below 30° (Luzar and Chandler, Nature 379, 55 (1996))
};

/// Three atoms; ordered by their indices.
struct HydrogenBond {
    int donor = 0;     ///< nitrogen or oxygen with a bond to the hydrogen
    int hydrogen = 0;  ///< of the donor
    int acceptor = 0;  ///< nitrogen or oxygen other than the donor

    friend auto operator<=>(HydrogenBond const&, HydrogenBond const&) = default;  ///< by donor, hydrogen, acceptor
};

/// Finds the hydrogen bonds of frames. Memory grows with the number of different ones.
class HydrogenBonds {
public:
    /// Looks at bonds among the given atoms. Throws InputError if none of these is a donor with a hydrogen, or none is an
    /// acceptor.
    HydrogenBonds(std::vector<int> const& atoms, Topology const& topology,
                  HydrogenBondCriterion criterion = HydrogenBondCriterion::baker_hubbard);

    /// The hydrogen bonds of a frame, ordered; they are counted.
    std::vector<HydrogenBond> add(Frame const& frame);

    /// In how many of the frames each hydrogen bond was.
    std::map<HydrogenBond, std::int64_t> const& counts() const { return counts_; }
    std::int64_t frame_count() const { return frame_count_; }  ///< frames added

private:
    bool is_bond(HydrogenBond const& bond, Frame const& frame) const;

    std::vector<HydrogenBond> donors_;  // acceptors are not set
    std::vector<int> acceptors_;
    HydrogenBondCriterion criterion_;
    std::map<HydrogenBond, std::int64_t> counts_;
    std::int64_t frame_count_ = 0;
};

}  // namespace trotter::app
