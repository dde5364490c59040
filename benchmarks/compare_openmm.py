#!/usr/bin/env python3
# Speed against OpenMM, round by round, with the errors of both programs' forces.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` and OpenMM's platform of the same name in turns, and compares the forces of both.

compare_openmm.py --trotter build/release/trotter --openmm-python venv/bin/python [--platform cpu] [--precision mixed]
                  [--threads 2] [--rounds 3] [--seconds 5] [--ewald-tolerance 1e-7] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as examples/dhfr. The potential energies of the
State must agree to 1e-5, or their times are not compared. ratio: OpenMM's time a step over Trotter's, the median of
the rounds with the lowest and highest; cpu: the same for the processor time of all threads, which other programs on
the machine disturb less. Both run on one processor with `--platform reference`.

Errors of forces (peers.py says what is computed) are against Trotter's Reference platform at the State's positions.
Where there is PME, forces and energies are compared with α and mesh written out, its sides rounded up to products of
2, 3, 5 and 7: OpenMM's faster platforms round the mesh that they time so, Trotter's Cpu does not. With
--ewald-tolerance the error of the mesh is shown too: "of the exact sum" compares the System as it is timed with
Reference and an Ewald sum, which takes half a minute for 24,000 particles and grows by the square.
"""
import argparse
import json
import os
import tempfile

import peers

PEER = """
import gzip, json, os, sys, time
import numpy
import openmm as mm
folder, platform, threads, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
def read(name):
    data = open(os.path.join(folder, name), "rb").read()
    return mm.XmlSerializer.deserialize((gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data).decode())
integrator = read("integrator.xml")
platform = mm.Platform.getPlatformByName(platform)
on_device = platform.getName() in ("CUDA", "OpenCL")
properties = {"Threads": threads} if platform.getName() == "CPU" else {"Precision": sys.argv[5]} if on_device else {}
system = read(sys.argv[7] if len(sys.argv) > 7 else "system.xml.gz")
context = mm.Context(system, integrator, platform, properties)
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
        self.command = [options.openmm_python, "-c", PEER, folder, name, str(self.threads), str(options.seconds),
                        options.precision]

    def benchmark(self):
        return json.loads(peers.output(self.command, self.threads))

    def energy_and_forces(self, work, *system):
        path = os.path.join(work, "openmm.npy")
        return json.loads(peers.output([*self.command, path, *system], self.threads))["energy"], peers.read_npy(path)


def errors_of(options, folder, work, openmm):
    """Lines of errors, once the energies agree."""
    masses, meshed = peers.masses(folder), peers.meshed_system(folder, work)
    energy, forces = peers.energy_and_forces(options, folder, work, system=meshed)
    peer_energy, peer_forces = openmm.energy_and_forces(work, meshed)
    peers.refuse_other_energies(folder, energy, peer_energy, 1e-5)
    reference = peers.reference_forces(options, folder, work, meshed)
    lines = peers.errors_lines(reference, masses, {"trotter": forces, "OpenMM": peer_forces})
    if options.ewald_tolerance and peers.mesh_of(folder):
        exact = peers.reference_forces(options, folder, work, peers.exact_system(folder, work, options.ewald_tolerance))
        lines += peers.errors_lines(exact, masses, {
            "trotter, of the exact sum": peers.energy_and_forces(options, folder, work)[1],
            "OpenMM, of the exact sum": openmm.energy_and_forces(work)[1]})
    return lines


def compare(options, folder, work):
    openmm = OpenMM(options, folder)
    errors = errors_of(options, folder, work, openmm)
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
