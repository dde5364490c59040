#!/usr/bin/env python3
# Speed against OpenMM, round by round, with the errors of both programs' forces.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` and OpenMM's platform of the same name on the same files, in turns, and compares the forces of both.

compare_openmm.py --trotter build/release/trotter --openmm-python venv/bin/python [--platform cpu] [--precision mixed] [--threads 2]
                  [--rounds 3] [--seconds 5] [--ewald-tolerance 1e-7] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as examples/dhfr. The potential energies of the State must agree
to 1e-5, or their times are not compared. ratio: OpenMM's time a step over Trotter's, the median of the rounds with the lowest and
highest; cpu: the same for the processor time of all threads, which other programs on the machine disturb less. Both run on one
processor with `--platform reference`.

Errors of forces (peers.py says what is computed) are against Trotter's Reference platform at the State's positions; both programs have
the same mesh, whose error is not seen in them. With --ewald-tolerance that of a NonbondedForce with PME is: "of the exact sum" compares
with Reference and an Ewald sum without a mesh, which takes half a minute for 24,000 particles and grows by the square.
"""
import argparse
import json
import os
import tempfile

import peers

PEER = """
import gzip, json, sys, time
import numpy
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
if len(sys.argv) > 6:
    state = context.getState(energy=True, forces=True)
    numpy.save(sys.argv[6], numpy.array(state.getForces(asNumpy=True)._value, dtype=float))
    print(json.dumps({"energy": state.getPotentialEnergy()._value}))
    sys.exit()
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
print(json.dumps({"ms_per_step": 1000 * wall / steps, "processor_ms_per_step": 1000 * processor / steps}))
"""


class OpenMM:
    def __init__(self, options, folder):
        self.threads = 1 if options.platform == "reference" else options.threads
        name = {"cpu": "CPU", "reference": "Reference", "opencl": "OpenCL", "cuda": "CUDA"}[options.platform]
        self.command = [options.openmm_python, "-c", PEER, folder, name, str(self.threads), str(options.seconds), options.precision]

    def benchmark(self):
        return json.loads(peers.output(self.command, self.threads))

    def energy_and_forces(self, work):
        path = os.path.join(work, "openmm.npy")
        return json.loads(peers.output([*self.command, path], self.threads))["energy"], peers.read_npy(path)


def compare(options, folder, work):
    openmm = OpenMM(options, folder)
    energy, forces = peers.energy_and_forces(options, folder, work)
    peer_energy, peer_forces = openmm.energy_and_forces(work)
    peers.refuse_other_energies(folder, energy, peer_energy, 1e-5)
    masses, reference = peers.masses(folder), peers.reference_forces(options, folder, work)
    both = (("trotter", forces), ("OpenMM", peer_forces))
    errors = [peers.errors_line(whose, some, reference, masses) for whose, some in both]
    exact = options.ewald_tolerance and peers.exact_system(folder, work, options.ewald_tolerance)
    if exact:
        exact_forces = peers.reference_forces(options, folder, work, exact)
        errors += [peers.errors_line(f"{whose}, of the exact sum", some, exact_forces, masses) for whose, some in both]
    ours, theirs = peers.alternate(options.rounds, lambda: peers.benchmark(options, folder), openmm.benchmark)
    processor = peers.row(ours, theirs, "OpenMM", "processor_ms_per_step")
    peers.show(folder, f"{peers.row(ours, theirs, 'OpenMM')}  cpu {processor}", errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser, ["cpu", "reference", "opencl", "cuda"])
    parser.add_argument("--openmm-python", required=True)
    parser.add_argument("--ewald-tolerance", type=float, default=0)
    options = parser.parse_args()
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as work:
            compare(options, folder, work)


if __name__ == "__main__":
    main()
