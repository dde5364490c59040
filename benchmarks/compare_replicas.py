#!/usr/bin/env python3
# Speed of many replicas of a small System against as many Contexts of OpenMM, round by round.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark --replicas R` and R Contexts of OpenMM's platform of the same name in one process, in turns.

compare_replicas.py --trotter build/release/trotter --openmm-python venv/bin/python [--platform cuda] [--precision mixed]
                    [--replicas 64] [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml. OpenMM's Contexts take their steps in turns, some steps at a time, from one
thread and from several; the fastest way of each round counts. The potential energies of the State must agree to 1e-5, or their times are
not compared. A line gives µs for one step of all replicas, total ns/day, and the ratio of OpenMM's time to Trotter's: the median of the
rounds with the lowest and highest.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

PEER = """
import gzip, json, sys, threading, time
import openmm as mm
folder, platform, precision, count, seconds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
def text(name):
    data = open(folder + "/" + name, "rb").read()
    return (gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data).decode()
system, state = mm.XmlSerializer.deserialize(text("system.xml.gz")), mm.XmlSerializer.deserialize(text("state.xml.gz"))
platform = mm.Platform.getPlatformByName(platform)
properties = {"Precision": precision} if platform.getName() in ("CUDA", "OpenCL") else {"Threads": "1"} if platform.getName() == "CPU" else {}
contexts = []
for n in range(count):
    integrator = mm.XmlSerializer.deserialize(text("integrator.xml"))
    if hasattr(integrator, "setRandomNumberSeed"):
        integrator.setRandomNumberSeed(n + 1)
    contexts.append(mm.Context(system, integrator, platform, properties))
    contexts[-1].setState(state)
energy = lambda context: context.getState(energy=True).getPotentialEnergy()._value
start = energy(contexts[0])
def take(some, steps, portion):
    while steps > 0:
        for context in some:
            context.getIntegrator().step(min(portion, steps))
        steps -= portion
    for context in some:
        energy(context)  # a device is done when something has been read
def run(threads, steps, portion):
    begin = time.perf_counter()
    if threads == 1:
        take(contexts, steps, portion)
    else:
        workers = [threading.Thread(target=take, args=(contexts[n::threads], steps, portion)) for n in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    return time.perf_counter() - begin
run(1, 3, 1)  # compiles
ways = [(threads, portion) for threads in sorted({1, min(4, count), min(16, count), count}) for portion in (1, 10, 100)]
result = {}
for threads, portion in ways:
    steps = portion
    while True:
        taken = run(threads, steps, portion)
        if taken >= seconds / len(ways):
            break
        steps = max(2 * steps, int(steps * seconds / len(ways) / taken / portion + 1) * portion)
    result[f"{threads} thread{'s' if threads > 1 else ''}, {portion} step{'s' if portion > 1 else ''} at a time"] = 1e6 * taken / steps
best = min(result, key=result.get)
print(json.dumps({"energy": start, "us_per_round": result[best], "way": best, "ways": result,
                  "step_size": contexts[0].getIntegrator().getStepSize()._value}))
"""


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--trotter", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--platform", default="cuda", choices=["cpu", "reference", "opencl", "cuda"])
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--replicas", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--peer-platform", help="another platform of OpenMM than that of the same name")
    options = parser.parse_args()
    peer_name = options.peer_platform or {"cpu": "CPU", "reference": "Reference", "opencl": "OpenCL", "cuda": "CUDA"}[options.platform]
    for folder in options.folders:
        files = ["--system", f"{folder}/system.xml.gz", "--state", f"{folder}/state.xml.gz"]
        places = ["--platform", options.platform, "--precision", options.precision]
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(call([options.trotter, "benchmark", *files, "--integrator", f"{folder}/integrator.xml", *places,
                              "--replicas", str(options.replicas), "--seconds", str(options.seconds)]))
            theirs.append(call([options.openmm_python, "-c", PEER, folder, peer_name, options.precision, str(options.replicas),
                                str(options.seconds)]))
        energy, peer_energy = call([options.trotter, "energy", *files, *places])["potential_energy"], theirs[-1]["energy"]
        if abs(energy - peer_energy) > 1e-5 * abs(peer_energy):
            sys.exit(f"{folder}: the energies differ, {energy} and {peer_energy} kJ/mol: nothing to compare")
        ratios = sorted(b["us_per_round"] / a["us_per_round"] for a, b in zip(ours, theirs))
        mine, other = (statistics.median(one["us_per_round"] for one in side) for side in (ours, theirs))
        per_day = theirs[-1]["step_size"] * 1e-3 * options.replicas * 86400e6
        print(f"{os.path.basename(os.path.normpath(folder)):20} x{options.replicas}  trotter {mine:9.1f} µs {per_day / mine:9.0f} ns/day  "
              f"OpenMM {other:9.1f} µs {per_day / other:9.0f} ns/day ({theirs[-1]['way']})  "
              f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f})", flush=True)


if __name__ == "__main__":
    main()
