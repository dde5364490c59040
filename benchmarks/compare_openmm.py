#!/usr/bin/env python3
# Speed against OpenMM, round by round.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` and OpenMM's platform of the same name on the same files, in turns.

compare_openmm.py --trotter build/release/trotter --openmm-python venv/bin/python [--platform cpu] [--precision mixed] [--threads 2]
                  [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as examples/dhfr. The potential energies of the State must agree
to 1e-5, or their times are not compared. ratio: OpenMM's time a step over Trotter's, the median of the rounds with the lowest and
highest; cpu: the same for the processor time of all threads, which other programs on the machine disturb less. Both run on one
processor with `--platform reference`.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

PEER = """
import gzip, json, sys, time
import openmm as mm
folder, platform, threads, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
def read(name):
    data = open(folder + "/" + name, "rb").read()
    return mm.XmlSerializer.deserialize((gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data).decode())
integrator = read("integrator.xml")
platform = mm.Platform.getPlatformByName(platform)
on_device = platform.getName() in ("CUDA", "OpenCL")
properties = {"Threads": threads} if platform.getName() == "CPU" else {"Precision": sys.argv[5]} if on_device else {}
context = mm.Context(read("system.xml.gz"), integrator, platform, properties)
context.setState(read("state.xml.gz"))
energy = lambda: context.getState(energy=True).getPotentialEnergy()._value
start = energy()
def run(steps):
    begin, processor_begin = time.perf_counter(), time.process_time()
    integrator.step(steps)
    if on_device:
        energy()  # a device is done when something has been read
    return time.perf_counter() - begin, time.process_time() - processor_begin
if on_device:
    run(100)  # compiles, and settles the lists
few = 1 if platform.getName() == "Reference" else 1000 if on_device else 10
steps = max(3, int(few * seconds / 3 / run(few)[0]))
if platform.getName() != "Reference":
    steps = max(1, int(steps * seconds / run(steps)[0]))
wall, processor = run(steps)
print(json.dumps({"energy": start, "ms_per_step": 1000 * wall / steps, "processor_ms_per_step": 1000 * processor / steps}))
"""


def call(command, threads):
    processors = sorted(os.sched_getaffinity(0))[:threads]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def summary(ours, theirs, what):
    ratios = sorted(b[what] / a[what] for a, b in zip(ours, theirs))
    medians = (statistics.median(one[what] for one in side) for side in (ours, theirs))
    return ("trotter {:8.3f} ms  OpenMM {:8.3f} ms  ".format(*medians)
            + f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--trotter", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--platform", default="cpu", choices=["cpu", "reference", "opencl", "cuda"])
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    peer_name = {"cpu": "CPU", "reference": "Reference", "opencl": "OpenCL", "cuda": "CUDA"}[options.platform]
    for folder in options.folders:
        files = ["--system", f"{folder}/system.xml.gz", "--state", f"{folder}/state.xml.gz"]
        places = ["--platform", options.platform, "--precision", options.precision]
        if options.platform == "cpu":
            places += ["--threads", str(options.threads)]
        ours, theirs = [], []
        threads = 1 if options.platform == "reference" else options.threads
        for _ in range(options.rounds):
            run = [options.trotter, "benchmark", *files, "--integrator", f"{folder}/integrator.xml", *places, "--seconds", str(options.seconds)]
            ours.append(call(run, threads))
            theirs.append(call([options.openmm_python, "-c", PEER, folder, peer_name, str(threads), str(options.seconds),
                                options.precision], threads))
        energy, peer_energy = call([options.trotter, "energy", *files, *places], threads)["potential_energy"], theirs[-1]["energy"]
        if abs(energy - peer_energy) > 1e-5 * abs(peer_energy):
            sys.exit(f"{folder}: the energies differ, {energy} and {peer_energy} kJ/mol: nothing to compare")
        wall, processor = summary(ours, theirs, "ms_per_step"), summary(ours, theirs, "processor_ms_per_step")
        print(f"{os.path.basename(os.path.normpath(folder)):20} {wall}  cpu {processor}  load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
