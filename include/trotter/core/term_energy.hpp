// Parts of the energy of one force.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter {

/// Energy of a term of a force, or a part of its energy that is not of certain particles.
struct TermEnergy {
    std::vector<int> particles{};  ///< of a term; for a CustomCentroidBondForce, its groups
    double energy = 0;           ///< [kJ/mol]
    std::string part{};          ///< name of the part if a force is more than a sum of terms
};

}  // namespace trotter
