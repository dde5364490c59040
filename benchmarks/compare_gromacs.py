#!/usr/bin/env python3
# Speed against GROMACS, round by round, with the errors of both programs' forces.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` and `gmx mdrun` on the same System, in turns, and compares the forces of both.

compare_gromacs.py --trotter build/release/trotter [--gmx gmx] [--platform cpu|cuda] [--precision mixed] [--threads 2]
                   [--rounds 3] [--seconds 5] [--pme-order 4] [--ewald-tolerance 1e-7] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml, such as examples/dhfr: a NonbondedForce with PME or a
reaction field in a rectangular box, harmonic bonds and angles, periodic torsions, constraints. Needs a Python with
openmm, and a GROMACS: say which one, since Debian's package gromacs is compiled for SSE4.1 alone. With --platform cuda
it must be built for CUDA.

What is the same: each term of the System, written out one by one; masses, constraints, cutoffs, α, the time step,
positions (9 decimals of nm) and velocities. What differs, since GROMACS is fastest so: PME of order 4 (Trotter's is
5; --pme-order), sides of the mesh rounded up to products of 2, 3, 5 and 7, v-rescale in place of Langevin, LINCS, and
lists that may miss 0.005 kJ/mol/ps (Trotter's may miss one pair in 100,000). GROMACS lets the reaction field act on excluded pairs
and on each charge itself; that is taken out of its energy and its forces. Energies must agree to 5e-4 (--tolerance),
or times are not compared: with PME a GROMACS that adds in floats was off by 2e-4 for 24,000 particles of water, up or
down as α is changed, which changes no energy; its forces are not touched by that.

ratio: GROMACS's time a step over Trotter's, the median of the rounds with the lowest and highest; above 1 Trotter is
faster. Errors of forces (peers.py says what is computed) are before constraints, at the State's positions, with lists
just made. GROMACS holds positions as floats, which is most of its error where there is no mesh: fluids of argon
differ by 1.4e-5, and by 1.2e-6 from Reference at the rounded positions. "of the same mesh" compares with Trotter's
Reference platform on GROMACS's mesh: rounding, and what approximates functions, but no error of the mesh (of GROMACS
with --pme-order 5 alone, the order of Reference). "of the exact sum" compares both programs, each with the mesh that
is timed, with Reference and an Ewald sum to --ewald-tolerance: what the forces are worth, mesh and truncation
included. That sum takes half a minute for 24,000 particles and grows by the square; 0 leaves it out.
"""
import argparse
import array
import math
import os
import re
import struct
import sys
import tempfile

import peers
from peers import plain, refuse

FORCES = ("NonbondedForce", "HarmonicBondForce", "HarmonicAngleForce", "PeriodicTorsionForce", "CMMotionRemover")
COULOMB = 138.935456  # 1/(4πε₀) [kJ/mol nm/e²]


class Terms:
    """What GROMACS has to be told, as rows of numbers."""

    def __init__(self, folder):
        system, state, self.integrator = peers.read(folder)
        self.mesh = peers.mesh_of(folder)
        self.forces = {}
        for force in system.getForces():
            kind = type(force).__name__
            if kind in self.forces or kind not in FORCES:
                refuse(f"{kind} (or a second one) is not written for GROMACS")
            self.forces[kind] = force
        self.nonbonded = self.forces["NonbondedForce"]
        if self.nonbonded.getUseSwitchingFunction():
            refuse("the switching function of the NonbondedForce is not written for GROMACS")
        self.particles = self.rows("NonbondedForce", "Particle")
        self.exceptions = self.rows("NonbondedForce", "Exception")
        self.bonds = self.rows("HarmonicBondForce", "Bond")
        self.angles = self.rows("HarmonicAngleForce", "Angle")
        self.torsions = self.rows("PeriodicTorsionForce", "Torsion")
        self.masses = [plain([system.getParticleMass(i)])[0] for i in range(system.getNumParticles())]
        self.constraints = [plain(system.getConstraintParameters(n)) for n in range(system.getNumConstraints())]
        if 0 in self.masses:
            refuse("particles without mass are not written for GROMACS")
        self.positions = peers.vectors(state.getPositions(asNumpy=True))
        self.velocities = peers.vectors(state.getVelocities(asNumpy=True))
        self.edges = peers.edges_of(state)

    def rows(self, kind, of):
        if kind not in self.forces:
            return []
        force = self.forces[kind]
        return [plain(getattr(force, f"get{of}Parameters")(n)) for n in range(getattr(force, f"getNum{of}s")())]


def molecules(terms):
    """Connected particles, as ranges that follow each other."""
    parent = list(range(len(terms.masses)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j, *_ in terms.bonds + terms.constraints:
        parent[max(root(i), root(j))] = min(root(i), root(j))
    roots = [root(i) for i in range(len(parent))]
    starts = [i for i in range(len(roots)) if i == 0 or roots[i] != roots[i - 1]]
    if any(roots[i] != i for i in starts):
        refuse("a molecule whose particles do not follow each other is not written for GROMACS")
    return list(zip(starts, starts[1:] + [len(roots)]))


def element(mass):
    """The name of an atom, from which GROMACS reads nothing."""
    return "H" if mass < 3.5 else "C" if mass < 13 else "N" if mass < 14.5 else "O" if mass < 17 else "X"


def parts_of(terms, ranges):
    """The terms of each molecule, particles counted from its first."""
    owner = [k for k, (begin, end) in enumerate(ranges) for _ in range(begin, end)]
    parts = [{kind: [] for kind in SECTIONS} for _ in ranges]

    def add(kind, row, count):
        molecule = owner[row[0]]
        if any(owner[i] != molecule for i in row[:count]):
            refuse(f"a term ({kind}) between two molecules is not written for GROMACS")
        parts[molecule][kind].append(tuple(i - ranges[molecule][0] for i in row[:count]) + tuple(row[count:]))

    for kind, rows, count in (("bonds", terms.bonds, 2), ("constraints", terms.constraints, 2),
                              ("angles", terms.angles, 3), ("dihedrals", terms.torsions, 4)):
        for row in rows:
            add(kind, row, count)
    for i, j, product, sigma, epsilon in terms.exceptions:
        add("exclusions", (i, j), 2)
        if product or epsilon:
            add("pairs", (i, j, sigma, epsilon), 2)
    return parts


def charge_scale(terms):
    """The one factor by which GROMACS scales the charges of all pairs that are exceptions with a charge product."""
    scales = []
    for i, j, product, _, epsilon in terms.exceptions:
        full = terms.particles[i][0] * terms.particles[j][0]
        if full and (product or epsilon):
            scales.append(product / full)
    mean = sum(scales) / len(scales) if scales else 1
    if any(abs(scale - mean) > 1e-6 for scale in scales):
        refuse("charge products of exceptions with more than one scale are not written for GROMACS")
    return mean


def degrees(angle):
    return f"{math.degrees(angle):.12g}"


SECTIONS = {
    "constraints": lambda i, j, length: f"{i + 1} {j + 1} 1 {length:.12g}",
    "bonds": lambda i, j, length, k: f"{i + 1} {j + 1} 1 {length:.12g} {k:.12g}",
    "pairs": lambda i, j, sigma, epsilon: f"{i + 1} {j + 1} 1 {sigma:.12g} {epsilon:.12g}",
    "angles": lambda i, j, k, angle, strength: f"{i + 1} {j + 1} {k + 1} 1 {degrees(angle)} {strength:.12g}",
    "dihedrals": lambda i, j, k, l, count, phase, strength:
        f"{i + 1} {j + 1} {k + 1} {l + 1} 9 {degrees(phase)} {strength:.12g} {count}",
    "exclusions": lambda i, j: f"{i + 1} {j + 1}"}


def molecule_text(name, atoms, part):
    """A moleculetype; triangles of constraints as of water are left to SETTLE."""
    lengths = {tuple(sorted(row[:2])): row[2] for row in part["constraints"]}
    water = (len(atoms) == 3 and sorted(lengths) == [(0, 1), (0, 2), (1, 2)] and lengths[0, 1] == lengths[0, 2]
             and atoms[1][2] == atoms[2][2] and not part["bonds"])
    lines = [f"\n[ moleculetype ]\n{name} 0\n\n[ atoms ]"]
    lines += [f"{i + 1} {kind} 1 {'SOL' if water else 'RES'} {element(mass)}{i % 999} {i + 1} {charge:.12g} {mass:.12g}"
              for i, (kind, charge, mass) in enumerate(atoms)]
    if water:
        lines += ["\n[ settles ]", f"1 1 {lengths[0, 1]:.12g} {lengths[1, 2]:.12g}"]
    for title, line in SECTIONS.items():
        if part[title] and not (water and title == "constraints"):
            lines += [f"\n[ {title} ]"] + [line(*row) for row in part[title]]
    return lines


def write_topology(terms, ranges, path):
    types = {}
    for _, sigma, epsilon in terms.particles:
        types.setdefault((sigma, epsilon), f"T{len(types)}")
    atoms = [(types[sigma, epsilon], charge, mass)
             for (charge, sigma, epsilon), mass in zip(terms.particles, terms.masses)]
    names, sequence, bodies = {}, [], []
    for (begin, end), part in zip(ranges, parts_of(terms, ranges)):
        key = (tuple(atoms[begin:end]),) + tuple(map(tuple, part.values()))
        if key not in names:
            names[key] = f"MOL{len(names)}"
            bodies += molecule_text(names[key], atoms[begin:end], part)
        if sequence and sequence[-1][0] == names[key]:
            sequence[-1][1] += 1
        else:
            sequence.append([names[key], 1])
    lines = [f"[ defaults ]\n1 2 no 1.0 {charge_scale(terms):.12g}\n\n[ atomtypes ]"]
    lines += [f"{name} 0 1.0 0.0 A {sigma:.12g} {epsilon:.12g}" for (sigma, epsilon), name in types.items()] + bodies
    lines += ["\n[ system ]\nconverted\n\n[ molecules ]"] + [f"{name} {count}" for name, count in sequence]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def write_coordinates(terms, ranges, path):
    """The width of the columns tells GROMACS the number of decimals: 9, and 10 for velocities."""
    with open(path, "w") as file:
        file.write(f"converted\n{len(terms.masses)}\n")
        for molecule, (begin, end) in enumerate(ranges):
            for i in range(begin, end):
                name = element(terms.masses[i]) + str((i - begin) % 999)
                file.write("%5d%-5s%5s%5d%14.9f%14.9f%14.9f%14.10f%14.10f%14.10f\n" % (
                    (molecule + 1) % 100000, "RES", name, (i + 1) % 100000, *terms.positions[i], *terms.velocities[i]))
        file.write(" ".join(f"{edge:.12f}" for edge in terms.edges) + "\n")


def reaction_field(terms):
    """k and c of qq' (1/r + k r² - c)."""
    cutoff, dielectric = plain([terms.nonbonded.getCutoffDistance(), terms.nonbonded.getReactionFieldDielectric()])
    k = (dielectric - 1) / (2 * dielectric + 1) / cutoff ** 3
    return k, 1 / cutoff + k * cutoff ** 2


def write_parameters(terms, pme_order, path, is_frame):
    """The timed run writes nothing; the frame's only step writes the forces."""
    method, cutoff = terms.nonbonded.getNonbondedMethod(), plain([terms.nonbonded.getCutoffDistance()])[0]
    if terms.mesh:
        alpha, mesh = terms.mesh
        electrostatics = {"coulombtype": "PME", "coulomb-modifier": "None", "pme-order": pme_order,
                          "ewald-rtol": f"{math.erfc(alpha * cutoff):.12g}",
                          **{f"fourier-n{axis}": side for axis, side in zip("xyz", mesh)}}
    elif method == terms.nonbonded.CutoffPeriodic:
        electrostatics = {"coulombtype": "Reaction-Field", "epsilon-rf": terms.nonbonded.getReactionFieldDielectric()}
    else:
        refuse("a NonbondedForce without PME or a periodic cutoff is not written for GROMACS")
    has_temperature = hasattr(terms.integrator, "getTemperature")
    parameters = {
        "integrator": "md", "dt": f"{plain([terms.integrator.getStepSize()])[0]:.12g}", "nsteps": 0 if is_frame else -1,
        "cutoff-scheme": "Verlet", "nstlist": 20, "verlet-buffer-tolerance": 0.005, "rcoulomb": f"{cutoff:.12g}",
        "rvdw": f"{cutoff:.12g}", "vdwtype": "Cut-off", "vdw-modifier": "None", **electrostatics,
        "DispCorr": "Ener" if terms.nonbonded.getUseDispersionCorrection() else "no", "constraints": "none",
        "constraint-algorithm": "lincs", "continuation": "yes", "gen-vel": "no", "nstcalcenergy": 100,
        "nstenergy": 5000, "nstlog": 0, "nstfout": 1 if is_frame else 0, "comm-mode": "Linear", "nstcomm": 100,
        "tcoupl": "v-rescale" if has_temperature else "no"}
    if has_temperature:
        parameters |= {"tc-grps": "System", "tau-t": 1.0, "ref-t": plain([terms.integrator.getTemperature()])[0]}
    with open(path, "w") as file:
        file.writelines(f"{name} = {value}\n" for name, value in parameters.items())


def excess_of_reaction_field(terms):
    """Energy and forces that GROMACS has more than OpenMM: of excluded pairs, and of each charge itself."""
    forces = array.array("d", bytes(24 * len(terms.masses)))
    if terms.nonbonded.getNonbondedMethod() != terms.nonbonded.CutoffPeriodic:
        return 0, forces
    k, c = reaction_field(terms)
    energy = -COULOMB * c / 2 * sum(charge ** 2 for charge, *_ in terms.particles)
    for i, j, *_ in terms.exceptions:
        product = COULOMB * terms.particles[i][0] * terms.particles[j][0]
        apart = [float(a - b) for a, b in zip(terms.positions[i], terms.positions[j])]
        apart = [d - edge * round(d / edge) for d, edge in zip(apart, terms.edges)]
        energy += product * (k * sum(d * d for d in apart) - c)
        for axis, d in enumerate(apart):
            forces[3 * i + axis] -= 2 * k * product * d
            forces[3 * j + axis] += 2 * k * product * d
    return energy, forces


def read_forces(path):
    """Of the first frame of a .trr file: a header of big-endian numbers, box, virial, positions, velocities, forces."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from(">i", data, 8)
    begin = 12 + (length + 3) // 4 * 4
    *sizes, particles, _, _ = struct.unpack_from(">13i", data, begin)
    real = sizes[9] // (3 * particles)
    begin += 13 * 4 + 2 * real + sum(sizes[:9])
    forces = array.array("f" if real == 4 else "d", data[begin:begin + sizes[9]])
    if sys.byteorder == "little":
        forces.byteswap()
    return array.array("d", forces)


def energies_of(log):
    """The first table of energies of a log: lines of names and lines of numbers, each 15 characters wide."""
    lines = log[log.index("   Energies (kJ/mol)"):].splitlines()[1:]
    fields = [[line[i:i + 15].strip() for i in range(0, len(line), 15)] for line in lines[:lines.index("")]]
    return {name: float(value) for two in zip(fields[::2], fields[1::2]) for name, value in zip(*two)}


class Gromacs:
    def __init__(self, options, terms, work):
        self.options, self.work, self.rate = options, work, None
        self.step_size = plain([terms.integrator.getStepSize()])[0]
        self.excess = excess_of_reaction_field(terms)
        is_device = options.platform == "cuda"
        kind = "gpu" if is_device else "cpu"
        self.arguments = ["-ntmpi", "1", "-ntomp", str(options.threads), "-pin", "off", "-noconfout", "-notunepme"]
        self.arguments += ["-nb", kind]
        self.arguments += ["-pme", kind] if terms.mesh else []
        self.resident = ["-bonded", "gpu", "-update", "gpu"] if is_device else []
        ranges = molecules(terms)
        write_topology(terms, ranges, os.path.join(work, "topology.top"))
        write_coordinates(terms, ranges, os.path.join(work, "start.gro"))
        for name in ("timed", "frame"):
            write_parameters(terms, options.pme_order, os.path.join(work, f"{name}.mdp"), name == "frame")
            self.gmx("grompp", "-f", f"{name}.mdp", "-c", "start.gro", "-p", "topology.top", "-o", f"{name}.tpr",
                     "-po", "all.mdp", "-maxwarn", "10")

    def gmx(self, *arguments):
        environment = {"GMX_MAXBACKUP": "-1"} | ({"GMX_CUDA_GRAPH": "1"} if self.options.platform == "cuda" else {})
        return peers.output([self.options.gmx, "-quiet", *arguments], self.options.threads, environment, self.work)

    def log(self, name, *arguments):
        self.gmx("mdrun", "-s", f"{name}.tpr", "-g", "run.log", "-o", f"{name}.trr", *self.arguments, *arguments)
        with open(os.path.join(self.work, "run.log")) as file:
            return file.read()

    def energy_and_forces(self):
        energies = energies_of(self.log("frame"))
        forces = read_forces(os.path.join(self.work, "frame.trr"))
        return (energies["Potential"] - self.excess[0],
                array.array("d", (force - more for force, more in zip(forces, self.excess[1]))))

    def milliseconds(self, steps):
        """Of one of the second half of the steps: the first warms up."""
        log = self.log("timed", "-nsteps", str(steps), "-resethway", *self.resident)
        per_day = float(re.findall(r"Performance:\s+([\d.]+)", log)[-1])
        return self.step_size * 86.4e3 / per_day

    def benchmark(self):
        if self.rate is None:
            self.rate = self.milliseconds(100)
        self.rate = self.milliseconds(max(100, int(2000 * self.options.seconds / self.rate)))
        return {"ms_per_step": self.rate}


def version_of(options):
    text = peers.output([options.gmx, "--version"], options.threads)
    keys = ("GROMACS version", "Precision", "SIMD instructions", "GPU support")
    return ", ".join(re.search(rf"{key}:\s+(\S+)", text)[1] for key in keys)


def errors_of(options, folder, work, terms, peer_forces, forces):
    """Lines of errors; `forces` are Trotter's of the System as it is."""
    meshed, masses = peers.meshed_system(folder, work), terms.masses
    reference = peers.reference_forces(options, folder, work, meshed)
    if not terms.mesh:
        return peers.errors_lines(reference, masses, {"trotter": forces, "GROMACS": peer_forces})
    of_same_mesh = {"trotter, of the same mesh": peers.energy_and_forces(options, folder, work, system=meshed)[1]}
    if options.pme_order == 5:
        of_same_mesh["GROMACS, of the same mesh"] = peer_forces
    lines = peers.errors_lines(reference, masses, of_same_mesh)
    if options.ewald_tolerance:
        exact = peers.reference_forces(options, folder, work, peers.exact_system(folder, work, options.ewald_tolerance))
        lines += peers.errors_lines(exact, masses, {
            "trotter, of the exact sum": forces, f"GROMACS, order {options.pme_order}, of the exact sum": peer_forces})
    return lines


def compare(options, folder, work):
    terms = Terms(folder)
    gromacs = Gromacs(options, terms, work)
    energy, forces = peers.energy_and_forces(options, folder, work)
    peer_energy, peer_forces = gromacs.energy_and_forces()
    peers.refuse_other_energies(folder, energy, peer_energy, options.tolerance)
    errors = errors_of(options, folder, work, terms, peer_forces, forces)
    ours, theirs = peers.alternate(options.rounds, lambda: peers.benchmark(options, folder), gromacs.benchmark)
    peers.show(folder, peers.row(ours, theirs, "GROMACS"), errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser, ["cpu", "cuda"])
    parser.add_argument("--gmx", default="gmx")
    parser.add_argument("--pme-order", type=int, default=4)
    parser.add_argument("--ewald-tolerance", type=float, default=1e-7)
    parser.add_argument("--tolerance", type=float, default=5e-4, help="relative difference of the energies")
    options = parser.parse_args()
    print(f"GROMACS (version, precision, SIMD, GPU): {version_of(options)}", flush=True)
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as work:
            compare(options, folder, work)


if __name__ == "__main__":
    main()
