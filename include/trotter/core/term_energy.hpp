// Parts of the energy of one force.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter {

/// A term of a force, or a part of its energy that is not of certain particles.
struct TermEnergy {
    std::vector<int> particles{};  ///< of a term; those of a CustomCentroidBondForce are its groups
    double energy = 0;           ///< [kJ/mol]
    std::string part{};          ///< what it is where a force is more than a sum of terms
};

}  // namespace trotter
