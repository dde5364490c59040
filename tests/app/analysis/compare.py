# Compares `trotter analyze` with MDTraj and MDAnalysis on a protein in water that moves and is cut by a triclinic box:
# compare.py TROTTER
# SPDX-License-Identifier: MIT
import atexit
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from other_python import require

require("MDAnalysis", "mdtraj", "numpy", "openmm")
import MDAnalysis
import mdtraj
import numpy as np
import openmm.app
from MDAnalysis.analysis import align, msd, rms

warnings.filterwarnings("ignore")
PROGRAM = os.path.abspath(sys.argv[1])
DATA = os.path.join(os.path.dirname(openmm.app.__file__), "data")
TOLERANCE = 1e-5  # nm: DCD holds float, and MDTraj computes in it
FRAMES = 12
BOX = np.array([[5.4, 0, 0], [1.3, 5.1, 0], [-1.1, 1.4, 4.9]])
WORK = tempfile.mkdtemp()
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def save(name, frames, vectors, topology):
    """Wrapped atom by atom, which cuts molecules."""
    cut = np.array([frame - np.floor(frame @ np.linalg.inv(box)) @ box for frame, box in zip(frames, vectors)])
    stored = mdtraj.Trajectory(cut, topology, time=np.arange(FRAMES))
    stored.unitcell_vectors = vectors
    stored.save_dcd(os.path.join(WORK, name))
    return stored


def make_trajectory():
    """The frames with whole molecules, in memory, and cut atom by atom, in a file."""
    whole = mdtraj.load(os.path.join(DATA, "test.pdb"))
    protein = whole.topology.select("protein")
    waters = np.array([[atom.index for atom in residue.atoms] for residue in whole.topology.residues if residue.is_water])
    noise = np.random.default_rng(1)
    frames = []
    positions = whole.xyz[0].astype(float)
    for number in range(FRAMES):
        angle = 0.4 * number
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        frame = positions.copy()
        center = positions[protein].mean(0)
        frame[protein] = (positions[protein] - center + noise.normal(0, 0.01, (len(protein), 3))) @ turn.T + center + 0.2 * number
        positions[waters] += noise.normal(0, 0.1, (len(waters), 1, 3))
        frame[waters] = positions[waters]
        frames.append(frame)
    vectors = np.array([BOX * (1 + 0.01 * number) for number in range(FRAMES)])
    # An unwrapped path does not tell how molecules moved with a box that changes: displacements have a box of one size.
    save("fixed.dcd", frames, np.array([BOX] * FRAMES), whole.topology)
    whole = mdtraj.Trajectory(np.array(frames, dtype=np.float32), whole.topology, time=np.arange(FRAMES))
    whole.unitcell_vectors = vectors
    whole[0].save_pdb(os.path.join(WORK, "topology.pdb"))
    return whole, save("cut.dcd", frames, vectors, whole.topology)


def analyzed(kind, *arguments, trajectory="cut.dcd"):
    """The numbers of a table, by title."""
    text = subprocess.run([PROGRAM, "analyze", kind, *arguments, "--trajectory", os.path.join(WORK, trajectory), "--topology",
                           os.path.join(WORK, "topology.pdb"), "--forcefields", DATA], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(text.splitlines()))
    assert rows, f"{kind}: no rows"
    return {title: np.array([float(row[title]) if row[title].replace(".", "").replace("-", "").replace("e", "").isdigit() else np.nan
                             for row in rows]) for title in rows[0]}, rows


def check(label, found, expected, tolerance=TOLERANCE):
    assert len(found) == len(expected), f"{label}: {len(found)} values, expected {len(expected)}"
    worst = np.abs(np.asarray(found) - expected).max()
    assert np.abs(expected).max() > 100 * tolerance, f"{label}: the reference is 0"
    assert worst <= tolerance, f"{label}: off by {worst}"
    print(f"{label}: {len(found)} values, largest difference {worst:.1e}")


def by_index(atoms):
    return "index " + " ".join(map(str, atoms))


def check_fits(whole):
    backbone = whole.topology.select("protein and backbone")
    alpha = whole.topology.select("protein and name CA")
    x = whole.xyz.astype(float)
    found = analyzed("rmsd", by_index(backbone))[0]["RMSD (nm)"]
    check("rmsd, MDTraj", found, mdtraj.rmsd(whole, whole, 0, atom_indices=backbone))
    check("rmsd, MDAnalysis", found, [rms.rmsd(frame[backbone], x[0][backbone], center=True, superposition=True) for frame in x])
    masses = np.array([atom.element.mass for atom in whole.topology.atoms])
    heavy = whole.topology.select("protein and element != H")
    check("rmsd by mass", analyzed("rmsd", by_index(heavy), "--mass-weighted")[0]["RMSD (nm)"],
          [rms.rmsd(frame[heavy], x[0][heavy], masses[heavy], center=True, superposition=True) for frame in x])

    def fitted(frame):
        turn, _ = align.rotation_matrix(frame[alpha] - frame[alpha].mean(0), x[0][alpha] - x[0][alpha].mean(0))
        return (frame - frame[alpha].mean(0)) @ turn.T + x[0][alpha].mean(0)

    after = np.array([fitted(frame) for frame in x])
    check("rmsd of others", analyzed("rmsd", by_index(backbone), "--fit", by_index(alpha))[0]["RMSD (nm)"],
          np.sqrt(((after - x[0])[:, backbone] ** 2).sum(2).mean(1)))
    spread = np.sqrt(((after - after.mean(0)) ** 2).sum(2).mean(0))[alpha]
    check("rmsf", analyzed("rmsf", by_index(alpha))[0]["RMSF (nm)"], spread)


def check_geometry(whole, cut):
    masses = np.array([atom.element.mass for atom in whole.topology.atoms])
    protein = whole.topology.select("protein")
    # MDTraj measures from the center of the atoms, not of their mass: MDAnalysis, in Å, with masses of MDTraj's table.
    universe = MDAnalysis.Universe.empty(len(protein), trajectory=True)
    universe.add_TopologyAttr("masses", masses[protein])
    universe.load_new(whole.xyz[:, protein].astype(float))
    check("rg", analyzed("rg", "protein")[0]["Radius of gyration (nm)"], [universe.atoms.radius_of_gyration() for _ in universe.trajectory])
    atoms = [10, 900]
    # MDTraj takes the nearest image of atoms that the box cuts, too.
    check("distance", analyzed("distance", *[f"index {atom}" for atom in atoms])[0]["Distance (nm)"], mdtraj.compute_distances(cut, [atoms])[:, 0])
    phi, angles = mdtraj.compute_phi(whole)
    check("dihedral", np.radians(analyzed("dihedral", *[f"index {atom}" for atom in phi[3]])[0]["Dihedral (degrees)"]), angles[:, 3])
    three = [int(atom) for atom in phi[5][:3]]
    check("angle", np.radians(analyzed("angle", *[f"index {atom}" for atom in three])[0]["Angle (degrees)"]),
          mdtraj.compute_angles(whole, [three])[:, 0])


def check_pairs(whole, cut):
    oxygen = whole.topology.select("water and name O")
    pairs = cut.topology.select_pairs(oxygen, oxygen)
    distances, density = mdtraj.compute_rdf(cut, pairs, r_range=(0, 1.2), bin_width=0.02)
    found = analyzed("rdf", "water and name O", "--maximum", "1.2", "--bin", "0.02")[0]
    check("rdf, distances", found["Distance (nm)"], distances)
    # A pair at the edge of a bin may fall into the next one in float: one of the emptiest bin that has pairs.
    check("rdf", found["g"], density, 3e-4)
    for frequency in (0.05, 0.5):
        rows = analyzed("hbonds", "--minimum-occupancy", str(frequency + 1e-6))[1]
        bonds = {tuple(int(row[f"{name} index"]) for name in ("Donor", "Hydrogen", "Acceptor")) for row in rows}
        expected = {tuple(map(int, bond)) for bond in mdtraj.baker_hubbard(cut, freq=frequency, exclude_water=True)}
        assert bonds == expected and bonds, f"hbonds: {len(bonds)}, expected {len(expected)}: {bonds ^ expected}"
        print(f"hbonds above {frequency}: the same {len(bonds)}")


def check_displacements(whole):
    oxygen = whole.topology.select("water and name O")
    universe = MDAnalysis.Universe.empty(len(oxygen), trajectory=True)
    universe.load_new(whole.xyz[:, oxygen].astype(float))
    expected = msd.EinsteinMSD(universe, select="all", msd_type="xyz", fft=False).run().results.timeseries
    check("msd", analyzed("msd", "water and name O", trajectory="fixed.dcd")[0]["Mean square displacement (nm²)"], expected)


whole_frames, cut_frames = make_trajectory()
check_fits(whole_frames)
check_geometry(whole_frames, cut_frames)
check_pairs(whole_frames, cut_frames)
check_displacements(whole_frames)
