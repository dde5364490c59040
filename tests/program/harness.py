# Runs the trotter program on small inputs that are written here, for the tests beside it.
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


def refused(status, *words, arguments, **options):
    """The command must end with this status and one line that holds all the words."""
    result = run(*arguments, **options)
    lines = [line for line in result.stderr.splitlines() if line.startswith("trotter: ")]
    assert result.returncode == status, f"{arguments}: status {result.returncode}, expected {status}: {result.stderr}"
    assert len(lines) == 1 and result.stderr.endswith(lines[0] + "\n"), f"{arguments}: not one last line: {result.stderr!r}"
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


def bonds_xml(bonds, group=0):
    rows = "".join(f'<Bond d="{d}" k="{k}" p1="{i}" p2="{j}"/>' for i, j, d, k in bonds)
    return f'<Force forceGroup="{group}" name="HarmonicBondForce" type="HarmonicBondForce" usesPeriodic="0" version="2"><Bonds>{rows}</Bonds></Force>'


def nonbonded_xml(particles, method=2, cutoff=0.9, group=0, exceptions=""):
    rows = "".join(f'<Particle eps="{eps}" q="{q}" sig="{sig}"/>' for q, sig, eps in particles)
    return (f'<Force alpha="0" cutoff="{cutoff}" dispersionCorrection="1" ewaldTolerance="0.0005" exceptionsUsePeriodic="0" forceGroup="{group}" '
            f'includeDirectSpace="1" ljAlpha="0" ljnx="0" ljny="0" ljnz="0" method="{method}" name="NonbondedForce" nx="0" ny="0" nz="0" '
            'recipForceGroup="-1" rfDielectric="78.3" switchingDistance="-1" type="NonbondedForce" useSwitchingFunction="0" version="4">'
            "<GlobalParameters/><ParticleOffsets/><ExceptionOffsets/>"
            f"<Particles>{rows}</Particles><Exceptions>{exceptions}</Exceptions></Force>")


CMM = '<Force forceGroup="0" frequency="1" name="CMMotionRemover" type="CMMotionRemover" version="1"/>'
BAROSTAT = ('<Force forceGroup="0" frequency="5" name="MonteCarloBarostat" pressure="1" randomSeed="0" rigidScaling="1" temperature="120" '
            'type="MonteCarloBarostat" version="1"/>')
ANDERSEN = ('<Force forceGroup="0" frequency="1" name="AndersenThermostat" randomSeed="0" temperature="120" type="AndersenThermostat" version="1"/>')

INTEGRATORS = {
    "verlet": '<Integrator constraintTolerance="1e-05" integrationForceGroups="-1" stepSize=".004" type="VerletIntegrator" version="1"/>',
    "langevin-middle": '<Integrator constraintTolerance="1e-05" friction="1" integrationForceGroups="-1" randomSeed="0" stepSize=".004" '
                       'temperature="120" type="LangevinMiddleIntegrator" version="1"/>',
    "brownian": '<Integrator constraintTolerance="1e-05" friction="20" integrationForceGroups="-1" randomSeed="0" stepSize=".0005" '
                'temperature="120" type="BrownianIntegrator" version="1"/>',
    "variable-verlet": '<Integrator constraintTolerance="1e-05" errorTol=".001" integrationForceGroups="-1" maxStepSize="0" stepSize="0" '
                       'type="VariableVerletIntegrator" version="2"/>',
    "variable-langevin": '<Integrator constraintTolerance="1e-05" errorTol=".001" friction="1" integrationForceGroups="-1" maxStepSize="0" '
                         'randomSeed="0" stepSize="0" temperature="120" type="VariableLangevinIntegrator" version="2"/>',
    "nose-hoover": '<Integrator chainLength="3" collisionFrequency="10" constraintTolerance="1e-05" hasSubsystemThermostats="0" '
                   'integrationForceGroups="-1" maximumPairDistance="0" numMTS="3" numYS="7" stepSize=".004" temperature="120" '
                   'type="NoseHooverIntegrator" version="1"/>',
}


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
    write(f"{name}.system.xml", system_xml([20.0] * 128, [bonds_xml(bonds), nonbonded_xml(particles, method=4, exceptions=exceptions), *more_forces],
                                           constraints=constraints))
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
    tests = [(name, test) for name, test in namespace.items() if name.startswith("test_") and any(word in name for word in words)]
    for name, test in tests:
        test()
        print("passed", name[5:].replace("_", " "), flush=True)
    assert tests, "there are no such tests in this file"
