#!/usr/bin/env python3
# Makes benchmark inputs with the forces and integrators of the extensions.
# SPDX-License-Identifier: MIT
"""make_extension_inputs.py TO [NAME …] [--pdb FILE] [--platform CUDA]

Each folder TO/NAME holds system.xml.gz, state.xml.gz and integrator.xml, as compare_openmm.py reads them. Needs openmm,
which equilibrates on the platform. The names, all of them by default:
"""
import argparse
import gzip
import pathlib

import openmm
from openmm import app, unit
from openmm.mtsintegrator import MTSLangevinIntegrator

WATER_SPACING = 0.3107  # nm, at the density of water


def amoeba(options):
    """DHFR in water with AMOEBA 2018 and mutual polarization; --pdb is 5dfr_solv-cube_equil.pdb of OpenMM's examples."""
    if not options.pdb:
        raise SystemExit("amoeba: --pdb names no file")
    pdb = app.PDBFile(str(options.pdb))
    system = app.ForceField("amoeba2018.xml").createSystem(
        pdb.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.7, vdwCutoff=0.9, constraints=None,
        ewaldErrorTolerance=0.00075, mutualInducedTargetEpsilon=1e-5, polarization="mutual")
    for force in system.getForces():
        if isinstance(force, (openmm.AmoebaMultipoleForce, openmm.AmoebaVdwForce)):
            force.setForceGroup(1)
    integrator = MTSLangevinIntegrator(300, 1, 0.002, [(0, 2), (1, 1)])
    integrator.setConstraintTolerance(1e-5)
    return system, pdb.positions, integrator


def drude_water(options):
    """A box of 4.5 nm of polarizable SWM4-NDP water, with DrudeLangevinIntegrator."""
    field = app.ForceField("swm4ndp.xml")
    modeller = app.Modeller(app.Topology(), [])
    modeller.addSolvent(app.ForceField("tip3p.xml"), boxSize=openmm.Vec3(4.5, 4.5, 4.5) * unit.nanometer)
    modeller.addExtraParticles(field)
    system = field.createSystem(modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=1.0, constraints=app.HBonds,
                                rigidWater=True)
    integrator = openmm.DrudeLangevinIntegrator(300, 5, 1, 20, 0.001)
    integrator.setMaxDrudeDistance(0.02)
    return system, modeller.positions, integrator


def flexible_water(options):
    """216 flexible waters with PME, for ring_polymer.py."""
    system, edge, positions = openmm.System(), 6, []
    width = edge * WATER_SPACING
    system.setDefaultPeriodicBoxVectors([width, 0, 0], [0, width, 0], [0, 0, width])
    bonds, angles, pairs = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce(), openmm.NonbondedForce()
    pairs.setNonbondedMethod(pairs.PME)
    pairs.setCutoffDistance(0.7)
    for n in range(edge**3):
        oxygen, x, y, z = 3 * n, *(WATER_SPACING * i for i in (n % edge, n // edge % edge, n // edge // edge))
        for mass, parameters in ((15.999, (-0.84, 0.3165, 0.65)), (1.008, (0.42, 1, 0)), (1.008, (0.42, 1, 0))):
            system.addParticle(mass)
            pairs.addParticle(*parameters)
        for hydrogen in (oxygen + 1, oxygen + 2):
            bonds.addBond(oxygen, hydrogen, 0.1012, 443153)
            pairs.addException(oxygen, hydrogen, 0, 1, 0)
        angles.addAngle(oxygen + 1, oxygen, oxygen + 2, 1.976, 317.5)
        pairs.addException(oxygen + 1, oxygen + 2, 0, 1, 0)
        side = 0.0588 if n % 2 else -0.0588
        positions += [openmm.Vec3(x, y, z), openmm.Vec3(x + side, y + 0.0814, z), openmm.Vec3(x + side, y - 0.0814, z)]
    for force in (bonds, angles, pairs):
        system.addForce(force)
    return system, positions, openmm.LangevinMiddleIntegrator(300, 1, 0.00025)


INPUTS = {"amoeba": amoeba, "drude-water": drude_water, "flexible-water": flexible_water}


def equilibrated(system, positions, integrator, options):
    """The State after minimization and the steps of the options; the integrator's random numbers begin anew."""
    copy = openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(integrator))
    context = openmm.Context(system, copy, openmm.Platform.getPlatformByName(options.platform))
    context.setPositions(positions)
    context.computeVirtualSites()
    openmm.LocalEnergyMinimizer.minimize(context, 10, 500)
    context.setVelocitiesToTemperature(300, 1)
    copy.step(options.steps)
    return context.getState(positions=True, velocities=True, enforcePeriodicBox=True)


def main():
    names = "\n".join(f"  {name:15} {make.__doc__}" for name, make in INPUTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + names, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TO", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--pdb", type=pathlib.Path)
    parser.add_argument("--platform", default="CUDA")
    parser.add_argument("--steps", type=int, default=5000)
    options = parser.parse_args()
    if unknown := set(options.names) - INPUTS.keys():
        parser.error(f"there is no input {', '.join(sorted(unknown))}; there are {', '.join(INPUTS)}")
    for name in options.names or INPUTS:
        system, positions, integrator = INPUTS[name](options)
        state = equilibrated(system, positions, integrator, options)
        folder = options.target / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, made in (("system.xml.gz", system), ("state.xml.gz", state)):
            text = openmm.XmlSerializer.serialize(made)
            (folder / file).write_bytes(gzip.compress(text.encode(), 6, mtime=0))
        (folder / "integrator.xml").write_text(openmm.XmlSerializer.serialize(integrator))
        print(folder)


if __name__ == "__main__":
    main()
