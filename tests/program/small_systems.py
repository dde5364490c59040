# Small Systems, States and Integrators for tests of the program, in OpenMM's XML format but made without OpenMM.
# SPDX-License-Identifier: MIT
import gzip
import math
import os
import random

GAS_CONSTANT = 8.31446261815324e-3  # [kJ/mol/K]
BAR = 0.0602214076                  # [kJ/mol/nm³]


def attributes(values):
    return "".join(f' {name}="{int(value) if isinstance(value, bool) else value}"' for name, value in values.items())


def element(name, values, children=()):
    inside = "".join(children)
    return f"<{name}{attributes(values)}>\n{inside}</{name}>\n" if inside else f"<{name}{attributes(values)}/>\n"


def force(kind, version, values, children=()):
    return element("Force", {"type": kind, "version": version, "forceGroup": 0, "name": kind, **values}, children)


class Model:
    """Particles, a box, terms by molecule, and whatever else acts."""

    def __init__(self, edge=None):
        self.edge, self.masses, self.positions = edge, [], []
        self.charges, self.lennard_jones = [], []
        self.constraints, self.bonds, self.angles, self.torsions, self.excluded = [], [], [], [], set()
        self.nonbonded, self.periodic_terms, self.extra = None, False, []

    def degrees_of_freedom(self):
        return 3 * len(self.masses) - len(self.constraints)

    def add(self, mass, position, charge=0.0, sigma=1.0, epsilon=0.0):
        self.masses.append(mass)
        self.positions.append(position)
        self.charges.append(charge)
        self.lennard_jones.append((sigma, epsilon))
        return len(self.masses) - 1

    def term_forces(self):
        lists = (("HarmonicBondForce", "Bond", self.bonds, ("p1", "p2", "d", "k")),
                 ("HarmonicAngleForce", "Angle", self.angles, ("p1", "p2", "p3", "a", "k")),
                 ("PeriodicTorsionForce", "Torsion", self.torsions,
                  ("p1", "p2", "p3", "p4", "periodicity", "phase", "k")))
        for kind, name, terms, names in lists:
            if terms or (self.periodic_terms and name == "Bond"):  # some force has to say that the box counts
                rows = [element(name, dict(zip(names, term))) for term in terms]
                yield force(kind, 2, {"usesPeriodic": self.periodic_terms}, [element(name + "s", {}, rows)])

    def nonbonded_force(self):
        values = {"alpha": 0, "cutoff": 1.0, "dispersionCorrection": 0, "ewaldTolerance": 1e-4,
                  "exceptionsUsePeriodic": 0, "includeDirectSpace": 1, "ljAlpha": 0, "ljnx": 0, "ljny": 0, "ljnz": 0,
                  "method": 0, "nx": 0, "ny": 0, "nz": 0, "recipForceGroup": -1, "rfDielectric": 78.3,
                  "switchingDistance": -1, "useSwitchingFunction": 0, **self.nonbonded}
        rows = [element("Particle", {"q": charge, "sig": sigma, "eps": epsilon})
                for charge, (sigma, epsilon) in zip(self.charges, self.lennard_jones)]
        excluded = [element("Exception", {"p1": i, "p2": j, "q": 0, "sig": 1, "eps": 0})
                    for i, j in sorted(self.excluded)]
        return force("NonbondedForce", 4, values,
                     [element(name, {}) for name in ("GlobalParameters", "ParticleOffsets", "ExceptionOffsets")]
                     + [element("Particles", {}, rows), element("Exceptions", {}, excluded)])

    def box(self):
        edge = self.edge or 2.0
        return element("PeriodicBoxVectors", {}, [element("A", {"x": edge, "y": 0, "z": 0}),
                                                  element("B", {"x": 0, "y": edge, "z": 0}),
                                                  element("C", {"x": 0, "y": 0, "z": edge})])

    def system_xml(self):
        forces = list(self.term_forces()) + ([self.nonbonded_force()] if self.nonbonded else []) + self.extra
        constraints = [element("Constraint", {"p1": i, "p2": j, "d": d}) for i, j, d in self.constraints]
        return '<?xml version="1.0" ?>\n' + element(
            "System", {"openmmVersion": "8.6.1", "type": "System", "version": 1},
            [self.box(), element("Particles", {}, [element("Particle", {"mass": m}) for m in self.masses]),
             element("Constraints", {}, constraints), element("Forces", {}, forces)])

    def state_xml(self, velocities=None):
        def vectors(name, values):
            return element(name + "s" if name == "Position" else "Velocities", {},
                           [element(name, dict(zip("xyz", map(float, v)))) for v in values])
        parts = [self.box(), vectors("Position", self.positions)]
        if velocities:
            parts.append(vectors("Velocity", velocities))
        return '<?xml version="1.0" ?>\n' + element(
            "State", {"openmmVersion": "8.6.1", "stepCount": 0, "time": 0, "type": "State", "version": 1}, parts)


def cubic_lattice(count, edge):
    side = math.ceil(count ** (1 / 3) - 1e-9)
    places = [(i, j, k) for i in range(side) for j in range(side) for k in range(side)]
    return [tuple((c + 0.5) * edge / side for c in place) for place in places[:count]]


def argon(count=64, density=10.0, cutoff=0.6):
    """A supercritical fluid: Lennard-Jones, switched over the last 0.1 nm."""
    model = Model((count / density) ** (1 / 3))
    for place in cubic_lattice(count, model.edge):
        model.add(39.948, place, 0.0, 0.3405, 0.996)
    model.nonbonded = {"method": 2, "cutoff": cutoff, "useSwitchingFunction": 1, "switchingDistance": cutoff - 0.1}
    return model


def chains(count=10, edge=1.4, constrained=False, cutoff=0.65):
    """Flexible molecules of four charged beads with bonds (or constraints), angles and a torsion, under PME on a coarse
    mesh of powers of two and three: its energy is a function of the positions like any other, which is all that sampling
    and repeated bits ask of it, and a step takes a seventh of what a tolerance's mesh takes."""
    model = Model(edge)
    shape = [(0.0, 0.0, 0.0), (0.15, 0.0, 0.0), (0.2, 0.14, 0.0), (0.3, 0.17, 0.1)]
    for x, y, z in cubic_lattice(count, edge):
        first = len(model.masses)
        for (dx, dy, dz), mass, charge in zip(shape, (15.0, 14.0, 14.0, 16.0), (0.2, -0.1, 0.1, -0.2)):
            model.add(mass, (x + dx, y + dy, z + dz), charge, 0.3, 0.4)
        for i in range(3):
            a, b = first + i, first + i + 1
            length = math.dist(model.positions[a], model.positions[b])
            model.constraints.append((a, b, length)) if constrained else model.bonds.append((a, b, length, 5e4))
        model.angles += [(first + i, first + i + 1, first + i + 2, 1.9, 300.0) for i in range(2)]
        model.torsions.append((first, first + 1, first + 2, first + 3, 3, 0.0, 5.0))
        model.excluded |= {(first + i, first + j) for i in range(4) for j in range(i + 1, 4)}
    points = 8 * math.ceil(edge / 1.1)
    model.nonbonded = {"method": 4, "cutoff": cutoff, "alpha": 4.5, "nx": points, "ny": points, "nz": points}
    return model


def water(count=27, edge=None, cutoff=0.45):
    """Rigid three-site water (W. L. Jorgensen et al., J. Chem. Phys. 79, 926 (1983)) under PME, on a lattice at random
    orientations: to be minimized before use."""
    model = Model(edge or (count / 33.0) ** (1 / 3))
    choose = random.Random(1)
    bond, half_angle = 0.09572, math.radians(104.52 / 2)
    for place in cubic_lattice(count, model.edge):
        u = [choose.gauss(0, 1) for _ in range(3)]
        w = [choose.gauss(0, 1) for _ in range(3)]
        norm = math.hypot(*u)
        u = [c / norm for c in u]
        along = sum(a * b for a, b in zip(u, w))
        w = [b - along * a for a, b in zip(u, w)]
        norm = math.hypot(*w)
        w = [c / norm for c in w]
        oxygen = model.add(15.99943, place, -0.834, 0.31507524065751241, 0.635968)
        for sign in (1, -1):
            offset = [bond * (math.cos(half_angle) * a + sign * math.sin(half_angle) * b) for a, b in zip(u, w)]
            model.add(1.007947, tuple(p + o for p, o in zip(place, offset)), 0.417)
        model.constraints += [(oxygen, oxygen + 1, bond), (oxygen, oxygen + 2, bond),
                              (oxygen + 1, oxygen + 2, 2 * bond * math.sin(half_angle))]
        model.excluded |= {(oxygen, oxygen + 1), (oxygen, oxygen + 2), (oxygen + 1, oxygen + 2)}
    model.nonbonded = {"method": 4, "cutoff": cutoff, "ewaldTolerance": 1e-3}
    return model


def ideal_gas(molecules, volume, atoms=2):
    """Molecules (two atoms and a spring, or one atom) that do not see each other."""
    model = Model(volume ** (1 / 3))
    model.periodic_terms = True
    for x, y, z in cubic_lattice(molecules, model.edge):
        first = model.add(20.0, (x, y, z))
        if atoms == 2:
            model.bonds.append((first, model.add(20.0, (x + 0.1, y, z)), 0.1, 1000.0))
    return model


def thermostat(temperature=300, frequency=1, seed=5):
    return force("AndersenThermostat", 1, {"temperature": temperature, "frequency": frequency, "randomSeed": seed})


def remover(frequency=1):
    return force("CMMotionRemover", 1, {"frequency": frequency})


def barostat(kind, pressure=500.0, temperature=300.0, frequency=5, seed=6, **more):
    """One of the four barostats; `kind` is its name between `MonteCarlo` and `Barostat`."""
    values = {"temperature": temperature, "frequency": frequency, "randomSeed": seed, "rigidScaling": 1}
    if kind == "Anisotropic":
        values |= {"pressurex": pressure, "pressurey": pressure, "pressurez": pressure, "scalex": 1, "scaley": 1,
                   "scalez": 1}
    else:
        values["pressure"] = pressure
    if kind == "Membrane":
        values |= {"surfaceTension": 0, "xymode": 0, "zmode": 0}
    return force(f"MonteCarlo{kind}Barostat", 1, values | more)


def integrator(kind, **more):
    """The XML of an integrator, at 300 K, 1 fs and a friction of 10/ps unless told otherwise."""
    values = {"type": kind + "Integrator", "version": 1, "constraintTolerance": 1e-8, "integrationForceGroups": -1,
              "stepSize": 0.001}
    children = []
    if kind in ("Langevin", "LangevinMiddle", "Brownian", "VariableLangevin"):
        values |= {"temperature": 300, "friction": 10, "randomSeed": 9}
    if kind.startswith("Variable"):
        values |= {"version": 2, "errorTol": 1e-4, "maxStepSize": 0, "stepSize": 0}
    if kind == "NoseHoover":
        values |= {"maximumPairDistance": 0, "hasSubsystemThermostats": 0, "temperature": 300, "collisionFrequency": 20,
                   "chainLength": 3, "numMTS": 3, "numYS": 7}
    if kind == "Compound":
        values = {"type": "CompoundIntegrator", "version": 1, "currentIntegrator": 1}
        children = [integrator("Verlet"), integrator("LangevinMiddle"), integrator("NoseHoover")]
    return element("Integrator", values | more, children)


def subsystem_chains(particles, pairs):
    """A NoseHooverIntegrator with one thermostat for particles and one for pairs."""
    chain = {"temperature": 300, "collisionFrequency": 20, "relativeTemperature": 50, "relativeCollisionFrequency": 10,
             "chainLength": 3, "numMTS": 3, "numYS": 3}

    def chosen(particles, pairs):
        return element("Thermostat", chain, [
            element("ThermostatedAtoms", {}, [element("Particle", {"index": i}) for i in particles]),
            element("ThermostatedPairs", {}, [element("Pair", {"index1": i, "index2": j}) for i, j in pairs])])
    return element("Integrator", {"type": "NoseHooverIntegrator", "version": 1, "constraintTolerance": 1e-8,
                                  "integrationForceGroups": -1, "stepSize": 0.001, "maximumPairDistance": 0,
                                  "hasSubsystemThermostats": 1}, [chosen(particles, []), chosen([], pairs)])


def write(folder, model, integrator_xml, velocities=None):
    """Puts system.xml.gz, state.xml.gz and integrator.xml into a folder; answers the program's options for them."""
    os.makedirs(folder, exist_ok=True)
    texts = {"system.xml.gz": model.system_xml(), "state.xml.gz": model.state_xml(velocities),
             "integrator.xml": integrator_xml}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(gzip.compress(text.encode(), mtime=0) if name.endswith(".gz") else text.encode())
    return options(folder)


def options(folder):
    names = {"--system": "system.xml.gz", "--state": "state.xml.gz", "--integrator": "integrator.xml"}
    return [part for option, name in names.items() for part in (option, os.path.join(folder, name))]
