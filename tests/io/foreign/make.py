#!/usr/bin/env python3
# Writes the trajectories in this folder with MDTraj and MDAnalysis, for tests/io/trajectory_reader.cpp.
# SPDX-License-Identifier: MIT
#
#     make.py      made the files with MDTraj 1.11.1 and MDAnalysis 2.11.0
import pathlib
import warnings

import MDAnalysis
import mdtraj
import numpy as np

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
PARTICLES, FRAMES, STEP = 12, 3, 0.5  # ps between frames
BOX = np.array([[3, 0, 0], [1, 2.5, 0], [-0.5, 1.2, 2]])


def positions(frame):
    """On a grid of 0.001 nm, so that rounding does not depend on how it is done."""
    i, axis = np.meshgrid(np.arange(PARTICLES), np.arange(3), indexing="ij")
    return ((37 * i + 101 * frame + 53 * axis) % 500 - 250) / 1000


def write_mdtraj(periodic, name):
    top = mdtraj.Topology()
    chain = top.add_chain()
    for _ in range(PARTICLES):
        top.add_atom("O", mdtraj.element.oxygen, top.add_residue("A", chain))
    xyz = np.array([positions(frame) for frame in range(FRAMES)])
    trajectory = mdtraj.Trajectory(xyz, top, time=STEP * np.arange(FRAMES))
    if periodic:
        trajectory.unitcell_vectors = np.array([BOX] * FRAMES)
    trajectory.save(str(HERE / name))


def write_mdanalysis(name):
    universe = MDAnalysis.Universe.empty(PARTICLES, trajectory=True)
    with MDAnalysis.Writer(str(HERE / name), PARTICLES, dt=STEP) as writer:
        for frame in range(FRAMES):
            universe.atoms.positions = 10 * positions(frame)
            universe.dimensions = MDAnalysis.lib.mdamath.triclinic_box(*(10 * BOX))
            universe.trajectory.ts.frame, universe.trajectory.ts.time = frame, STEP * frame
            writer.write(universe.atoms)


for kind in ("dcd", "xtc"):
    write_mdtraj(True, f"mdtraj.{kind}")
    write_mdanalysis(f"mdanalysis.{kind}")
write_mdtraj(False, "open.dcd")
write_mdtraj(False, "open.xtc")
