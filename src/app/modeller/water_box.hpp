// An equilibrated box of water that solvent is cut from.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <trotter/app/modeller/water.hpp>
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// A cubic or rectangular box of water molecules.
struct WaterBox {
    Structure structure;
    std::vector<int> oxygens;  ///< index of the oxygen of each residue
    Vec3<> size;               ///< [nm]

    /// The box of a model. Throws InputError, naming the file, if it is missing or no box of such waters.
    static WaterBox load(WaterModel model, std::vector<std::string> const& folders);
};

}  // namespace trotter::app
