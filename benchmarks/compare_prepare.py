#!/usr/bin/env python3
# Speed of `trotter prepare` against OpenMM's Python.
# SPDX-License-Identifier: MIT
"""Times `trotter prepare FILE.toml` and the same steps with openmm.app in turns.

compare_prepare.py --trotter build/release/trotter --openmm-python venv/bin/python [--rounds 5] FILE.toml …

Each round is a process from its start to the written System, State and PDB; `of it` is the time after `import
openmm.app`, without start and import of Python. Medians of the rounds, with the lowest and highest ratio of the whole.
A FILE.toml may have the steps add_hydrogens and add_solvent; both programs take force fields from the Python's OpenMM.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

PEER = """
import json, sys, time, tomllib
import openmm as mm
from openmm import app, unit
begin = time.perf_counter()
path, target = sys.argv[1:]
plan = tomllib.load(open(path, "rb"))["prepare"]
folder = path.rpartition("/")[0] or "."
pdb = app.PDBFile(folder + "/" + plan["structure"])
field = app.ForceField(*plan["forcefield"])
modeller = app.Modeller(pdb.topology, pdb.positions)
for step in plan.get("step", []):
    if step["do"] == "add_hydrogens":
        modeller.addHydrogens(pH=step.get("ph", 7.0))
    else:
        assert step["do"] == "add_solvent", step
        modeller.addSolvent(field, model=step.get("model", "tip3p"), padding=step["padding"] * unit.nanometer,
                            boxShape=step.get("shape", "cube"), ionicStrength=step.get("ionic_strength", 0) * unit.molar)
options = plan["system"]
system = field.createSystem(modeller.topology, nonbondedMethod=getattr(app, options["nonbonded_method"]),
                            constraints=getattr(app, options["constraints"]))
context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))
context.setPositions(modeller.positions)
open(target + "/system.xml", "w").write(mm.XmlSerializer.serialize(system))
open(target + "/state.xml", "w").write(mm.XmlSerializer.serialize(context.getState(positions=True)))
app.PDBFile.writeFile(modeller.topology, modeller.positions, open(target + "/topology.pdb", "w"))
print(json.dumps({"inside": time.perf_counter() - begin, "particles": system.getNumParticles()}))
"""


def timed(command):
    begin = time.perf_counter()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return time.perf_counter() - begin, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trotter", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("files", nargs="+", metavar="FILE.toml", type=pathlib.Path)
    options = parser.parse_args()
    data = subprocess.run([options.openmm_python, "-c", "import openmm.app, os; print(os.path.dirname(openmm.app.__file__))"],
                          check=True, capture_output=True, text=True).stdout.strip() + "/data"
    for file in options.files:
        ours, whole, inside, particles = [], [], [], 0
        with tempfile.TemporaryDirectory() as target:
            ours_command = [options.trotter, "prepare", str(file), "--forcefields", data, "--out-system", f"{target}/system.xml",
                            "--out-state", f"{target}/state.xml", "--out-topology", f"{target}/topology.pdb"]
            for _ in range(options.rounds):
                ours.append(timed(ours_command)[0])
                seconds, output = timed([options.openmm_python, "-c", PEER, str(file), target])
                answer = json.loads(output.splitlines()[-1])
                whole.append(seconds), inside.append(answer["inside"])
                particles = answer["particles"]
        ratios = sorted(b / a for a, b in zip(ours, whole))
        print(f"{file.stem:20} {particles:7} particles  trotter {statistics.median(ours):6.2f} s  OpenMM {statistics.median(whole):6.2f} s"
              f" (of it {statistics.median(inside):6.2f})  ratio {statistics.median(ratios):5.1f} ({ratios[0]:.1f}, {ratios[-1]:.1f})")


if __name__ == "__main__":
    main()
