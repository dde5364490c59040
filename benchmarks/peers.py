# Functions shared by the scripts compare_*.py: alternating runs, table rows, and errors of forces.
# SPDX-License-Identifier: MIT
"""Used by the scripts compare_*.py; needs openmm where a System is converted.

Error of a force: |F - F_ref| / |F_ref| of each particle, its median and its maximum, and the RMS of |F - F_ref| over
the RMS of F_ref. F_ref is that of Trotter's Reference platform, in double precision, at the positions of the State.
The maximum is of a particle on which hardly any force acts. Particles without mass, such as virtual sites, are left
out, since no force moves them.
"""
import array
import gzip
import json
import math
import os
import re
import statistics
import subprocess
import sys

FILES = ("system.xml.gz", "state.xml.gz", "integrator.xml")
ERRORS = "{:44} median {:7.1e}  maximum {:7.1e}  RMS {:7.1e}"


def add_options(parser, platforms):
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=os.path.abspath)
    parser.add_argument("--trotter", required=True)
    parser.add_argument("--platform", default="cpu", choices=platforms)
    parser.add_argument("--precision", default="mixed", choices=["single", "mixed", "double"], help="of Trotter")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="of each side in each round")


def output(command, threads, environment=None, folder=None):
    """What a program prints that may use so many processors."""
    processors = sorted(os.sched_getaffinity(0))[:threads]
    program = os.path.abspath(command[0]) if os.path.dirname(command[0]) else command[0]
    try:
        done = subprocess.run([program, *command[1:]], capture_output=True, text=True, cwd=folder,
                              env={**os.environ, **(environment or {})},
                              preexec_fn=lambda: os.sched_setaffinity(0, processors))
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started ({error.strerror}): give the path of the program")
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {(done.stderr.strip() or done.stdout.strip())[-800:]}")
    return done.stdout


def trotter(options, command, folder, *more, system=None, platform=None, precision=None):
    """The JSON of a command of trotter, of the FOLDER's files unless another System is named."""
    platform = platform or options.platform
    arguments = [options.trotter, command, "--platform", platform, "--precision", precision or options.precision,
                 "--system", system or f"{folder}/{FILES[0]}", "--state", f"{folder}/{FILES[1]}", *more]
    if platform == "cpu":
        arguments += ["--threads", str(options.threads)]
    return json.loads(output(arguments, 1 if platform == "reference" else options.threads))


def benchmark(options, folder):
    return trotter(options, "benchmark", folder, "--integrator", f"{folder}/{FILES[2]}", "--seconds",
                   str(options.seconds))


def energy_and_forces(options, folder, work, **other):
    path = os.path.join(work, "trotter.npy")
    energy = trotter(options, "energy", folder, "--forces", path, **other)["potential_energy"]
    return energy, read_npy(path)


def reference_forces(options, folder, work, system=None):
    return energy_and_forces(options, folder, work, system=system, platform="reference", precision="double")[1]


def read_npy(path):
    """The doubles of a file of NumPy's format, one after the other."""
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + int.from_bytes(data[8:10], "little")
    if data[:7] != b"\x93NUMPY\x01" or b"'<f8'" not in data[:start] or b"'fortran_order': False" not in data[:start]:
        sys.exit(f"{path} holds something else than doubles by rows: write it with numpy.save from such an array")
    return array.array("d", data[start:])


def text(path):
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


def masses(folder):
    """Of all particles, as the System's file has them."""
    return [float(mass) for mass in re.findall(r'<Particle mass="([^"]*)"', text(f"{folder}/{FILES[0]}"))]


def pme_tag(system):
    """The opening tag of a System's NonbondedForce if that has a mesh for charges, else None."""
    tags = re.findall(r"<Force [^>]*>", system)
    return next((tag for tag in tags if 'type="NonbondedForce"' in tag and 'method="4"' in tag), None)


def attribute(tag, name):
    return float(re.search(rf'\b{name}="([^"]*)"', tag)[1])


def mesh_of(folder):
    """α [1/nm] and the mesh, as written or chosen from the tolerance, its sides rounded up to products of 2, 3, 5, 7."""
    system = text(f"{folder}/{FILES[0]}")
    tag = pme_tag(system)
    if tag is None:
        return None
    alpha, sides = attribute(tag, "alpha"), [attribute(tag, name) for name in ("nx", "ny", "nz")]
    if alpha == 0:
        tolerance = attribute(tag, "ewaldTolerance")
        alpha = math.sqrt(-math.log(2 * tolerance)) / attribute(tag, "cutoff")
        edges = [attribute(re.search(f"<{vector} [^>]*>", system)[0], axis) for vector, axis in ("Ax", "By", "Cz")]
        sides = [max(6, math.ceil(2 * alpha * edge / (3 * tolerance ** 0.2))) for edge in edges]

    def smooth(n):
        rest = n
        for prime in (2, 3, 5, 7):
            while rest % prime == 0:
                rest //= prime
        return n if rest == 1 else smooth(n + 1)

    return alpha, [smooth(int(side)) for side in sides]


def with_attributes(folder, work, name, **attributes):
    """The path of a copy of the System whose NonbondedForce has these attributes."""
    system = text(f"{folder}/{FILES[0]}")
    tag = changed = pme_tag(system)
    for key, value in attributes.items():
        changed = re.sub(rf'\b{key}="[^"]*"', f'{key}="{value}"', changed)
    path = os.path.join(work, name)
    with open(path, "w") as file:
        file.write(system.replace(tag, changed))
    return path


def meshed_system(folder, work):
    """The path of a copy of the System with the mesh written out, so that nobody rounds it; its own without one."""
    mesh = mesh_of(folder)
    if mesh is None:
        return f"{folder}/{FILES[0]}"
    return with_attributes(folder, work, "meshed.xml", alpha=repr(mesh[0]), **dict(zip(("nx", "ny", "nz"), mesh[1])))


def exact_system(folder, work, tolerance):
    """The path of a copy of the System with an Ewald sum of this tolerance in place of the mesh."""
    return with_attributes(folder, work, "exact.xml", method=3, alpha=0, nx=0, ny=0, nz=0, ewaldTolerance=tolerance)


def force_errors(forces, reference, masses):
    """Median, maximum and RMS, as the head of this file defines them."""
    if not len(forces) == len(reference) == 3 * len(masses):
        sys.exit(f"forces of {len(forces) // 3} and {len(reference) // 3} particles were read where the System has "
                 f"{len(masses)}: compare runs of the same files")
    relative, square, reference_square = [], 0.0, 0.0
    for n, mass in enumerate(masses):
        if mass == 0:
            continue
        theirs = reference[3 * n:3 * n + 3]
        difference, length = math.dist(forces[3 * n:3 * n + 3], theirs), math.hypot(*theirs)
        square += difference ** 2
        reference_square += length ** 2
        if length > 0:
            relative.append(difference / length)
    if not relative:
        return 0.0, 0.0, 0.0
    return statistics.median(relative), max(relative), math.sqrt(square / reference_square)


def errors_lines(reference, masses, forces_of):
    """A line for each name of `forces_of`, with the errors of its forces."""
    return [ERRORS.format(name, *force_errors(forces, reference, masses)) for name, forces in forces_of.items()]


def alternate(rounds, ours, theirs):
    """Both once a round, in turned order every other time; two lists of what they return."""
    results = ([], [])
    for n in range(rounds):
        for side in (0, 1) if n % 2 == 0 else (1, 0):
            results[side].append((ours, theirs)[side]())
    return results


def refuse_other_energies(folder, ours, theirs, tolerance):
    """Ends the script unless both are energies of the same thing."""
    if not abs(ours - theirs) <= tolerance * abs(theirs):
        sys.exit(f"{folder}: the energies differ, {ours} and {theirs} kJ/mol: nothing to compare")


def row(ours, theirs, peer, what="ms_per_step"):
    """Medians of both sides, and the median of the ratios of the rounds with the lowest and highest."""
    ratios = sorted(b[what] / a[what] for a, b in zip(ours, theirs))
    medians = [statistics.median(one[what] for one in side) for side in (ours, theirs)]
    return (f"trotter {medians[0]:8.3f} ms  {peer} {medians[1]:8.3f} ms  "
            f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f})")


def show(folder, line, errors):
    print(f"{name_of(folder):20} {line}  load {os.getloadavg()[0]:.1f}")
    print(*(f"  error of forces, {error}" for error in errors), sep="\n", flush=True)


def refuse(what):
    sys.exit(f"{what}: use an input without it")


def read(folder):
    """System, State and Integrator, as OpenMM's objects."""
    import openmm
    return [openmm.XmlSerializer.deserialize(text(f"{folder}/{name}")) for name in FILES]


def plain(values):
    """Numbers without their units, which are those of the files: nm, ps, amu, kJ/mol, radians."""
    from openmm import unit
    return [v.value_in_unit_system(unit.md_unit_system) if unit.is_quantity(v) else v for v in values]


def vectors(quantity):
    """An array of vectors without their unit."""
    return plain([quantity])[0]


def edges_of(state):
    """Of a rectangular box."""
    box = vectors(state.getPeriodicBoxVectors(asNumpy=True))
    edges = [float(box[k][k]) for k in range(3)]
    if abs(box).sum() > sum(edges):
        refuse("a box that is not rectangular is not written for other programs")
    return edges


def name_of(folder):
    return os.path.basename(os.path.normpath(folder))
