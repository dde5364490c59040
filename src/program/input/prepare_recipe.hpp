// What a staged run prepares where its file does not say how.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "prepare_file.hpp"

namespace trotter::program {

/// A choice of how a structure is prepared.
struct PreparationChoice {
    std::string what, value;    ///< `padding`, `1 nm`
    std::string default_value;  ///< of the recipe
    std::string source;         ///< `file` or `recipe`
};

/// Completes [prepare] by the recipe: of a structure the most occupied alternate locations; without steps hydrogens at
/// pH 7, a dodecahedron of water with a padding of 1 nm, and 0.15 mol/l of NaCl; without [prepare.system] PME with a
/// cutoff of 0.9 nm and constraints of bonds with hydrogen. Files of other programs bring their solvent; without a box
/// their System has no cutoff. Returns the choices. Throws InputError for a structure without a force field.
std::vector<PreparationChoice> follow_recipe(PrepareFile& file);

}  // namespace trotter::program
