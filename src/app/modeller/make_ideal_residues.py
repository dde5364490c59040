#!/usr/bin/env python3
"""Writes ideal_residues.inc beside this script: standard residues without strain, which rebuilding takes geometry from.

    make_ideal_residues.py FILE.pdb…      (needs the package openmm)

Each file is minimized with the terms of bonds, angles and torsions of ff14SB, OL15 and OL3 alone (AMBER's parameters, in
the public domain, as OpenMM ships them): bond lengths and angles become those of the force field. Only the pucker of
rings and which of the equal conformers is found depend on the files, which must hold L amino acids with trans peptide
bonds, each residue with a neighbor on either side, and ACE and NME; used were bpti.pdb, 1bng.pdb, nucleic.pdb and
alanine-dipeptide-implicit.pdb of OpenMM's own tests. It takes ten minutes.

A line is a residue: NAME, then NAME X Y Z of its heavy atoms and of the nearest ones of its neighbors (- and +
before the name), in 1e-4 nm, then `bonds` and pairs of names.
"""
import pathlib
import sys
import textwrap

import openmm
from openmm import app, unit

AMINO_ACIDS = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL".split()
NUCLEOTIDES = "A C G U DA DC DG DT".split()
NEIGHBORS = {"protein": (["-CA", "-C", "-O"], ["+N", "+CA"]), "nucleic": (["-C3'", "-O3'"], ["+P", "+O5'"])}
BONDED = (openmm.HarmonicBondForce, openmm.HarmonicAngleForce, openmm.PeriodicTorsionForce)


def relaxed(path):
    """Topology and positions [nm] at the minimum of the bonded terms."""
    pdb = app.PDBFile(path)
    field = app.ForceField("amber14/protein.ff14SB.xml", "amber14/DNA.OL15.xml", "amber14/RNA.OL3.xml")
    modeller = app.Modeller(pdb.topology, pdb.positions)
    modeller.delete([atom for atom in pdb.topology.atoms() if atom.element == app.element.hydrogen])
    reference = openmm.Platform.getPlatformByName("Reference")
    modeller.addHydrogens(field, platform=reference)
    system = field.createSystem(modeller.topology)
    for index in reversed(range(system.getNumForces())):
        if not isinstance(system.getForce(index), BONDED):
            system.removeForce(index)
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), reference)
    context.setPositions(modeller.positions)
    openmm.LocalEnergyMinimizer.minimize(context, 1e-4)
    return modeller.topology, context.getState(getPositions=True).getPositions(asNumpy=True).value_in_unit(unit.nanometer)


def heavy(residue):
    return {atom.name: atom.index for atom in residue.atoms() if atom.element != app.element.hydrogen}


def lines_of(topology, positions, found):
    """Adds the residues that `found` does not have yet."""
    for chain in topology.chains():
        residues = list(chain.residues())
        for i, residue in enumerate(residues):
            is_cap = residue.name in ("ACE", "NME")
            is_inside = 0 < i < len(residues) - 1
            if residue.name in found or not (is_cap or is_inside and residue.name in AMINO_ACIDS + NUCLEOTIDES):
                continue
            atoms = heavy(residue)
            before, behind = NEIGHBORS["nucleic" if residue.name in NUCLEOTIDES else "protein"]
            for names, place in ((before, i - 1), (behind, i + 1)):
                if 0 <= place < len(residues):
                    near = heavy(residues[place])
                    atoms.update({name: near[name[1:]] for name in names if name[1:] in near})
            center = positions[list(atoms.values())].mean(axis=0)
            names = {index: name for name, index in atoms.items()}
            bonds = [(names[a.index], names[b.index]) for a, b in topology.bonds() if {a.index, b.index} <= set(names)]
            found[residue.name] = " ".join(
                [residue.name] + [f"{name} " + " ".join(f"{round(1e4 * x)}" for x in positions[index] - center)
                                  for name, index in atoms.items()]
                + ["bonds"] + [f"{a} {b}" for a, b in bonds])


found = {}
for path in sys.argv[1:]:
    lines_of(*relaxed(path), found)
missing = set(AMINO_ACIDS + NUCLEOTIDES + ["ACE", "NME"]) - set(found)
if missing:
    sys.exit(f"no file has {', '.join(sorted(missing))} between two residues")
with open(pathlib.Path(__file__).with_name("ideal_residues.inc"), "w") as out:
    out.write("// Written by make_ideal_residues.py. SPDX-License-Identifier: MIT\n")
    for name in AMINO_ACIDS + NUCLEOTIDES + ["ACE", "NME"]:
        parts = textwrap.wrap(found[name], 112)
        out.write("\n".join(f'    "{part}{" " if part is not parts[-1] else ""}"' for part in parts) + ",\n")
