#!/usr/bin/env python3
# The time of a step of a ring polymer, against OpenMM.
# SPDX-License-Identifier: MIT
"""Runs the program ring_polymer and OpenMM's RPMDIntegrator on the same files, in turns.

ring_polymer.py --program build/release/benchmarks/ring_polymer --openmm-python venv/bin/python
                [--platform cuda] [--precision mixed] [--copies 32] [--steps 1000] [--rounds 3] FOLDER

FOLDER holds system.xml.gz and state.xml.gz, as make_extension_inputs.py makes them of flexible-water. Both sides begin
each copy at the same positions and compute the energy of one or all copies within the time that is taken.
"""
import argparse
import json
import statistics
import subprocess
import sys

PEER = """
import gzip, json, sys, time
import openmm as mm
folder, name, precision, copies, steps = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
def read(file):
    return mm.XmlSerializer.deserialize(gzip.open(folder + "/" + file, "rt").read())
integrator = mm.RPMDIntegrator(copies, 300, 1, 0.00025)
platform = mm.Platform.getPlatformByName(name)
context = mm.Context(read("system.xml.gz"), integrator, platform,
                     {"Precision": precision} if name in ("CUDA", "OpenCL") else {})
positions = read("state.xml.gz").getPositions()
context.setPositions(positions)
for copy in range(copies):
    integrator.setPositions(copy, positions)
integrator.step(max(1, steps // 5))
context.getState(energy=True)
begin = time.perf_counter()
integrator.step(steps)
context.getState(energy=True)
print(json.dumps({"us_per_step": 1e6 * (time.perf_counter() - begin) / steps}))
"""
PEERS = {"cpu": "CPU", "reference": "Reference", "opencl": "OpenCL", "cuda": "CUDA"}


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)["us_per_step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--program", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--platform", default="cuda", choices=PEERS)
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--copies", type=int, default=32)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = [f"{options.folder}/system.xml.gz", f"{options.folder}/state.xml.gz"]
    numbers = [str(options.copies), str(options.steps)]
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(call([options.program, options.platform, *files, options.precision, *numbers]))
        theirs.append(call([options.openmm_python, "-c", PEER, options.folder, PEERS[options.platform],
                            options.precision, *numbers]))
        print(f"trotter {ours[-1]:10.1f} us  OpenMM {theirs[-1]:10.1f} us  ratio {theirs[-1] / ours[-1]:6.2f}", flush=True)
    mine, other = statistics.median(ours), statistics.median(theirs)
    print(f"median: trotter {mine:.1f} us  OpenMM {other:.1f} us  ratio {other / mine:.2f}")


if __name__ == "__main__":
    main()
