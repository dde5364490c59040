// Generalized Born models of implicit solvent, and energies of the solvent-accessible surface.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <trotter/app/system_options.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// Parameters of an atom in a generalized Born model.
struct GBAtom {
    double radius = 0.15;                        ///< intrinsic [nm]
    double screening = 0.8;                      ///< factor on the radius when the atom shields others
    double alpha = 1, beta = 0.8, gamma = 4.85;  ///< of the rescaling function, which GBn2 alone has for each element
};

/// A model and its settings.
struct ImplicitSolventSettings {
    ImplicitSolvent model = ImplicitSolvent::obc2;  ///< generalized Born model
    SurfaceArea surface_area = SurfaceArea::ace;    ///< energy of the surface beside it
    double kappa = 0;  ///< inverse Debye length [1/nm]
    double solute_dielectric = 1;      ///< relative permittivity inside
    double solvent_dielectric = 78.5;  ///< and outside of the solute
    NonbondedMethod method = NonbondedMethod::no_cutoff;  ///< none of the lattice sums
    double cutoff = 1;                                    ///< [nm]
};

/// The settings that options ask for; kappa follows from the concentration of salt if it is not given. Throws
/// InputError for a lattice sum, which no model works with, and for a negative kappa.
ImplicitSolventSettings implicit_solvent_settings(SystemOptions const& options,
                                                  SurfaceArea default_surface_area = SurfaceArea::ace);

/// Radii and screening by element, bonds, and names of residues: the set that a model was made for (mbondi for HCT,
/// mbondi2 for OBC1 and OBC2, Bondi's for GBn, mbondi3 for GBn2).
std::vector<GBAtom> standard_gb_atoms(Topology const& topology, ImplicitSolvent model);

/// The generalized Born energy, with ACE if the settings ask for it, as a force of pairs. Charges [e], one for each
/// atom. Throws InputError for a radius outside of 0.1 to 0.2 nm with GBn or GBn2, whose tables end there.
CustomGBForce generalized_born(ImplicitSolventSettings const& settings, std::span<double const> charges,
                               std::span<GBAtom const> atoms);
/// The energy of the surface by LCPO (Weiser, Shenkin, Still, J. Comput. Chem. 20, 217 (1999)), types chosen by element
/// and bonds. Throws InputError for an atom without parameters.
LCPOForce lcpo_surface(Topology const& topology, bool periodic);

/// What the scripts of OpenMM's `implicit/*.xml` do: a standard model on the charges of the System's only
/// NonbondedForce, whose reaction field becomes that of vacuum. Throws InputError unless there is exactly one.
void add_implicit_solvent(StandardSystem& system, Topology const& topology, ImplicitSolventSettings const& settings);

}  // namespace trotter::app
