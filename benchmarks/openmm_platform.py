#!/usr/bin/env python3
# Speed of Trotter as a platform of OpenMM, against its own program and OpenMM's platform.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark`, an `app.Simulation` on the platform Trotter, and one on OpenMM's platform, in turns.

openmm_platform.py --trotter build/release/trotter --openmm-python build/venv/bin/python [--plugins build/release/openmm]
                   [--platform cpu] [--precision mixed] [--threads 2] [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml. Simulations step 1,000 at a time and report the energy in
between. of program: the time a step of the program over that on the platform; of OpenMM: that of OpenMM's platform over that on
the platform Trotter; above 1 the platform Trotter is faster. Medians of the rounds, with the lowest and highest.
"""
import argparse
import json
import os
import statistics

import peers

SIMULATION = """
import gzip, io, json, os, sys, time
folder, name, properties, seconds, plugins = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), float(sys.argv[4]), sys.argv[5:]
import openmm as mm
from openmm import app
for plugin in plugins:
    mm.Platform.loadPluginLibrary(os.path.join(plugin, "libOpenMMTrotter.so"))
def read(name):
    data = open(os.path.join(folder, name), "rb").read()
    return mm.XmlSerializer.deserialize((gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data).decode())
system = read("system.xml.gz")
topology = app.Topology()
residue = topology.addResidue("all", topology.addChain())
for n in range(system.getNumParticles()):
    topology.addAtom("X", None, residue)
begin = time.perf_counter()
simulation = app.Simulation(topology, system, read("integrator.xml"), mm.Platform.getPlatformByName(name), properties)
creation = time.perf_counter() - begin
assert simulation.context.getPlatform().getName() == name
simulation.context.setState(read("state.xml.gz"))
simulation.reporters.append(app.StateDataReporter(io.StringIO(), 1000, step=True, potentialEnergy=True))
def run(steps):
    begin = time.perf_counter()
    simulation.step(steps)
    simulation.context.getState(energy=True)
    return time.perf_counter() - begin
run(10)
few = 1000 if name in ("CUDA", "OpenCL") or properties.get("Backend") in ("cuda", "opencl") else 20
steps = max(10, int(few * seconds / 3 / run(few)))
wall = run(steps)
steps = max(10, int(steps * seconds / wall))
print(json.dumps({"ms_per_step": 1000 * run(steps) / steps, "creation": creation}))
"""


def simulation(options, folder, name, properties):
    command = [options.openmm_python, "-c", SIMULATION, folder, name, json.dumps(properties), str(options.seconds)]
    return json.loads(peers.output(command + ([options.plugins] if options.plugins else []), options.threads))


def compare(options, folder):
    peer = {"cpu": "CPU", "cuda": "CUDA", "opencl": "OpenCL", "reference": "Reference"}[options.platform]
    threads = {"Threads": str(options.threads)}
    own = {"Backend": options.platform, "Precision": options.precision, **threads}
    theirs = threads if peer == "CPU" else {"Precision": options.precision} if peer in ("CUDA", "OpenCL") else {}
    sides = [lambda: peers.benchmark(options, folder), lambda: simulation(options, folder, "Trotter", own),
             lambda: simulation(options, folder, peer, theirs)]
    rounds = []
    for n in range(options.rounds):
        order = range(3) if n % 2 == 0 else reversed(range(3))
        rounds.append({side: sides[side]() for side in order})
    times = [[one[side]["ms_per_step"] for one in rounds] for side in range(3)]

    def ratio(over):
        ratios = sorted(a / b for a, b in zip(times[over], times[1]))
        return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f})"

    program, platform, openmm = (statistics.median(one) for one in times)
    creation = statistics.median(one[1]["creation"] for one in rounds)
    print(f"{os.path.basename(folder)}: program {program:.3f} ms  platform Trotter {platform:.3f} ms  OpenMM's {peer} {openmm:.3f} ms  "
          f"of program {ratio(0)}  of OpenMM {ratio(2)}  created in {creation:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser, ["cpu", "reference", "opencl", "cuda"])
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--plugins", type=os.path.abspath, help="the folder of the plugin, where OpenMM does not find it")
    options = parser.parse_args()
    for folder in options.folders:
        compare(options, folder)


if __name__ == "__main__":
    main()
