// Places the missing heavy atoms of one residue.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <trotter/app/structure.hpp>
#include <vector>

#include "app/modeller/ideal_residues.hpp"

namespace trotter::app {

/// Missing atoms of a residue by the geometry of an ideal one.
class ResidueBuilder {
public:
    /// `places` are those of the ideal residue's atoms where they are known, and `is_known` tells which; those in
    /// `wanted` are to be found.
    ResidueBuilder(IdealResidue const& ideal, std::vector<Vec3<>> places, std::vector<bool> is_known,
                   std::vector<int> wanted);

    /// Whether there are enough known atoms.
    bool can_build() const { return can_build_; }
    /// Whether the wanted atoms can be turned.
    bool can_turn() const { return !free_.empty(); }

    /// Takes the torsions at which `score` of all places is lowest: usual ones first, and if the best is above
    /// `acceptable` any. Returns the places.
    std::vector<Vec3<>> best(std::function<double(std::vector<Vec3<>> const&)> const& score, double acceptable) const;

private:
    std::vector<Vec3<>> built(std::vector<double> const& torsions) const;
    bool place(int atom, std::vector<Vec3<>> const& ideal, std::vector<Vec3<>>& places,
               std::vector<bool> const& is_placed) const;
    void determine(IdealTorsion const& torsion);
    std::vector<double> usual_torsions(std::vector<std::size_t> const& choice) const;

    IdealResidue const& ideal_;
    std::vector<Vec3<>> places_, turned_;  // known places; the ideal residue with the torsions that are determined
    std::vector<bool> is_known_;
    std::vector<int> wanted_;
    std::vector<IdealTorsion const*> free_;
    bool can_build_ = true;
};

}  // namespace trotter::app
