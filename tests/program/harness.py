# Writes small inputs and runs the trotter program on them, for the tests in this folder.
# SPDX-License-Identifier: MIT
import atexit
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="trotter-test-")
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
os.chdir(WORK)


def run(*arguments, timeout=300, **options):
    """The finished process, output as text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **options)


def good(*arguments, **options):
    """Standard output of a run that must succeed."""
    result = run(*arguments, **options)
    assert result.returncode == 0, f"{arguments}: status {result.returncode}: {result.stderr}"
    return result.stdout


def result_of(*arguments):
    """The JSON that a command prints."""
    return json.loads(good(*arguments))


def usable_platforms():
    """Those that this build has and finds a device for."""
    lines = good("platforms").splitlines()
    return [name for name in ("reference", "cpu", "opencl", "cuda")
            if any(line.startswith(name + " ") and "not in this build" not in line and "no device found" not in line
                   for line in lines)]


def refused(status, *words, arguments, **options):
    """The command must end with this status and one line that holds all the words."""
    result = run(*arguments, **options)
    lines = [line for line in result.stderr.splitlines() if line.startswith("trotter: ")]
    assert result.returncode == status, f"{arguments}: status {result.returncode}, expected {status}: {result.stderr}"
    assert len(lines) == 1, f"{arguments}: not one line: {result.stderr!r}"
    assert result.stderr.endswith(lines[0] + "\n"), f"{arguments}: not the last line: {result.stderr!r}"
    for word in words:
        assert word in lines[0], f"{arguments}: '{word}' is not in: {lines[0]}"
    return result


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def vectors(tag, values, inner):
    rows = "".join(f'<{inner} x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in values)
    return f"<{tag}>{rows}</{tag}>"


def box_xml(edge, tag="PeriodicBoxVectors"):
    return f'<{tag}><A x="{edge}" y="0" z="0"/><B x="0" y="{edge}" z="0"/><C x="0" y="0" z="{edge}"/></{tag}>'


def system_xml(masses, forces, edge=2.5, constraints=""):
    particles = "".join(f'<Particle mass="{mass}"/>' for mass in masses)
    return (f'<System openmmVersion="8.6.1" type="System" version="1">{box_xml(edge)}<Particles>{particles}</Particles>'
            f"<Constraints>{constraints}</Constraints><Forces>{''.join(forces)}</Forces></System>")


def state_xml(positions, velocities=None, edge=2.5, steps=0, time=0.0):
    text = f'<State openmmVersion="8.6.1" stepCount="{steps}" time="{time!r}" type="State" version="1">{box_xml(edge)}'
    text += vectors("Positions", positions, "Position")
    if velocities is not None:
        text += vectors("Velocities", velocities, "Velocity")
    return text + "</State>"


def element(tag, text="", **attributes):
    """An XML element; attributes in the order given."""
    listed = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{listed}>{text}</{tag}>"


def bonds_xml(bonds, group=0):
    rows = "".join(f'<Bond d="{d}" k="{k}" p1="{i}" p2="{j}"/>' for i, j, d, k in bonds)
    return element("Force", element("Bonds", rows), type="HarmonicBondForce", name="HarmonicBondForce", version=2,
                   forceGroup=group, usesPeriodic=0)


def nonbonded_xml(particles, method=2, cutoff=0.9, group=0, exceptions=""):
    rows = "".join(f'<Particle eps="{eps}" q="{q}" sig="{sig}"/>' for q, sig, eps in particles)
    lists = "<GlobalParameters/><ParticleOffsets/><ExceptionOffsets/>"
    lists += element("Particles", rows) + element("Exceptions", exceptions)
    return element("Force", lists, type="NonbondedForce", name="NonbondedForce", version=4, forceGroup=group,
                   method=method, cutoff=cutoff, useSwitchingFunction=0, switchingDistance=-1, rfDielectric=78.3,
                   dispersionCorrection=1, ewaldTolerance=0.0005, alpha=0, nx=0, ny=0, nz=0, ljAlpha=0, ljnx=0, ljny=0,
                   ljnz=0, recipForceGroup=-1, exceptionsUsePeriodic=0, includeDirectSpace=1)


def integrator_xml(name, version=1, **attributes):
    return element("Integrator", type=name + "Integrator", version=version, constraintTolerance=1e-5,
                   integrationForceGroups=-1, **attributes)


CMM = element("Force", type="CMMotionRemover", name="CMMotionRemover", version=1, forceGroup=0, frequency=1)
BAROSTAT = element("Force", type="MonteCarloBarostat", name="MonteCarloBarostat", version=1, forceGroup=0, frequency=5,
                   pressure=1, temperature=120, randomSeed=0, rigidScaling=1)
ANDERSEN = element("Force", type="AndersenThermostat", name="AndersenThermostat", version=1, forceGroup=0, frequency=1,
                   temperature=120, randomSeed=0)

INTEGRATORS = {
    "verlet": integrator_xml("Verlet", stepSize=0.004),
    "langevin-middle": integrator_xml("LangevinMiddle", stepSize=0.004, temperature=120, friction=1, randomSeed=0),
    "brownian": integrator_xml("Brownian", stepSize=0.0005, temperature=120, friction=20, randomSeed=0),
    "variable-verlet": integrator_xml("VariableVerlet", 2, stepSize=0, errorTol=0.001, maxStepSize=0),
    "variable-langevin": integrator_xml("VariableLangevin", 2, stepSize=0, errorTol=0.001, maxStepSize=0,
                                        temperature=120, friction=1, randomSeed=0),
    "nose-hoover": integrator_xml("NoseHoover", stepSize=0.004, temperature=120, collisionFrequency=10, chainLength=3,
                                  numMTS=3, numYS=7, hasSubsystemThermostats=0, maximumPairDistance=0),
}


def intervals(log, trajectory, checkpoint):
    return ["--log-interval", log, "--trajectory-interval", trajectory, "--checkpoint-interval", checkpoint]


def write_fluid(name="fluid", integrator="langevin-middle", more_forces=(CMM,), velocities=True, steps=0):
    """64 diatomic molecules, half of them rigid, in a periodic box: options that name its files."""
    noise = random.Random(7)
    positions, speeds, particles, constraints, bonds = [], [], [], "", []
    for n in range(64):
        corner = [0.3 + 0.625 * (n // 4**axis % 4) + noise.uniform(-0.02, 0.02) for axis in range(3)]
        positions += [corner, [corner[0] + 0.11, corner[1], corner[2]]]
        if n % 2:
            constraints += f'<Constraint d="0.11" p1="{2 * n}" p2="{2 * n + 1}"/>'
        else:
            bonds.append((2 * n, 2 * n + 1, 0.11, 50000))
        drift = [noise.gauss(0, 0.2) for _ in range(3)]
        speeds += [drift, drift]
        particles += [(0.1, 0.3, 0.5), (-0.1, 0.3, 0.5)]
    exceptions = "".join(f'<Exception eps="0" p1="{2 * n}" p2="{2 * n + 1}" q="0" sig="1"/>' for n in range(64))
    forces = [bonds_xml(bonds), nonbonded_xml(particles, method=4, exceptions=exceptions), *more_forces]
    write(f"{name}.system.xml", system_xml([20.0] * 128, forces, constraints=constraints))
    write(f"{name}.state.xml", state_xml(positions, speeds if velocities else None, steps=steps))
    write(f"{name}.integrator.xml", INTEGRATORS[integrator])
    return ["--system", f"{name}.system.xml", "--state", f"{name}.state.xml", "--integrator", f"{name}.integrator.xml"]


def write_spring(length=0.25, name="spring"):
    """Two particles on a spring, d = 0.2 nm and k = 1000 kJ/mol/nm²."""
    write(f"{name}.system.xml", system_xml([1.0, 2.0], [bonds_xml([(0, 1, 0.2, 1000)])]))
    write(f"{name}.state.xml", state_xml([(0, 0, 0), (length, 0, 0)], [(0, 0, 0), (0, 3, 0)]))
    write(f"{name}.integrator.xml", INTEGRATORS["verlet"])
    return ["--system", f"{name}.system.xml", "--state", f"{name}.state.xml", "--integrator", f"{name}.integrator.xml"]


def read_npy(name):
    data = read(name)
    assert data[:8] == b"\x93NUMPY\x01\x00", "not a .npy file of version 1"
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length], {"__builtins__": {}})  # a Python literal by the format's definition
    assert header["descr"] == "<f8" and header["fortran_order"] is False and header["shape"][1] == 3
    numbers = struct.unpack(f"<{3 * header['shape'][0]}d", data[10 + length:])
    return [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


def close(value, expected, tolerance):
    assert math.isclose(value, expected, rel_tol=tolerance, abs_tol=tolerance), f"{value}, expected {expected}"


def all_tests(namespace):
    """Runs every function whose name begins with `test_`, or those with one of the words behind the program's name."""
    words = sys.argv[2:] or [""]
    tests = [(name, test) for name, test in namespace.items()
             if name.startswith("test_") and any(word in name for word in words)]
    for name, test in tests:
        test()
        print("passed", name[5:].replace("_", " "), flush=True)
    assert tests, "there are no such tests in this file"
