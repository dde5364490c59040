# Checks that MDTraj and MDAnalysis read Trotter's trajectories, and Trotter theirs: check_trajectories.py TEST-PROGRAM
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from other_python import require

require("MDAnalysis", "mdtraj", "numpy", "scipy")
import MDAnalysis
import mdtraj
import numpy as np
from scipy.io import netcdf_file

warnings.filterwarnings("ignore")
BOX = np.array([[3, 0, 0], [1, 2.5, 0], [-0.5, 1.2, 2]])
CASES = {"few": (True, 10), "open": (False, 10), "wide": (True, 10), "large": (True, 10), "long": (True, 1_500_000_000), "dense": (True, 10)}
STEP = 0.004


def run(program, test, folder):
    subprocess.run([program, test], check=True, env={**os.environ, "TROTTER_SAMPLES": folder}, stdout=subprocess.DEVNULL)


def check_frames(label, found, expected, tolerance):
    assert len(found) == 3, f"{label}: {len(found)} frames"
    for frame, (positions, right) in enumerate(zip(found, expected)):
        worst = np.abs(positions - right).max()
        assert worst <= tolerance, f"{label}: frame {frame} is off by {worst} nm"


def check_mdtraj(stem, kind, expected, periodic, interval):
    size = np.abs(expected).max()
    tolerance = max(1e-6, 3e-7 * size)
    top = mdtraj.Topology()
    chain = top.add_chain()
    for _ in range(expected.shape[1]):
        top.add_atom("O", mdtraj.element.oxygen, top.add_residue("A", chain))
    trajectory = mdtraj.load(f"{stem}.{kind}", top=top)
    check_frames(f"MDTraj {stem}.{kind}", trajectory.xyz, expected, tolerance)
    if periodic:
        assert np.abs(trajectory.unitcell_vectors - BOX).max() < 1e-5, trajectory.unitcell_vectors
    else:
        assert trajectory.unitcell_vectors is None or not trajectory.unitcell_vectors.any()
    if kind in ("xtc", "nc"):
        assert np.allclose(trajectory.time, STEP * interval * np.arange(1, 4), rtol=1e-6), trajectory.time
    if kind == "xtc":
        trajectory.save_xtc(f"{stem}.mdtraj.xtc")
        trajectory.save_netcdf(f"{stem}.mdtraj.nc")
        trajectory.save_dcd(f"{stem}.mdtraj.dcd")


def check_mdanalysis(stem, kind, expected, periodic, interval):
    universe = MDAnalysis.Universe.empty(expected.shape[1], trajectory=False)
    universe.load_new(f"{stem}.{kind}")
    size = np.abs(expected).max()
    found, times = [], []
    with MDAnalysis.Writer(f"{stem}.mdanalysis.{kind}", expected.shape[1]) as writer:
        for ts in universe.trajectory:
            found.append(ts.positions / 10.0)
            times.append(ts.time)
            if periodic:
                assert np.abs(ts.triclinic_dimensions / 10 - BOX).max() < 1e-5, ts.triclinic_dimensions
            else:
                assert ts.dimensions is None or not ts.dimensions.any(), ts.dimensions
            writer.write(universe.atoms)
    check_frames(f"MDAnalysis {stem}.{kind}", found, expected, max(1e-6, 3e-7 * size))
    right = STEP * interval * np.arange(1, 4) if kind != "dcd" else STEP * interval * np.arange(0, 3)
    assert np.allclose(np.diff(times), np.diff(right), rtol=1e-6), (times, right)


def check_netcdf(stem, expected, periodic, interval):
    """What the AMBER convention 1.0 asks for, by a reader that knows nothing of it."""
    with netcdf_file(f"{stem}.nc", mmap=False) as file:
        assert (file.Conventions, file.ConventionVersion, file.program) == (b"AMBER", b"1.0", b"trotter")
        assert file.version_byte == 2 and file._recs == 3 and file.dimensions["frame"] is None, file._recs
        assert (file.dimensions["spatial"], file.dimensions["atom"], file.dimensions["label"]) == (3, expected.shape[1], 5)
        variables = file.variables
        kinds = {"time": ("picosecond", ">f4"), "coordinates": ("angstrom", ">f4"), **({
            "cell_lengths": ("angstrom", ">f8"), "cell_angles": ("degree", ">f8")} if periodic else {})}
        for name, (units, kind) in kinds.items():
            assert variables[name].units.decode() == units and variables[name].data.dtype == kind, name
        assert variables["spatial"][:].tobytes() == b"xyz" and ("cell_lengths" in variables) == periodic
        assert np.abs(variables["coordinates"][:] / 10 - expected).max() <= 1e-6 * max(1, np.abs(expected).max())
        assert np.allclose(variables["time"][:], STEP * interval * np.arange(1, 4), rtol=1e-6)
        assert (variables["step"][:] == interval * np.arange(1, 4)).all()
        if periodic:
            assert variables["cell_spatial"][:].tobytes() == b"abc" and variables["cell_angular"][:].tobytes() == b"alphabeta gamma"
            cell = mdtraj.utils.lengths_and_angles_to_box_vectors(*variables["cell_lengths"][2], *variables["cell_angles"][2])
            assert np.abs(np.array(cell) / 10 - BOX).max() < 1e-6, cell


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        run(program, "[samples-write]", folder)
        for name, (periodic, interval) in CASES.items():
            stem = os.path.join(folder, name)
            expected = np.array([np.load(f"{stem}{frame}.npy") for frame in (1, 2, 3)])
            check_netcdf(stem, expected, periodic, interval)
            for kind in ("dcd", "xtc", "nc"):
                check_mdtraj(stem, kind, expected, periodic, interval)
                check_mdanalysis(stem, kind, expected, periodic, interval)
            size = os.path.getsize(f"{stem}.xtc") / expected.size
            theirs = os.path.getsize(f"{stem}.mdtraj.xtc") / expected.size
            print(f"{name}: {expected.shape[1]} particles, {size:.3f} bytes a coordinate, by MDTraj {theirs:.3f}")
            assert size <= theirs
        run(program, "[samples-read]", folder)
    print("MDTraj", mdtraj.__version__, "and MDAnalysis", MDAnalysis.__version__, "agree with Trotter")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
