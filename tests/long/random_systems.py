#!/usr/bin/env python3
# Random Systems of several forces each, against OpenMM's Reference platform.
# SPDX-License-Identifier: MIT
"""random_systems.py PROGRAM [--cases 300] [--first 0] [--platform reference] [--precision double] [--keep DIR]

Each case is made from its number alone: a box or none, rectangular or skewed; GayBerneForce with spheres, round and general
ellipsoids, exceptions, cutoffs and switching; LCPOForce; RMSDForce, RGForce and OrientationRestraintForce on all particles or
some; NonbondedForce, GBSAOBCForce and built-in terms; CustomVolumeForce, and with formulas put together at random CustomBondForce,
CustomAngleForce, CustomTorsionForce, CustomExternalForce, CustomCompoundBondForce and CustomCentroidBondForce with tables,
CustomNonbondedForce with computed values and interaction groups, CustomHbondForce and CustomManyParticleForce with type filters
and both ways to permute. Each force of pairs has exclusions and a cutoff of its own. Energies must agree within 1e-10 of the sum of all |E|, forces within 1e-9 of the largest
force on any particle by any force (devices, which sum in units of 2^-32 kJ/mol/nm: four of these more).

OpenMM's forces between ellipsoids are not the gradient of its energy where energy scales are not 1 or axis particles not at
right angles: there the energy alone is compared. Where OpenMM has a NaN, or an energy beyond 1e6 kJ/mol, the case is counted
apart. Ellipsoids without a cutoff have no switching function here, which OpenMM says it ignores and does not; and sets of
two particles with a central one no type filters, which OpenMM ignores. Exit status: 0 if all agree.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from other_python import require

require("numpy", "openmm")
import numpy as np
import openmm as mm


class Case:
    def __init__(self, number):
        self.rng = rng = random.Random(number)
        self.n = rng.randint(12, 40)
        self.system = mm.System()
        for _ in range(self.n):
            self.system.addParticle(rng.uniform(1, 20))
        a = [rng.uniform(1.8, 2.6) for _ in range(3)]
        skew = rng.random() < 0.5
        self.box = [[a[0], 0, 0], [rng.uniform(-.4, .4) * a[0] if skew else 0, a[1], 0],
                    [rng.uniform(-.4, .4) * a[0] if skew else 0, rng.uniform(-.4, .4) * a[1] if skew else 0, a[2]]]
        self.system.setDefaultPeriodicBoxVectors(*[mm.Vec3(*v) for v in self.box])
        self.x = self.scattered()
        self.largest_cutoff = 0.5 * min(a)
        self.compares_forces, self.parameters = [], 0
        makers = [self.gay_berne, self.lcpo, self.rmsd, self.rg, self.orientation, self.volume, self.hbond, self.many, self.many,
                  self.terms, self.terms, self.custom_terms, self.custom_terms, self.external, self.compound, self.compound,
                  self.centroid, self.custom_pairs, self.custom_pairs, self.nonbonded, self.born]
        for group, maker in enumerate(rng.sample(makers, rng.randint(1, 6))):
            force = maker()
            force.setForceGroup(group)
            self.system.addForce(force)

    def scattered(self):
        points, box = [], np.array(self.box)
        while len(points) < self.n:
            x = np.array([self.rng.uniform(-.2, 1.2) for _ in range(3)]) @ box * self.rng.choice([0.4, 0.6, 1])
            if all(np.linalg.norm(x - y) > 0.08 for y in points):
                points.append(x)
        return points

    def some(self, least=1):
        return self.rng.sample(range(self.n), self.rng.randint(least, self.n))

    def cutoff(self, force):
        force.setNonbondedMethod(self.rng.randint(0, 2))
        force.setCutoffDistance(self.rng.uniform(0.3, 0.99) * self.largest_cutoff)

    def gay_berne(self):
        rng, force = self.rng, mm.GayBerneForce()
        scales, gradient = rng.random() < 0.5, True
        for i in range(self.n):
            kind = rng.randint(0, 3)
            a, b, c = (rng.uniform(0.05, 0.3) for _ in range(3))
            e = [rng.uniform(0.5, 2) if scales else 1 for _ in range(3)]
            x, y = rng.sample([j for j in range(self.n) if j != i], 2)
            if kind < 3:
                c, e[2] = b, e[1]
            if kind < 2:
                a, e[0] = b, e[1]
            gradient = gradient and (not scales or kind < 2) and kind < 3
            force.addParticle(rng.uniform(0.1, 0.3), rng.choice([0, 0.5, 2]), x if kind > 1 else -1, y if kind > 2 else -1, a, b, c, *e)
        for i, j in self.pairs(4):
            force.addException(i, j, rng.uniform(0.1, 0.3), rng.choice([0, 0.7]))
        self.cutoff(force)
        if rng.random() < 0.5 and force.getNonbondedMethod() > 0:
            force.setUseSwitchingFunction(True)
            force.setSwitchingDistance(rng.uniform(0, 0.95) * force.getCutoffDistance()._value)
        self.compares_forces.append(gradient)
        return force

    def pairs(self, most):
        return {tuple(sorted(self.rng.sample(range(self.n), 2))) for _ in range(self.rng.randint(0, most))}

    def lcpo(self):
        force = mm.LCPOForce()
        for _ in range(self.n):
            radius = self.rng.choice([0, 0.2, 0.31, 0.4])
            force.addParticle(radius, *(self.rng.uniform(-1, 1) for _ in range(4)))
        force.setSurfaceTension(self.rng.uniform(-2, 5))
        force.setUsesPeriodicBoundaryConditions(self.rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def reference(self):
        return [mm.Vec3(*(np.array(x) + [self.rng.gauss(0, .2) for _ in range(3)])) for x in self.x]

    def rmsd(self):
        self.compares_forces.append(True)
        return mm.RMSDForce(self.reference(), self.some(3) if self.rng.random() < 0.6 else [])

    def rg(self):
        self.compares_forces.append(True)
        return mm.RGForce(self.some(2) if self.rng.random() < 0.6 else [])

    def orientation(self):
        self.compares_forces.append(True)
        return mm.OrientationRestraintForce(self.rng.uniform(-5, 5), self.reference(), self.some(4) if self.rng.random() < 0.6 else [])

    def volume(self):
        force = mm.CustomVolumeForce("p*v^2 + sin(ax*cy) - bx*cx + cz/by")
        force.addGlobalParameter("p", self.rng.uniform(-1, 1))
        self.compares_forces.append(True)
        return force

    def formula(self, points, numbers):
        """A sum of products of bounded functions of distances, angles and dihedral angles."""
        def measure():
            kind = self.rng.randint(0, 2) if len(points) > 3 else self.rng.randint(0, 1) if len(points) > 2 else 0
            names = self.rng.sample(points, kind + 2)
            text = ("distance", "angle", "dihedral")[kind] + "(" + ", ".join(names) + ")"
            return self.rng.choice(["cos(%s)", "exp(-3*(%s)^2)", "sin(2*%s + 1)", "1/(1 + (%s)^2)"]) % text
        def term():
            return "*".join([self.rng.choice(numbers)] + [measure() for _ in range(self.rng.randint(1, 3))])
        return " + ".join(term() for _ in range(self.rng.randint(1, 3)))

    def next_parameter(self):
        return self.parameters + 1

    def add_parameter(self, force):
        self.parameters += 1
        force.addGlobalParameter(f"k{self.parameters}", self.rng.uniform(-2, 2))

    def hbond(self):
        points = [f"{letter}{k}" for letter in "da" for k in range(1, self.rng.randint(1, 3) + 1)]
        force = mm.CustomHbondForce(self.formula(points, ["q", "c", f"k{self.next_parameter()}", "2.5"]))
        force.addPerDonorParameter("q")
        force.addPerAcceptorParameter("c")
        self.add_parameter(force)
        donors, acceptors = self.rng.randint(1, 6), self.rng.randint(1, 6)
        for _ in range(donors):
            force.addDonor(*self.rng.sample(range(self.n), 3), [self.rng.uniform(-2, 2)])
        for _ in range(acceptors):
            force.addAcceptor(*self.rng.sample(range(self.n), 3), [self.rng.uniform(-2, 2)])
        for d, a in {(self.rng.randrange(donors), self.rng.randrange(acceptors)) for _ in range(3)}:
            force.addExclusion(d, a)
        self.cutoff(force)
        # A donor and an acceptor may share particles; OpenMM has no derivatives of their dihedral angles: see NaN.
        self.compares_forces.append(True)
        return force

    def many(self):
        size = self.rng.randint(2, 4)
        points = [f"p{k + 1}" for k in range(size)]
        numbers = [f"q{k + 1}" for k in range(size)] + [f"k{self.next_parameter()}", "1.5"] + [f"(1 + 0.1*x{size})", "y1"]
        force = mm.CustomManyParticleForce(size, self.formula(points, numbers))
        force.addPerParticleParameter("q")
        self.add_parameter(force)
        for _ in range(self.n):
            force.addParticle([self.rng.uniform(-1, 1)], self.rng.randint(0, 3))
        for i, j in self.pairs(6):
            force.addExclusion(i, j)
        force.setPermutationMode(self.rng.randint(0, 1))
        if size > 2 or force.getPermutationMode() == 0:
            for k in range(size):
                if self.rng.random() < 0.4:
                    force.setTypeFilter(k, set(self.rng.sample(range(4), self.rng.randint(1, 3))))
        self.cutoff(force)
        self.compares_forces.append(True)
        return force

    def wave(self, name):
        return self.rng.choice(["cos(%s)", "exp(-abs(%s))", "sin(2*%s + 1)", "1/(1 + (%s)^2)", "min(%s, 0.7)", "erfc(%s)", "sqrt(1 + square(%s))"]) % name

    def function(self, variables, numbers):
        """A sum of products of bounded functions of variables."""
        def term():
            return "*".join([self.rng.choice(numbers)] + [self.wave(self.rng.choice(variables)) for _ in range(self.rng.randint(1, 3))])
        return " + ".join(term() for _ in range(self.rng.randint(1, 3)))

    def table(self, force):
        """A tabulated function that formulas call f."""
        values, low = [self.rng.uniform(-1, 1) for _ in range(self.rng.randint(4, 9))], self.rng.uniform(-1, 0)
        force.addTabulatedFunction("f", mm.Continuous1DFunction(values, low, low + self.rng.uniform(1, 4)))

    def tuples(self, size, most=8):
        return [self.rng.sample(range(self.n), size) for _ in range(self.rng.randint(1, most))]

    def terms(self):
        rng, kind = self.rng, self.rng.randint(0, 3)
        force = [mm.HarmonicBondForce, mm.HarmonicAngleForce, mm.PeriodicTorsionForce, mm.RBTorsionForce][kind]()
        for particles in self.tuples(min(kind + 2, 4)):
            numbers = [(rng.uniform(0.1, 1), rng.uniform(10, 900)), (rng.uniform(1, 3), rng.uniform(10, 90)),
                       (rng.randint(1, 4), rng.uniform(-3, 3), rng.uniform(1, 9)), [rng.uniform(-4, 4) for _ in range(6)]][kind]
            getattr(force, ("addBond", "addAngle", "addTorsion", "addTorsion")[kind])(*particles, *numbers)
        force.setUsesPeriodicBoundaryConditions(rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def custom_terms(self):
        kind = self.rng.randint(0, 2)
        what = ("Bond", "Angle", "Torsion")[kind]
        variable = "theta" if kind else "r"
        force = getattr(mm, f"Custom{what}Force")(self.function([variable], ["q", f"k{self.next_parameter()}", "1.5"]))
        getattr(force, f"addPer{what}Parameter")("q")
        self.add_parameter(force)
        for particles in self.tuples(kind + 2):
            getattr(force, f"add{what}")(*particles, [self.rng.uniform(-2, 2)])
        force.setUsesPeriodicBoundaryConditions(self.rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def external(self):
        force = mm.CustomExternalForce(self.function(["x", "y", "z", "periodicdistance(x, y, z, 0.5, q, 1)"], ["q", f"k{self.next_parameter()}"]))
        force.addPerParticleParameter("q")
        self.add_parameter(force)
        for i in self.some():
            force.addParticle(i, [self.rng.uniform(-2, 2)])
        self.compares_forces.append(True)
        return force

    def compound(self):
        size = self.rng.randint(1, 5)
        numbers = ["q", f"k{self.next_parameter()}", "1.5"]
        text = self.function(["x1", f"y{size}", f"f(z{size})", f"pointdistance(x1, y1, z1, 0.3, 2*q, z{size}/2)"], numbers)
        if size > 1:
            text += " + " + self.formula([f"p{k + 1}" for k in range(size)], numbers)
        force = mm.CustomCompoundBondForce(size, text)
        force.addPerBondParameter("q")
        self.table(force)
        self.add_parameter(force)
        for particles in self.tuples(size):
            force.addBond(particles, [self.rng.uniform(-2, 2)])
        force.setUsesPeriodicBoundaryConditions(self.rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def centroid(self):
        size, groups = self.rng.randint(2, 4), self.rng.randint(4, 7)
        numbers = ["q", f"k{self.next_parameter()}", "1.5", "f(x1)"]
        force = mm.CustomCentroidBondForce(size, self.formula([f"g{k + 1}" for k in range(size)], numbers))
        force.addPerBondParameter("q")
        self.table(force)
        self.add_parameter(force)
        for _ in range(groups):
            members = self.rng.sample(range(self.n), self.rng.randint(1, 6))
            force.addGroup(members, *([[self.rng.uniform(0.1, 2) for _ in members]] if self.rng.random() < 0.5 else []))
        for _ in range(self.rng.randint(1, 6)):
            force.addBond(self.rng.sample(range(groups), size), [self.rng.uniform(-2, 2)])
        force.setUsesPeriodicBoundaryConditions(self.rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def custom_pairs(self):
        numbers = ["q1*q2", "(q1 + q2)", f"k{self.next_parameter()}", "1.5"]
        has_values = self.rng.random() < 0.4
        force = mm.CustomNonbondedForce(self.function(["r", "r*(q1 + q2)", "f(r)"], numbers + ["v1*v2"] * has_values))
        force.addPerParticleParameter("q")
        self.table(force)
        self.add_parameter(force)
        if has_values:
            force.addComputedValue("v", self.wave("q"))
        for _ in range(self.n):
            force.addParticle([self.rng.uniform(-1, 1)])
        for i, j in self.pairs(8):
            force.addExclusion(i, j)
        self.cutoff(force)
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            force.addInteractionGroup(self.some(), self.some())
        if self.rng.random() < 0.4 and force.getNonbondedMethod() > 0:
            force.setUseSwitchingFunction(True)
            force.setSwitchingDistance(self.rng.uniform(0, 0.95) * force.getCutoffDistance()._value)
        self.compares_forces.append(True)
        return force

    def nonbonded(self):
        force = mm.NonbondedForce()
        for _ in range(self.n):
            force.addParticle(self.rng.uniform(-1, 1), self.rng.uniform(0.02, 0.12), self.rng.choice([0, 0.5, 1]))
        for i, j in self.pairs(8):
            force.addException(i, j, self.rng.choice([0, 0.3]), 0.1, self.rng.choice([0, 0.4]))
        self.cutoff(force)
        force.setUseDispersionCorrection(self.rng.random() < 0.5)
        self.compares_forces.append(True)
        return force

    def born(self):
        force = mm.GBSAOBCForce()
        for _ in range(self.n):
            force.addParticle(self.rng.uniform(-1, 1), self.rng.uniform(0.1, 0.2), self.rng.uniform(0.7, 0.9))
        self.cutoff(force)
        self.compares_forces.append(True)
        return force


def compare(case, options, folder):
    integrator = mm.VerletIntegrator(0.001)
    context = mm.Context(case.system, integrator, mm.Platform.getPlatformByName("Reference"))
    context.setPositions([mm.Vec3(*x) for x in case.x])
    paths = {name: os.path.join(folder, name + ".xml") for name in ("system", "state")}
    with open(paths["system"], "w") as f:
        f.write(mm.XmlSerializer.serialize(case.system))
    with open(paths["state"], "w") as f:
        f.write(mm.XmlSerializer.serialize(context.getState(positions=True)))
    groups = range(case.system.getNumForces())
    states = [context.getState(energy=True, forces=True, groups=1 << group) for group in groups]
    energies = [state.getPotentialEnergy()._value for state in states]
    forces = [np.array(state.getForces(asNumpy=True)._value) for state in states]
    if not all(np.isfinite(f).all() for f in forces) or not np.isfinite(energies).all() or max(map(abs, energies)) > 1e6:
        return "apart"
    out, npy = os.path.join(folder, "out.json"), os.path.join(folder, "forces.npy")
    subprocess.run([options.program, "energy", "--system", paths["system"], "--state", paths["state"], "--platform", options.platform,
                    "--precision", options.precision, "--json", out, "--forces", npy], check=True)
    with open(out) as f:
        ours = json.load(f)
    scale = max(1, sum(map(abs, energies)))
    for group, (mine, theirs) in enumerate(zip(ours["energy_by_force"], energies)):
        if not abs(mine["energy"] - theirs) <= 1e-10 * scale:
            return f"energy of {mine['name']} {group}: {mine['energy']} for {theirs}"
    if all(case.compares_forces):
        largest = max(np.linalg.norm(f, axis=1).max() for f in forces)
        limit = 1e-9 * largest + (4 * 2.0 ** -32 if options.platform in ("opencl", "cuda") else 0)
        error = np.linalg.norm(np.load(npy) - sum(forces), axis=1).max()
        if not error <= limit + 1e-12:
            names = [case.system.getForce(g).getName() for g in groups]
            return f"forces of {names} off by {error}, limit {limit}"
    return "agree"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--platform", default="reference")
    parser.add_argument("--precision", default="double")
    parser.add_argument("--keep")
    options = parser.parse_args()
    count = {"agree": 0, "apart": 0}
    for number in range(options.first, options.first + options.cases):
        with tempfile.TemporaryDirectory() as work:
            folder = options.keep or work
            os.makedirs(folder, exist_ok=True)
            result = compare(Case(number), options, folder)
        if result in count:
            count[result] += 1
        else:
            print(f"case {number}: {result}", flush=True)
    print(f"AGREE {count['agree']}/{options.cases - count['apart']}, {count['apart']} counted apart")
    sys.exit(0 if count["agree"] == options.cases - count["apart"] else 1)


if __name__ == "__main__":
    main()
