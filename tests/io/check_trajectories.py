# Checks that MDTraj and MDAnalysis read Trotter's trajectories, and Trotter theirs: check_trajectories.py TEST-PROGRAM
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from other_python import require

require("MDAnalysis", "mdtraj", "numpy")
import MDAnalysis
import mdtraj
import numpy as np

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
    if kind == "xtc":
        assert np.allclose(trajectory.time, STEP * interval * np.arange(1, 4), rtol=1e-6), trajectory.time
        trajectory.save_xtc(f"{stem}.mdtraj.xtc")
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
    right = STEP * interval * np.arange(1, 4) if kind == "xtc" else STEP * interval * np.arange(0, 3)
    assert np.allclose(np.diff(times), np.diff(right), rtol=1e-6), (times, right)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        run(program, "[samples-write]", folder)
        for name, (periodic, interval) in CASES.items():
            stem = os.path.join(folder, name)
            expected = np.array([np.load(f"{stem}{frame}.npy") for frame in (1, 2, 3)])
            for kind in ("dcd", "xtc"):
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
