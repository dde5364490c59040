#!/usr/bin/env python3
"""OpenMM reads what Trotter wrote from OpenMM's files, with nothing changed: round_trip_openmm.py PROGRAM."""
# SPDX-License-Identifier: MIT
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from other_python import require

require("openmm")
import openmm

KNOWN = """HarmonicBondForce HarmonicAngleForce PeriodicTorsionForce RBTorsionForce CMAPTorsionForce CustomBondForce
CustomAngleForce CustomTorsionForce CustomExternalForce NonbondedForce GBSAOBCForce CustomNonbondedForce CustomGBForce
CustomCompoundBondForce CustomCentroidBondForce CustomHbondForce CustomManyParticleForce CustomCVForce ATMForce
ConstantPotentialForce CustomVolumeForce GayBerneForce LCPOForce OrientationRestraintForce RGForce RMSDForce
CMMotionRemover AndersenThermostat MonteCarloBarostat MonteCarloAnisotropicBarostat MonteCarloMembraneBarostat
MonteCarloFlexibleBarostat VerletIntegrator LangevinIntegrator LangevinMiddleIntegrator BrownianIntegrator
VariableVerletIntegrator VariableLangevinIntegrator NoseHooverIntegrator DPDIntegrator QTBIntegrator CustomIntegrator
CompoundIntegrator AmoebaGeneralizedKirkwoodForce AmoebaMultipoleForce AmoebaTorsionTorsionForce AmoebaVdwForce
AmoebaWcaDispersionForce HippoNonbondedForce DrudeForce DrudeLangevinIntegrator DrudeNoseHooverIntegrator""".split()


def text_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


def kind_of(text):
    return re.search(r"<(System|State|Integrator)\b", text).group(1).lower()


def unknown_classes(text):
    types = re.findall(r'<(?:Force|Integrator)\b[^>]*?\btype="(\w+)"', text)
    return [name for name in types if name not in KNOWN]


def as_openmm_sees(text):
    again = openmm.XmlSerializer.serialize(openmm.XmlSerializer.deserialize(text))
    if kind_of(text) != "state":
        return again
    # The version of empty integrator parameters is irrelevant, and so is the order of variables.
    root = ElementTree.fromstring(again.replace('<IntegratorParameters version="1"/>', "<IntegratorParameters/>"))
    for element in root.iter():
        element[:] = sorted(element, key=lambda child: child.tag)
        element.text = element.tail = None
    return ElementTree.tostring(root)


def everything(folder):
    """What no simulation script writes: every class, option and virtual site with unusual numbers."""
    system = openmm.System()
    for mass in (1, 2.5, 1e-308, 0, 0, 0, 0, 0, 0):
        system.addParticle(mass)
    system.setDefaultPeriodicBoxVectors((2, 0, 0), (-1 / 3, 2, 0), (0.1, 0.2, 2))
    system.addConstraint(0, 1, 0.1)
    vec = openmm.Vec3
    system.setVirtualSite(3, openmm.TwoParticleAverageSite(0, 1, 1 / 3, 2 / 3))
    system.setVirtualSite(4, openmm.ThreeParticleAverageSite(0, 1, 2, 0.1, 0.7, 0.2))
    system.setVirtualSite(5, openmm.OutOfPlaneSite(0, 1, 2, 0.25, 0.75, -1.5))
    point = vec(0.1, -0.0, 0.3)
    x, y, z = vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)
    system.setVirtualSite(6, openmm.LocalCoordinatesSite(0, 1, 2, vec(0.25, 0.75, 0), vec(-1, 0.5, 0.5), x - y, point))
    system.setVirtualSite(7, openmm.LocalCoordinatesSite([0, 1], [0.25, 0.75], [-1, 1], [1, -1], point))
    system.setVirtualSite(8, openmm.SymmetrySite(0, y, -x, z, point, False))
    forces = [openmm.HarmonicBondForce(), openmm.HarmonicAngleForce(), openmm.PeriodicTorsionForce(),
              openmm.RBTorsionForce(), openmm.CMAPTorsionForce(), openmm.NonbondedForce(), openmm.GBSAOBCForce(),
              openmm.CustomNonbondedForce("scale*q1*q2/r + s1*s2; scale = 1 + lambda")]
    bond, angle, periodic, rb, cmap, nonbonded, gbsa, pairs = forces
    bond.addBond(0, 1, 0.1 + 0.2, 1e5 / 3)
    angle.addAngle(0, 1, 2, 1.9, -0.0)
    periodic.addTorsion(0, 1, 2, 3, 6, -3.1415926535897931, 1e-308)
    rb.addTorsion(3, 2, 1, 0, 1, 2, 3, 4, 5, 1 / 7)
    cmap.addMap(3, [i / 9 for i in range(9)])
    cmap.addTorsion(0, 0, 1, 2, 3, 4, 5, 6, 7)
    for i in range(9):
        nonbonded.addParticle(i / 3 - 1, 0.3, 0.5)
        gbsa.addParticle(i / 3, 0.1, 0.8)
        pairs.addParticle([i / 7, -0.0])
    for parameter in ("q", "s"):
        pairs.addPerParticleParameter(parameter)
    pairs.addGlobalParameter("lambda", 0.5)
    pairs.addEnergyParameterDerivative("lambda")
    pairs.addExclusion(7, 2)
    pairs.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffNonPeriodic)
    pairs.setCutoffDistance(1 / 3)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(0.3)
    pairs.setUseLongRangeCorrection(True)
    nonbonded.addException(0, 1, 0.1, 0.3, 0.5)
    nonbonded.addException(4, 2, 0, 1, 0)
    nonbonded.addGlobalParameter("lambda", 0.5)
    nonbonded.addParticleParameterOffset("lambda", 2, 0.1, 0.2, 0.3)
    nonbonded.addExceptionParameterOffset("lambda", 0, -0.1, 0.2, 0.3)
    nonbonded.setNonbondedMethod(openmm.NonbondedForce.LJPME)
    nonbonded.setPMEParameters(3, 21, 22, 23)
    nonbonded.setLJPMEParameters(2.5, 11, 12, 13)
    nonbonded.setUseSwitchingFunction(True)
    nonbonded.setSwitchingDistance(0.8)
    nonbonded.setReactionFieldDielectric(1e300)
    nonbonded.setUseDispersionCorrection(False)
    nonbonded.setExceptionsUsePeriodicBoundaryConditions(True)
    nonbonded.setIncludeDirectSpace(False)
    nonbonded.setReciprocalSpaceForceGroup(5)
    gbsa.setNonbondedMethod(openmm.GBSAOBCForce.CutoffPeriodic)
    gbsa.setSurfaceAreaEnergy(0)
    forces += structure_forces() + sets_of_particles() + [values_of_particles()] + containers() + electrodes()
    for force in (bond, angle, periodic, rb, cmap):
        force.setUsesPeriodicBoundaryConditions(True)
    anisotropic = openmm.MonteCarloAnisotropicBarostat(vec(1, -2, 3), 300, True, False, True, 0)
    modes = openmm.MonteCarloMembraneBarostat
    membrane = modes(1, -2, 300, modes.XYAnisotropic, modes.ConstantVolume, 5, False)
    seeded = [openmm.AndersenThermostat(300, 1), openmm.MonteCarloBarostat(1.01325, 300, 25, False), anisotropic,
              membrane, openmm.MonteCarloFlexibleBarostat(1, 300, 25, False)]
    for i, force in enumerate(seeded):
        force.setRandomNumberSeed(2**31 - 1 - i if i % 2 else -5)
    every_force = forces + seeded + [openmm.CMMotionRemover(3)]
    for i, force in enumerate(every_force):
        force.setForceGroup(i * 31 // (len(every_force) - 1))
        force.setName(f'<"{i}" & \'co\'>\t\u00e5')
        system.addForce(force)
    write(folder / "everything.xml", system)
    polarizable(folder)
    for i, integrator in enumerate(integrators()):
        write(folder / f"integrator-{i}.xml", integrator)


def structure_forces():
    positions = [openmm.Vec3(i / 3, -0.0, 1e-308 * i) for i in range(9)]
    volume = openmm.CustomVolumeForce("p*v + ax*cy")
    volume.addGlobalParameter("p", 1 / 3)
    ellipsoids, areas = openmm.GayBerneForce(), openmm.LCPOForce()
    for i in range(9):
        ellipsoids.addParticle(0.3, i / 7, (i + 1) % 9, (i + 2) % 9, 0.5, 0.3 + i / 99, 0.35, 1.5, 0.9, 1 / 3)
        areas.addParticle(0.3 if i else 0, i / 7, -i / 3, -0.0, 1e300)
    ellipsoids.addException(4, 1, 1 / 3, 0)
    ellipsoids.setNonbondedMethod(openmm.GayBerneForce.CutoffPeriodic)
    ellipsoids.setCutoffDistance(2 / 3)
    ellipsoids.setUseSwitchingFunction(True)
    ellipsoids.setSwitchingDistance(0.5)
    areas.setSurfaceTension(1 / 7)
    areas.setUsesPeriodicBoundaryConditions(True)
    return [volume, ellipsoids, areas, openmm.OrientationRestraintForce(-1 / 3, positions, [3, 1]), openmm.RGForce([2]),
            openmm.RGForce([]), openmm.RMSDForce(positions, []), openmm.RMSDForce(positions, [8, 0, 4])]


def polarizable(folder):
    """AMOEBA, HIPPO and Drude: extensions, with unusual numbers."""
    system = openmm.System()
    for mass in (1, 0.4, 1, 1):
        system.addParticle(mass)
    for force in [torsion_pairs(), multipoles(), *buffered_pairs(), *implicit_solvent(), hippo(), drude()]:
        force.setForceGroup(31)
        force.setName("<\u00e5>")
        system.addForce(force)
    write(folder / "polarizable.xml", system)


def torsion_pairs():
    force = openmm.AmoebaTorsionTorsionForce()
    force.setUsesPeriodicBoundaryConditions(True)
    angles = [-180 + 120 * i for i in range(4)]
    for index in range(2):
        force.setTorsionTorsionGrid(index, [[[x, y, x / 7, -0.0, y / 3, 1e-308] for y in angles] for x in angles])
    force.addTorsionTorsion(0, 1, 2, 3, 0, -1, 1)
    return force


def multipoles():
    force = openmm.AmoebaMultipoleForce()
    quadrupole = [1 / 3, 0.1, -0.0, 0.1, 1 / 7, 1e-5, -0.0, 1e-5, -1 / 3 - 1 / 7]
    for i in range(4):
        z, x, y = ((i + j) % 4 for j in (1, 2, 3))
        force.addMultipole(i / 3, [1e-308, -0.0, i / 7], quadrupole, i % 6, z, x, y, 1 / 3, i / 9, 1e-3 / 7)
    for kind in range(8):
        force.setCovalentMap(2, kind, list(range(kind % 3)))
    force.setNonbondedMethod(force.PME)
    force.setPolarizationType(force.Extrapolated)
    force.setExtrapolationCoefficients([-1 / 7, 1 / 3, 1e-308])
    force.setPMEParameters(5.5, 21, 22, 23)
    force.setCutoffDistance(1 / 3)
    force.setMutualInducedMaxIterations(7)
    force.setMutualInducedTargetEpsilon(1 / 7)
    force.setEwaldErrorTolerance(1e-5)
    return force


def buffered_pairs():
    """Parameters of particles, and of types and their pairs."""
    particles, types = openmm.AmoebaVdwForce(), openmm.AmoebaVdwForce()
    for i in range(4):
        particles.addParticle((i + 1) % 4, 1 / 3, i / 7, 0.9, i == 2, 1 - i / 9)
        types.addParticle(i, i % 2, -0.0)
        particles.setParticleExclusions(i, list(range(i)))
    particles.setSigmaCombiningRule("GEOMETRIC")
    particles.setEpsilonCombiningRule("W-H")
    particles.setAlchemicalMethod(particles.Annihilate)
    particles.setSoftcorePower(3)
    particles.setSoftcoreAlpha(1 / 7)
    particles.setNonbondedMethod(particles.CutoffPeriodic)
    particles.setCutoffDistance(2 / 3)
    particles.setUseDispersionCorrection(False)
    types.addParticleType(1 / 3, 1 / 7)
    types.addParticleType(1e-308, -0.0)
    types.addTypePair(0, 1, 1 / 9, 1e-308)
    types.setPotentialFunction(types.LennardJones)
    return [particles, types]


def implicit_solvent():
    solvent, dispersion = openmm.AmoebaGeneralizedKirkwoodForce(), openmm.AmoebaWcaDispersionForce()
    for i in range(4):
        solvent.addParticle(i / 3 - 0.5, 1 / 7, 0.69, 1 / 9, 0.5)
        dispersion.addParticle(1 / 7, i / 3)
    solvent.setSolventDielectric(1e300)
    solvent.setSoluteDielectric(1 + 1 / 3)
    solvent.setTanhParameters(0.9, 0.1, 1e-308)
    solvent.setTanhRescaling(True)
    solvent.setIncludeCavityTerm(0)
    solvent.setProbeRadius(1 / 7)
    solvent.setSurfaceAreaFactor(-1 / 3)
    dispersion.setEpso(1 / 3)
    dispersion.setShctd(1 / 7)
    dispersion.setSlevy(1 / 9)
    return [solvent, dispersion]


def hippo():
    force = openmm.HippoNonbondedForce()
    for i in range(4):
        dipole, quadrupole = [-0.0, 1e-308, i / 7], [0.1, 0, 0, 0, 0.2, 0, 0, 0, -0.3]
        z, x, y = ((i + j) % 4 for j in (1, 2, 3))
        force.addParticle(i / 3, dipole, quadrupole, 1 / 3, 40, 1 / 7, 2e3, 50, 1e-4, 30, i / 9, 1e-3, i, z, x, y)
    force.addException(3, 1, 0.1, 0.2, 0.3, 0.4, 0.5, 1 / 7)
    force.setNonbondedMethod(force.PME)
    force.setCutoffDistance(2 / 3)
    force.setSwitchingDistance(1 / 3)
    force.setPMEParameters(3, 21, 22, 23)
    force.setDPMEParameters(2.5, 11, 12, 13)
    force.setExtrapolationCoefficients([1 / 7, -1 / 3])
    return force


def drude():
    force = openmm.DrudeForce()
    force.addParticle(1, 0, 2, 3, -1, -1 / 3, 1e-3 / 7, 1.2, 0.9)
    force.addParticle(3, 2, -1, -1, -1, -0.0, 1e-308, 1, 1)
    force.addScreenedPair(0, 1, 1 / 7)
    force.setUsesPeriodicBoundaryConditions(True)
    return force


def sets_of_particles():
    bonds = openmm.CustomHbondForce("k*q*c*distance(d1, a1)*angle(d2, d1, a1) + dihedral(p, d2, a1, a3); p = d3")
    sets = openmm.CustomManyParticleForce(4, "c*(q1 - q4)*distance(p1, p4) + x3*dihedral(p1, p2, p3, p4)")
    for names, add in ((["q"], bonds.addPerDonorParameter), (["c"], bonds.addPerAcceptorParameter),
                       (["q", "unused"], sets.addPerParticleParameter)):
        for name in names:
            add(name)
    bonds.addGlobalParameter("k", 1 / 3)
    sets.addGlobalParameter("c", -0.0)
    bonds.addDonor(0, 1, 2, [1e-308])
    bonds.addDonor(5, 6, 7, [1 / 7])
    bonds.addAcceptor(3, -1, 8, [0.5])
    bonds.addExclusion(1, 0)
    for i in range(9):
        sets.addParticle([i / 3, -i / 7], i % 3 - 1)
    sets.addExclusion(8, 2)
    sets.setTypeFilter(1, {0, 1})
    sets.setTypeFilter(3, {-1})
    sets.setPermutationMode(openmm.CustomManyParticleForce.UniqueCentralParticle)
    for force in (bonds, sets):
        force.setNonbondedMethod(2)
        force.setCutoffDistance(2 / 3)
    return [bonds, sets]


def values_of_particles():
    force = openmm.CustomGBForce()
    for name in ("q", "unused"):
        force.addPerParticleParameter(name)
    for i in range(9):
        force.addParticle([i / 3, -0.0])
    force.addGlobalParameter("c", -0.0)
    force.addEnergyParameterDerivative("c")
    force.addTabulatedFunction("table", openmm.Continuous1DFunction([0, 1 / 3, 2], 0, 1 / 7))
    force.addComputedValue("v", "c*q2*table(r)", force.ParticlePairNoExclusions)
    force.addComputedValue("w", "v^2 + x*q", force.SingleParticle)
    force.addEnergyTerm("w1*w2/r", force.ParticlePair)
    force.addEnergyTerm("q*w", force.SingleParticle)
    force.addExclusion(7, 2)
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(2 / 3)
    return force


def containers():
    """Forces in forces in forces."""
    variables = openmm.CustomCVForce("k*near^2 + table(radius)*states")
    variables.addGlobalParameter("k", 1 / 3)
    variables.addEnergyParameterDerivative("k")
    variables.addTabulatedFunction("table", openmm.Continuous1DFunction([0, 1 / 3, -0.0], 0, 1e-3))
    near = openmm.HarmonicBondForce()
    near.addBond(2, 1, 1 / 7, 1e-308)
    near.setForceGroup(7)
    variables.addCollectiveVariable("near", near)
    variables.addCollectiveVariable("radius", openmm.RGForce([1, 2]))
    states = openmm.ATMForce(0.1, 1 / 3, 0.2, 100, -1, 200, 100, 1 / 16, -1)
    states.addForce(openmm.HarmonicBondForce())
    states.addForce(openmm.CMMotionRemover(3))
    for i in range(8):
        states.addParticle(openmm.Vec3(i / 3, -0.0, i), openmm.Vec3(0, 1e-308, 0))
    offset = openmm.ParticleOffsetDisplacement(3, 4, 5, 6)
    offset.thisown = False  # or it is deleted twice
    states.addParticle(offset)
    outer = openmm.CustomCVForce("states")
    outer.addCollectiveVariable("states", states)
    variables.addCollectiveVariable("states", outer)
    return [variables]


def electrodes():
    force = openmm.ConstantPotentialForce()
    for i in range(9):
        force.addParticle(i / 3 - 1)
    force.addElectrode({7, 3}, -1 / 3, 1 / 7, 1e-308)
    force.addElectrode({0}, 1 / 3, 1, 2)
    force.addElectrode(set(), 0, 0.5, 0)
    force.addException(8, 1, -1 / 3)
    force.setCutoffDistance(0.9)
    force.setPMEParameters(3.5, 21, 22, 23)
    force.setEwaldErrorTolerance(1e-3)
    force.setExceptionsUsePeriodicBoundaryConditions(True)
    force.setConstantPotentialMethod(force.Matrix)
    force.setCGErrorTolerance(1 / 3)
    force.setUsePreconditioner(False)
    force.setUseChargeConstraint(True)
    force.setChargeConstraintTarget(-1 / 7)
    force.setExternalField(openmm.Vec3(1 / 3, -0.0, 1e300))
    return [force]


def integrators():
    simple = [openmm.VerletIntegrator(1 / 3), openmm.LangevinIntegrator(300, 1, 0.001),
              openmm.LangevinMiddleIntegrator(300, 1, 0.001), openmm.BrownianIntegrator(300, 1, 0.001),
              openmm.VariableVerletIntegrator(1e-4), openmm.VariableLangevinIntegrator(300, 1, 1e-4)]
    for i, integrator in enumerate(simple):
        integrator.setConstraintTolerance(1e-9)
        integrator.setIntegrationForceGroups(-1 if i % 2 else 0x80000005)
        if hasattr(integrator, "setRandomNumberSeed"):
            integrator.setRandomNumberSeed(7 - 10 * i)
        if hasattr(integrator, "setMaximumStepSize"):
            integrator.setMaximumStepSize(0.25)
    chains = openmm.NoseHooverIntegrator(0.001)
    chains.addSubsystemThermostat([0, 7], [(1, 2), (3, 4)], 300, 10, 20, 40, 4, 2, 5)
    chains.addSubsystemThermostat([], [(5, 6)], 310, 10, 20, 40, 3, 3, 1)
    chains.setMaximumPairDistance(2.5)
    compound = openmm.CompoundIntegrator()
    for integrator in (openmm.VerletIntegrator(0.001), openmm.NoseHooverIntegrator(300, 25, 0.002), custom()):
        compound.addIntegrator(integrator)
    compound.setCurrentIntegrator(1)
    pairs = openmm.DPDIntegrator(300, 1, 1.2, 0.002)
    pairs.setParticleType(0, 3)
    pairs.setParticleType(7, -2)
    pairs.addTypePair(3, -2, 0.5, 0.7)
    quantum = openmm.QTBIntegrator(300, 20, 0.001)
    quantum.setSegmentLength(0.004)
    quantum.setCutoffFrequency(900)
    quantum.setParticleType(2, 5)
    quantum.setParticleType(6, 5)
    quantum.setTypeAdaptationRate(5, 0.125)
    chains_of_dipoles = openmm.DrudeNoseHooverIntegrator(300, 25, 1 / 3, 20, 0.001, 4, 2, 5)
    langevin_of_dipoles = openmm.DrudeLangevinIntegrator(300, 1 / 3, 1, 20, 0.001)
    langevin_of_dipoles.setRandomNumberSeed(-7)
    dipoles = [chains_of_dipoles, langevin_of_dipoles]
    for integrator in dipoles:
        integrator.setMaxDrudeDistance(1 / 7)
    return simple + dipoles + [
        pairs, custom(), openmm.CustomIntegrator(0), quantum, chains, openmm.NoseHooverIntegrator(0.001), openmm.NoseHooverIntegrator(300, 25, 0.002), compound]


def custom():
    integrator = openmm.CustomIntegrator(0.001)
    integrator.addGlobalVariable("limit", float("inf"))
    integrator.addGlobalVariable("_count", -0.0)
    integrator.addPerDofVariable("old", 1 / 3)
    integrator.addPerDofVariable("new", 0)
    integrator.setPerDofVariableByName("new", [openmm.Vec3(n, n / 7, -1e-300) for n in range(8)])
    integrator.addUpdateContextState()
    integrator.beginIfBlock("_count < 3; limit=2")
    integrator.beginWhileBlock("_count <= 2")
    integrator.addComputeGlobal("_count", "_count+1")
    integrator.endBlock()
    integrator.endBlock()
    integrator.addComputePerDof("old", "cross(x, v)")
    integrator.addConstrainPositions()
    integrator.addComputeSum("_count", "m*v*v")
    integrator.addConstrainVelocities()
    integrator.setKineticEnergyExpression("m*v1*v1/2; v1=v+dt*f/m/2")
    return integrator


def states(folder):
    """States that hold all that Trotter knows, from a Context of each integrator with variables of its own."""
    for i, integrator in enumerate(integrators()[-7:]):
        system = openmm.System()
        for _ in range(8):
            system.addParticle(1)
        force = openmm.NonbondedForce()
        for _ in range(8):
            force.addParticle(0.1, 0.3, 0.5)
        force.addGlobalParameter("lambda", 1 / 3)
        system.addForce(force)
        context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("Reference"))
        context.setPositions([openmm.Vec3(0.01 * (j % 3), j / 3, 1e-308) for j in range(8)])
        context.setVelocitiesToTemperature(300, 5)
        integrator.step(3)
        state = context.getState(positions=True, velocities=True, forces=True, energy=True, parameters=True,
                                 integratorParameters=True)
        write(folder / f"state-{i}.xml", state)


def write(path, thing):
    path.write_text(openmm.XmlSerializer.serialize(thing))


def collect(folder):
    everything(folder)
    states(folder)
    files = sorted(folder.glob("*.xml"))
    data = pathlib.Path(os.environ.get("TROTTER_REFERENCE_DATA", ""))
    if not (data / "oracle").is_dir():
        print("the reference data is absent (TROTTER_REFERENCE_DATA): only files made here are compared")
        return files
    subprocess.run(["tar", "--zstd", "-xf", data / "conformance/visible.tar.zst", "-C", folder], check=True)
    return files + sorted(data.glob("oracle/*/*.xml*")) + sorted((folder / "entries").glob("*/*.xml"))


def run(program, jobs):
    lines = "".join(f"{kind} {source} {target}\n" for kind, source, target in jobs)
    result = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(result) == len(jobs), f"{len(result)} answers to {len(jobs)} files"
    return result


def openmm_refuses(text):
    try:
        openmm.XmlSerializer.deserialize(text)
    except openmm.OpenMMException:
        return True
    return False


def compare(path, text, answer, target, again, counts):
    unknown = unknown_classes(text)
    if answer.startswith("unsupported"):
        counts["refused"] += 1
        return None if "not supported" in answer else f"{path}: the refusal does not say what is not supported: {answer}"
    if answer.startswith("refused"):
        counts["refused"] += 1
        if unknown and not any(name in answer for name in unknown):
            return f"{path}: the refusal names none of {unknown}: {answer}"
        return None if unknown or "/reject-" in str(path) else f"{path}: {answer}"
    if unknown:
        return f"{path}: read although {unknown} are not known"
    if target.read_bytes() != again.read_bytes():
        return f"{path}: what Trotter wrote changes when it reads and writes it again"
    if "/reject-" in str(path) and openmm_refuses(text):  # where Trotter refuses a Context
        counts["refused"] += 1
        return None
    if as_openmm_sees(target.read_text()) != as_openmm_sees(text):
        return f"{path}: OpenMM sees something else than before"
    counts["equal"] += 1
    return None


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = collect(folder)
        texts = [text_of(path) for path in files]
        targets = [folder / f"out-{i}.xml" for i in range(len(files))]
        agains = [folder / f"again-{i}.xml" for i in range(len(files))]
        answers = run(sys.argv[1], [(kind_of(t), p, o) for t, p, o in zip(texts, files, targets)])
        run(sys.argv[1], [(kind_of(t), o, a) for t, o, a in zip(texts, targets, agains) if o.exists()])
        counts = {"equal": 0, "refused": 0}
        problems = [compare(*row, counts) for row in zip(files, texts, answers, targets, agains)]
    problems = [problem for problem in problems if problem]
    print("\n".join(problems))
    print(f"{counts['equal']} files the same for OpenMM, {counts['refused']} refused by name, {len(problems)} problems")
    return 1 if problems or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
