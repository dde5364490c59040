// Types of LCPO's parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/app/implicit_solvent.hpp>

namespace trotter::app {

/// Hybridization and number of bonds to heavy atoms; series are consecutive.
enum class LcpoType {
    none,
    c_sp3_1,
    c_sp3_2,
    c_sp3_3,
    c_sp3_4,
    c_sp2_2,
    c_sp2_3,
    o_sp3_1,
    o_sp3_2,
    o_sp2_1,
    o_carboxylate,
    n_sp3_1,
    n_sp3_2,
    n_sp3_3,
    n_sp2_1,
    n_sp2_2,
    n_sp2_3,
    s_1,
    s_2,
    p_3,
    p_4,
    chlorine,
    fluorine,
    magnesium,
    unknown
};

/// Atomic number; 0 for an extra particle.
int lcpo_atomic_number(Atom const& atom);
/// The type of a series that begins with `first` for `smallest` bonds to heavy atoms; unknown beyond its ends.
LcpoType lcpo_series(LcpoType first, int heavy_bonds, int smallest, int largest);
/// Throws InputError.
[[noreturn]] void refuse_lcpo(int atom, int atomic_number, int total_bonds, int heavy_bonds);
/// The force of these types; none of them may be unknown.
LCPOForce lcpo_force(std::vector<LcpoType> const& types, bool periodic);

}  // namespace trotter::app
