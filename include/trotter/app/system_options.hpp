// How a System is made from a structure and parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>

namespace trotter::app {

/// Treatment of long distances by Lennard-Jones and Coulomb interactions, with OpenMM's names.
enum class NonbondedMethod { no_cutoff, cutoff_non_periodic, cutoff_periodic, ewald, pme, ljpme };
/// Which distances are constrained.
enum class Constraints { none, h_bonds, all_bonds, h_angles };
/// Models of generalized Born solvent.
enum class ImplicitSolvent { none, hct, obc1, obc2, gbn, gbn2 };
/// Energy of the solvent-accessible surface beside a generalized Born model.
enum class SurfaceArea { none, ace, lcpo };

/// Options of a System to be made. What is not given follows the default of the kind of input, which differ: OpenMM's
/// for force fields, prmtop, top and psf files.
struct SystemOptions {
    NonbondedMethod nonbonded_method = NonbondedMethod::no_cutoff;  ///< of Lennard-Jones and Coulomb interactions
    std::optional<double> cutoff;                                   ///< [nm]; 1 by default
    std::optional<double> switch_distance;                          ///< [nm]; no switching function by default
    Constraints constraints = Constraints::none;                    ///< besides those of rigid water
    std::optional<bool> rigid_water;              ///< whether bonds and angles of water are constrained
    std::optional<bool> flexible_constraints;     ///< whether constrained bonds and angles keep their harmonic terms
    std::optional<double> hydrogen_mass;          ///< [amu]; taken from the heavy atom that the hydrogen is bonded to
    std::optional<bool> remove_cm_motion;         ///< true by default
    std::optional<double> ewald_error_tolerance;  ///< relative error of the forces of lattice sums
    std::optional<bool> dispersion_correction;    ///< for Lennard-Jones interactions beyond the cutoff
    std::optional<bool> ignore_external_bonds;    ///< whether residues match without their bonds to others
    bool listed_pairs_only =
        false;  ///< of top files: whether atoms within nrexcl interact only if [ pairs ] lists them
    std::map<int, std::string> residue_templates;  ///< index of a residue → name of the template to use for it

    ImplicitSolvent implicit_solvent = ImplicitSolvent::none;  ///< generalized Born model
    std::optional<double> implicit_solvent_kappa;              ///< inverse Debye length [1/nm]
    std::optional<double> implicit_solvent_salt;  ///< concentration of salt [mol/l], from which kappa follows
    std::optional<double> temperature;            ///< [K], for kappa
    std::optional<double> solute_dielectric;      ///< relative permittivity inside of the solute
    std::optional<double> solvent_dielectric;     ///< relative permittivity of the solvent
    std::optional<SurfaceArea> surface_area;      ///< energy of the surface beside implicit solvent
};

}  // namespace trotter::app
