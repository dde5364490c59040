// Improves the places of added hydrogens by energy.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <trotter/app/force_field/force_field.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::program {

/// For AddHydrogensOptions::improve: 50 iterations of minimization by a force field, on Cpu, in which only the new
/// hydrogens move; the same from run to run. A hydrogen that ends too far from its atom or too near to another keeps
/// its place, and all do if the energy is not finite. The force field must outlive the function, which throws
/// InputError if it does not know a residue.
std::function<void(app::Structure&, std::vector<bool> const&)> minimization_by(
    app::ForceField const& force_field, std::map<int, std::string> residue_templates);

}  // namespace trotter::program
