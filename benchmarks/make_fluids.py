#!/usr/bin/env python3
# Makes fluids for comparisons with other programs: argon as in LAMMPS's benchmark, and boxes of rigid water.
# SPDX-License-Identifier: MIT
"""make_fluids.py TO [NAME …]

Each folder TO/NAME gets system.xml.gz, state.xml.gz and integrator.xml. Needs openmm. The names, both by default:
  argon       32,000 particles at the density 0.8442/σ³ with a cutoff of 2.5 σ, melted from a face-centred cubic lattice, Verlet
              steps of 0.005 τ (LAMMPS, bench/in.lj, in the units of argon: σ = 0.3405 nm, ε/k = 119.8 K)
  water       833 TIP3P molecules, PME with a cutoff of 0.9 nm, 2 fs; larger boxes are made of it by tests/long/replicate.py
"""
import argparse
import gzip
import pathlib

import openmm
from openmm import app, unit

SIGMA, EPSILON, MASS = 0.3405, 119.8 * 0.0083144626, 39.948


def argon():
    """The lattice at rest for each atom but its velocity, at twice the temperature of the melt."""
    cells, edge = 20, SIGMA * (4 / 0.8442) ** (1 / 3)
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*(cells * edge if k == n else 0 for k in range(3))) for n in range(3)))
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(2.5 * SIGMA)
    force.setUseDispersionCorrection(False)
    positions = []
    for x in range(cells):
        for y in range(cells):
            for z in range(cells):
                for a, b, c in ((0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)):
                    positions.append(openmm.Vec3(x + a, y + b, z + c) * edge)
                    system.addParticle(MASS)
                    force.addParticle(0, SIGMA, EPSILON)
    system.addForce(force)
    tau = SIGMA * (MASS / EPSILON) ** 0.5
    return system, positions, openmm.VerletIntegrator(0.005 * tau), 1.44 * 119.8


def water():
    modeller = app.Modeller(app.Topology(), [] * unit.nanometer)
    field = app.ForceField("tip3p.xml")
    modeller.addSolvent(field, model="tip3p", numAdded=833)
    system = field.createSystem(modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9, rigidWater=True)
    return system, modeller.positions, openmm.LangevinMiddleIntegrator(300, 1, 0.002), 300


FLUIDS = {"argon": argon, "water": water}


def write(folder, system, positions, integrator, temperature):
    """The State is that after 1000 steps on OpenMM's CPU platform, once the energy is at a minimum nearby."""
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("CPU"))
    context.setPositions(positions)
    openmm.LocalEnergyMinimizer.minimize(context, 100)
    context.setVelocitiesToTemperature(temperature, 1)
    integrator.step(1000)
    state = context.getState(positions=True, velocities=True, enforcePeriodicBox=False)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("system", system), ("state", state)):
        with gzip.open(folder / f"{name}.xml.gz", "wt") as file:
            file.write(openmm.XmlSerializer.serialize(content))
    (folder / "integrator.xml").write_text(openmm.XmlSerializer.serialize(integrator))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("to", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*FLUIDS, []])
    options = parser.parse_args()
    for name in options.names or FLUIDS:
        write(options.to / name, *FLUIDS[name]())


if __name__ == "__main__":
    main()
