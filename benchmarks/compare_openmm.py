#!/usr/bin/env python3
"""Times `trotter benchmark` and OpenMM's platform of the same name on the same files, in turns.

compare_openmm.py --trotter build/release/trotter --openmm-python venv/bin/python [--platform cpu] [--precision mixed] [--threads 2]
                  [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as examples/dhfr. The potential energies of the State must agree
to 1e-5 before anything is timed. ratio: OpenMM's time a step over Trotter's, the median of the rounds with the lowest and highest.
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
properties = {"Threads": threads} if platform.getName() == "CPU" else {}
context = mm.Context(read("system.xml.gz"), integrator, platform, properties)
context.setState(read("state.xml.gz"))
energy = lambda: context.getState(energy=True).getPotentialEnergy()._value
start = energy()
def run(steps):
    begin = time.perf_counter()
    integrator.step(steps)
    energy()
    return time.perf_counter() - begin
steps = max(1, int(10 * seconds / 3 / run(10)))
steps = max(1, int(steps * seconds / run(steps)))
print(json.dumps({"energy": start, "ms_per_step": 1000 * run(steps) / steps}))
"""


def call(command, threads):
    processors = sorted(os.sched_getaffinity(0))[:threads]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--trotter", required=True)
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--platform", default="cpu", choices=["cpu", "reference"])
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    peer_name = {"cpu": "CPU", "reference": "Reference"}[options.platform]
    for folder in options.folders:
        files = ["--system", f"{folder}/system.xml.gz", "--state", f"{folder}/state.xml.gz"]
        places = ["--platform", options.platform, "--precision", options.precision]
        if options.platform == "cpu":
            places += ["--threads", str(options.threads)]
        ours, theirs = [], []
        for _ in range(options.rounds):
            run = [options.trotter, "benchmark", *files, "--integrator", f"{folder}/integrator.xml", *places, "--seconds", str(options.seconds)]
            ours.append(call(run, options.threads)["ms_per_step"])
            peer = call([options.openmm_python, "-c", PEER, folder, peer_name, str(options.threads), str(options.seconds)], options.threads)
            theirs.append(peer["ms_per_step"])
        energy = call([options.trotter, "energy", *files, *places], options.threads)["potential_energy"]
        if abs(energy - peer["energy"]) > 1e-5 * abs(peer["energy"]):
            sys.exit(f"{folder}: the energies differ, {energy} and {peer['energy']} kJ/mol: nothing to compare")
        ratios = sorted(b / a for a, b in zip(ours, theirs))
        print(f"{os.path.basename(os.path.normpath(folder)):20} trotter {statistics.median(ours):8.3f} ms  OpenMM {statistics.median(theirs):8.3f} ms  "
              f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f})  load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
