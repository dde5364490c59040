#!/usr/bin/env python3
"""Makes system.xml.gz, state.xml.gz and integrator.xml from 5dfr_solv-cube_equil.pdb (needs openmm).

make_inputs.py 5dfr_solv-cube_equil.pdb
"""
import gzip
import sys

import openmm
from openmm import app


def write(name, text):
    data = text.encode()
    with open(name, "wb") as file:
        file.write(gzip.compress(data, 9, mtime=0) if name.endswith(".gz") else data)


def main():
    pdb = app.PDBFile(sys.argv[1])
    system = app.ForceField("amber99sb.xml", "tip3p.xml").createSystem(
        pdb.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9, constraints=app.HBonds)
    integrator = openmm.LangevinMiddleIntegrator(300, 1.0, 0.002)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("CPU"))
    context.setPositions(pdb.positions)
    context.setVelocitiesToTemperature(300)
    integrator.step(500)
    state = context.getState(positions=True, velocities=True)
    write("system.xml.gz", openmm.XmlSerializer.serialize(system))
    write("state.xml.gz", openmm.XmlSerializer.serialize(state))
    write("integrator.xml", openmm.XmlSerializer.serialize(integrator))


if __name__ == "__main__":
    main()
