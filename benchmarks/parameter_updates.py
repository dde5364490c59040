#!/usr/bin/env python3
# The cost of updating all parameters of a force, against OpenMM.
# SPDX-License-Identifier: MIT
"""Runs the program parameter_updates and OpenMM's updateParametersInContext on the same files, in turns.

parameter_updates.py --program build/release/benchmarks/parameter_updates --openmm-python venv/bin/python
                     [--platform cpu] [--precision mixed] [--steps 200] [--rounds 3] FOLDER

FOLDER holds system.xml.gz and state.xml.gz, such as examples/dhfr. Every step is preceded by an update of all numbers
of one force; these change outside of the time that is taken on both sides, and positions are read after each step.
update: the time of a step with an update less that of a step.
"""
import argparse
import json
import statistics
import subprocess
import sys

PEER = """
import gzip, json, statistics, sys, time
import openmm as mm
folder, name, precision, steps = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
def read(file):
    return mm.XmlSerializer.deserialize(gzip.open(folder + "/" + file, "rt").read())
system = read("system.xml.gz")
platform = mm.Platform.getPlatformByName(name)
integrator = mm.VerletIntegrator(0.0005)
context = mm.Context(system, integrator, platform, {"Precision": precision} if name in ("CUDA", "OpenCL") else {})
def step_to_its_end():
    integrator.step(1)
    context.getState(positions=True)
ALL = {"HarmonicBondForce": [("Bond", "BondParameters", (3,))],
       "HarmonicAngleForce": [("Angle", "AngleParameters", (4,))],
       "PeriodicTorsionForce": [("Torsion", "TorsionParameters", (6,))],
       "NonbondedForce": [("Particle", "ParticleParameters", (0, 2)), ("Exception", "ExceptionParameters", (2, 4))]}
def scale(force, lists, factor):
    for item, parameters, places in lists:
        for n in range(getattr(force, "getNum" + item + "s")()):
            values = list(getattr(force, "get" + parameters)(n))
            for place in places:
                values[place] = values[place] * factor
            getattr(force, "set" + parameters)(n, *values)
def steps_alone():
    begin = time.perf_counter()
    for _ in range(steps):
        step_to_its_end()
    return time.perf_counter() - begin
def steps_updated(force, lists):
    taken = 0
    for n in range(steps):
        scale(force, lists, 0.999 if n % 2 == 0 else 1 / 0.999)
        begin = time.perf_counter()
        force.updateParametersInContext(context)
        step_to_its_end()
        taken += time.perf_counter() - begin
    return taken
for force in system.getForces():
    lists = ALL.get(type(force).__name__)
    if lists is None:
        continue
    context.setState(read("state.xml.gz"))
    steps_alone()
    print(json.dumps({"force": type(force).__name__, "us_per_step": 1e6 * steps_alone() / steps,
                      "us_with_update": 1e6 * steps_updated(force, lists) / steps}), flush=True)
"""
PEERS = {"cpu": "CPU", "reference": "Reference", "opencl": "OpenCL", "cuda": "CUDA"}


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return {row["force"]: row for row in map(json.loads, done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--program", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--platform", default="cpu", choices=PEERS)
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = [f"{options.folder}/system.xml.gz", f"{options.folder}/state.xml.gz"]
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(call([options.program, options.platform, *files, options.precision, str(options.steps), "1"]))
        theirs.append(call([options.openmm_python, "-c", PEER, options.folder, PEERS[options.platform],
                            options.precision, str(options.steps)]))
    for force in ours[0]:
        def median(rounds, what):
            return statistics.median(one[force][what] for one in rounds)
        columns = []
        for name, rounds in (("trotter", ours), ("OpenMM", theirs)):
            step, updated = median(rounds, "us_per_step"), median(rounds, "us_with_update")
            columns.append(f"{name} step {step:9.1f} us, with update {updated:9.1f} us, "
                           f"update {updated - step:9.1f} us")
        print(f"{force:22} {ours[0][force]['items']:7} items  " + "  ".join(columns), flush=True)


if __name__ == "__main__":
    main()
