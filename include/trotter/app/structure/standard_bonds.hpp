// Bonds that follow from the names of residues and atoms, or from distances.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trotter/app/topology.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Bonds of standard residues by names of atoms, as the table `residues.xml` that OpenMM ships lists them.
class StandardBonds {
public:
    /// Two names of atoms; one that begins with `-` or `+` is of the residue before or behind in the chain.
    using Names = std::pair<std::string, std::string>;

    /// Reads the first `residues.xml` in the folders. Throws InputError if there is none or it is no such table.
    static StandardBonds load(std::vector<std::string> const& folders);

    /// Adds the bonds inside the residues, and with neighbors in their chains, that the topology does not have yet.
    void add_to(Topology& topology) const;

    /// The bonds of a residue of a standard name; none for another name.
    std::vector<Names> const& of(std::string const& residue) const;

private:
    std::unordered_map<std::string, std::vector<Names>> bonds_;  // by residue
};

/// Adds disulfides as OpenMM finds them: each CYS with SG and without HG, in order, is bonded to the nearest earlier SG
/// closer than 0.3 nm that has no bond to an SG yet. Images in periodic boxes are not looked at.
void add_disulfide_bonds(Topology& topology, std::vector<Vec3<>> const& positions);

}  // namespace trotter::app
