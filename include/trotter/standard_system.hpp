// The standard forces and the System type with them, into which files are read.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/extensions/forces.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/atm.hpp>
#include <trotter/forces/callback_force.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/constant_potential.hpp>
#include <trotter/forces/custom_angle.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/custom_cv.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_gb.hpp>
#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/custom_torsion.hpp>
#include <trotter/forces/custom_volume.hpp>
#include <trotter/forces/gay_berne.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/rmsd.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// The forces inside of the container forces of a StandardSystem: any standard force.
struct InnerForces;
/// A CustomCVForce whose variables may be any other standard force.
using CustomCVForce = BasicCustomCVForce<InnerForces>;
using ATMForce = BasicATMForce<InnerForces>;  ///< an ATMForce whose inner forces may be any other standard force

/// All standard forces, with the names of OpenMM, and those of the extensions in this build.
using StandardForces = ConcatenatedLists<
    ForceList<HarmonicBondForce, HarmonicAngleForce, PeriodicTorsionForce, RBTorsionForce, CMAPTorsionForce,
              CustomBondForce, CustomAngleForce, CustomTorsionForce, CustomExternalForce, NonbondedForce, GBSAOBCForce,
              ConstantPotentialForce, CustomNonbondedForce, CustomGBForce,
              CustomCompoundBondForce, CustomCentroidBondForce,
              CustomHbondForce, CustomManyParticleForce,
              CustomCVForce, ATMForce,
              CustomVolumeForce, GayBerneForce, LCPOForce, OrientationRestraintForce, RGForce, RMSDForce,
              CMMotionRemover, AndersenThermostat, MonteCarloBarostat, MonteCarloAnisotropicBarostat,
              MonteCarloMembraneBarostat, MonteCarloFlexibleBarostat, CallbackForce<>>,
    ExtensionForces>;
using StandardSystem = System<StandardForces>;  ///< a System of standard forces

struct InnerForces : StandardSystem {};

}  // namespace trotter
