#!/usr/bin/env python3
# Writes the trajectories in this folder with MDTraj and MDAnalysis, for tests/io/trajectory_reader.cpp.
# SPDX-License-Identifier: MIT
#
#     make.py      made the files with MDTraj 1.11.1, MDAnalysis 2.11.0 and scipy
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


def write_scipy(name):
    """Big-endian doubles in nanometers, steps, and a variable that Trotter does not know, in the classic format."""
    from scipy.io import netcdf_file
    with netcdf_file(str(HERE / name), "w", version=1) as file:
        file.Conventions, file.ConventionVersion = b"AMBER", b"1.0"
        for dimension, length in (("frame", None), ("spatial", 3), ("atom", PARTICLES), ("cell_spatial", 3), ("cell_angular", 3)):
            file.createDimension(dimension, length)
        cell = mdtraj.utils.box_vectors_to_lengths_and_angles(*BOX.astype(float))
        columns = {"temperature": ("h", ("frame",), "kelvin"), "coordinates": ("d", ("frame", "atom", "spatial"), "nanometer"),
                   "cell_angles": ("f", ("frame", "cell_angular"), "degree"), "time": ("f", ("frame",), "picosecond"),
                   "cell_lengths": ("d", ("frame", "cell_spatial"), "angstrom"), "step": ("i", ("frame",), "")}
        for column, (kind, dimensions, units) in columns.items():
            variable = file.createVariable(column, kind, dimensions)
            if units:
                variable.units = units
        for frame in range(FRAMES):
            values = {"temperature": 300, "coordinates": positions(frame), "cell_angles": cell[3:], "time": STEP * frame,
                      "cell_lengths": 10 * np.array(cell[:3]), "step": frame}
            for column, value in values.items():
                file.variables[column][frame] = value


for kind in ("dcd", "xtc", "nc"):
    write_mdtraj(True, f"mdtraj.{kind}")
    write_mdanalysis(f"mdanalysis.{kind}")
write_mdtraj(False, "open.dcd")
write_mdtraj(False, "open.xtc")
write_mdtraj(False, "open.nc")
write_scipy("scipy.nc")
