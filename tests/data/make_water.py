#!/usr/bin/env python3
"""Makes water-512/: 512 rigid TIP3P waters under the conditions in which conservation of energy is measured (needs openmm).

PME with a cutoff of 0.9 nm and a tolerance of 1e-6, Lennard-Jones switched from 0.8 nm, constraint tolerance 1e-8, leapfrog at 2 fs,
no thermostat, no removal of centre-of-mass motion. Equilibrated for 50 ps at 300 K.
"""
import gzip
import os

import openmm as mm
from openmm import app, unit


def write(name, text):
    with open(name, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0) if name.endswith(".gz") else text.encode())


def main():
    field = app.ForceField("tip3p.xml")
    modeller = app.Modeller(app.Topology(), [] * unit.nanometer)
    modeller.addSolvent(field, numAdded=512)
    modeller.topology.setPeriodicBoxVectors([mm.Vec3(2.5, 0, 0), mm.Vec3(0, 2.5, 0), mm.Vec3(0, 0, 2.5)])
    system = field.createSystem(modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9, switchDistance=0.8,
                                ewaldErrorTolerance=1e-6, removeCMMotion=False)
    heat = mm.LangevinMiddleIntegrator(300, 5, 0.002)
    heat.setRandomNumberSeed(1)
    system.addForce(mm.MonteCarloBarostat(1, 300, 10))
    context = mm.Context(system, heat, mm.Platform.getPlatformByName("CPU"))
    context.setPositions(modeller.positions)
    mm.LocalEnergyMinimizer.minimize(context)
    context.setVelocitiesToTemperature(300, 1)
    heat.step(25000)
    state = context.getState(positions=True, velocities=True)
    system.removeForce(system.getNumForces() - 1)
    system.setDefaultPeriodicBoxVectors(*state.getPeriodicBoxVectors())
    leapfrog = mm.VerletIntegrator(0.002)
    leapfrog.setConstraintTolerance(1e-8)
    os.makedirs("water-512", exist_ok=True)
    write("water-512/system.xml.gz", mm.XmlSerializer.serialize(system))
    write("water-512/state.xml.gz", mm.XmlSerializer.serialize(state))
    write("water-512/integrator.xml", mm.XmlSerializer.serialize(leapfrog))


if __name__ == "__main__":
    main()
