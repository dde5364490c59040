#!/usr/bin/env python3
# Random small systems with every deterministic integrator, step by step against OpenMM's Reference platform.
# SPDX-License-Identifier: MIT
"""random_dynamics.py PROGRAM [--cases 200] [--first 0] [--platform reference] [--steps 100] [--keep DIR]

Each case is made from its number alone: rigid water, rings, clusters and rigid angles, flexible chains, frozen particles,
all five kinds of virtual sites (nested too), periodic, triclinic and open boxes, force groups of which the integrator takes
some, a remover of the centre-of-mass motion, barostats that never act, parameters that the State changes, a start in the
middle of a run, and a second step size half-way. Needs OpenMM's Python package.

Positions must agree within 1e-9 nm, and velocities within 1e-6 nm/ps, each plus twenty times what OpenMM's own trajectory
answers to a start moved by 1e-13 nm; cases in which that answer exceeds 1e-10 nm are chaotic, say nothing, and are counted
apart. Where OpenMM goes on with a constraint that does not hold, Trotter must name one. Lengths of rigid triangles are float32 numbers, as OpenMM keeps no others. Exit status: 0 if all agree, else 1.

Two answers of OpenMM are not asked for. The kinetic energy of a NoseHooverIntegrator with thermostats for subsystems is
that of half m v^2 of all its velocities here: OpenMM itself leaves out particles without thermostat and the relative motion
of pairs, so that what it reports is not conserved together with the heat bath. And it sets the time to infinity where a
variable step is as long as the maximum step size.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import openmm as mm

POSITION_LIMIT, VELOCITY_LIMIT = 1e-9, 1e-6
CHAOS, MOST_CHAOS = 1e-13, 1e-10  # nm


def f32(value):
    return float(np.float32(value))


class Builder:
    """A System in the making: molecules on the places of a coarse lattice, 0.5 nm apart."""

    def __init__(self, rng):
        self.rng, self.system = rng, mm.System()
        self.x, self.charge, self.has_size, self.is_site = [], [], [], []
        self.bonds, self.angles, self.torsions, self.bonded = [], [], [], set()
        self.settle = False
        cells = [(i, j, k) for i in range(3) for j in range(3) for k in range(3)]
        rng.shuffle(cells)
        self.cells = cells

    def place(self):
        return np.array(self.cells.pop()) * 0.5 + [self.rng.uniform(-.03, .03) for _ in range(3)]

    def add(self, x, mass, charge=0.0, sized=True):
        self.x.append(np.array(x, float))
        self.charge.append(charge)
        self.has_size.append(sized)
        self.is_site.append(False)
        return self.system.addParticle(mass)

    def site(self, site, parents, charge=0.0):
        p = self.add((0, 0, 0), 0.0, charge, False)
        self.system.setVirtualSite(p, site)
        self.is_site[p] = True
        self.exclude([p, *parents])
        return p

    def exclude(self, members):
        self.bonded |= {(min(a, b), max(a, b)) for a in members for b in members if a != b}

    def tie(self, i, j, distance=None):
        self.system.addConstraint(i, j, float(np.linalg.norm(self.x[i] - self.x[j])) if distance is None else distance)

    def bond(self, i, j, k=None):
        self.bonds.append((i, j, float(np.linalg.norm(self.x[i] - self.x[j])) * self.rng.uniform(.97, 1.03),
                           k or self.rng.uniform(2e4, 2e5)))

    def water(self, site=None):
        oh, hh = f32(self.rng.uniform(.095, .1)), f32(self.rng.uniform(.15, .164))
        o = self.place()
        half = hh / 2
        turn = random_rotation(self.rng)
        hydrogen = self.rng.choice([1.008, 2.0])  # of different masses OpenMM's SETTLE makes NaN
        a = self.add(o, self.rng.choice([15.9994, 16.0, 3.0]), -.3 if site is None else 0.0)
        b = self.add(o + turn @ [half, math.sqrt(oh * oh - half * half), 0], hydrogen, .15, False)
        c = self.add(o + turn @ [-half, math.sqrt(oh * oh - half * half), 0], hydrogen, .15, False)
        order = [(a, b, oh), (a, c, oh), (b, c, hh)]
        self.rng.shuffle(order)
        for i, j, d in order:
            self.tie(*self.rng.choice([(i, j), (j, i)]), d)
        self.settle = True
        self.exclude([a, b, c])
        if site:
            p = self.site(site(a, b, c), [a, b, c], -.3)
            if self.rng.random() < .4:
                self.site(mm.TwoParticleAverageSite(p, a, .3, .7), [p, a, b, c], self.rng.uniform(-.1, .1))
        return [a, b, c]

    def four_site_water(self):
        def average(a, b, c):
            w = self.rng.uniform(.1, .2)
            return mm.ThreeParticleAverageSite(a, b, c, 1 - 2 * w, w, w)

        def out_of_plane(a, b, c):
            return mm.OutOfPlaneSite(a, b, c, -.3, -.3, self.rng.uniform(-6, 6))

        def local(a, b, c):
            return mm.LocalCoordinatesSite([a, b, c], [.5, .25, .25], [-1, .6, .4], [0, -1, 1],
                                           mm.Vec3(*(self.rng.uniform(-.03, .03) for _ in range(3))))
        self.water(self.rng.choice([average, out_of_plane, local]))

    def star(self):
        c, n = self.place(), self.rng.randint(1, 4)
        turn = random_rotation(self.rng)
        ends = [turn @ np.array(d) / math.sqrt(3) * self.rng.uniform(.1, .115)
                for d in [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)][:n]]
        a = self.add(c, 12.011, -.1 * n)
        members = [a] + [self.add(c + e, 1.008, .1, self.rng.random() < .5) for e in ends]
        for m in members[1:]:
            self.tie(a, m)
        for i in range(1, n + 1):
            for j in range(i):
                if j > 0:
                    self.angles.append((members[j], a, members[i], self.rng.uniform(1.8, 2.0), self.rng.uniform(100, 400)))
        self.exclude(members)

    def ring(self):
        n = self.rng.randint(3, 6)
        c, turn = self.place(), random_rotation(self.rng)
        r = .13 / (2 * math.sin(math.pi / n))
        members = [self.add(c + turn @ [r * math.cos(2 * math.pi * i / n), r * math.sin(2 * math.pi * i / n),
                                        .02 * (-1) ** i + self.rng.uniform(-.004, .004)], self.rng.uniform(2, 16),
                            self.rng.uniform(-.2, .2)) for i in range(n)]
        for i in range(n):
            self.tie(members[i], members[(i + 1) % n])
        if n == 5 and self.rng.random() < .5:
            self.tie(members[0], members[2])  # a rigid angle in it
        if self.rng.random() < .5:
            e = self.add(self.x[members[0]] + turn @ [0.03, 0.02, .1], 1.008)
            members.append(e)
            self.tie(members[0], e)
        self.exclude(members)

    def rigid_angle(self):
        c, turn = self.place(), random_rotation(self.rng)
        a, b, d = (self.add(c + turn @ p, self.rng.uniform(1, 16), q) for p, q in
                   [((0, 0, 0), -.4), ((.11, 0, 0), .2), ((-.03, .1, 0), .2)])
        for i, j in [(a, b), (a, d), (b, d)]:
            self.tie(i, j)
        self.exclude([a, b, d])

    def chain(self):
        n = self.rng.randint(2, 4)
        c, turn = self.place(), random_rotation(self.rng)
        members = [self.add(c + turn @ [.1 * i - .15, .05 * (i % 2), .03 * (i % 3)], self.rng.uniform(6, 16), self.rng.uniform(-.3, .3))
                   for i in range(n)]
        for i in range(n - 1):
            self.bond(members[i], members[i + 1])
        for i in range(n - 2):
            self.angles.append((*members[i:i + 3], self.rng.uniform(1.6, 2.2), self.rng.uniform(100, 500)))
        for i in range(n - 3):
            self.torsions.append((*members[i:i + 4], self.rng.randint(1, 4), self.rng.uniform(0, 3), self.rng.uniform(1, 20)))
        self.exclude(members)
        if n > 2 and self.rng.random() < .5:
            w = self.rng.uniform(.2, .8)
            s = self.site(mm.TwoParticleAverageSite(members[0], members[1], w, 1 - w), members, .2)
            if self.rng.random() < .5:
                self.site(mm.ThreeParticleAverageSite(s, members[1], members[2], .5, .3, .2), [s, *members], -.2)
        return members

    def frozen(self):
        p = self.add(self.place(), 0.0, self.rng.uniform(-.3, .3))
        if self.rng.random() < .5:
            q = self.add(self.x[p] + [.1, 0.05, 0], 12.0)
            self.bond(p, q)
            self.exclude([p, q])
        if self.rng.random() < .5:
            q = self.add(self.x[p] + [0, 0, .2], 0.0)
            self.tie(p, q)
            self.exclude([p, q])

    def image(self):
        """A particle and its image by a symmetry, in nm or in fractions of a rectangular box."""
        p = self.add(self.place(), self.rng.uniform(4, 16), .2)
        self.site(mm.SymmetrySite(p, mm.Vec3(0, 1, 0), mm.Vec3(-1, 0, 0), mm.Vec3(0, 0, 1), mm.Vec3(.5, .5, .2),
                                  self.fractions), [p], -.2)


def random_rotation(rng):
    q, _ = np.linalg.qr(np.array([[rng.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
    return q


def add_forces(b, box_kind):
    rng, groups = b.rng, [b.rng.randint(0, 2) for _ in range(4)]
    bonds, angles, torsions = mm.HarmonicBondForce(), mm.HarmonicAngleForce(), mm.PeriodicTorsionForce()
    for t in b.bonds:
        bonds.addBond(*t)
    for t in b.angles:
        angles.addAngle(*t)
    for t in b.torsions:
        torsions.addTorsion(*t)
    pairs = mm.NonbondedForce()
    methods = [mm.NonbondedForce.NoCutoff, mm.NonbondedForce.CutoffNonPeriodic]
    if box_kind != "open":
        methods = [mm.NonbondedForce.CutoffPeriodic, mm.NonbondedForce.PME]
    pairs.setNonbondedMethod(rng.choice(methods))
    pairs.setCutoffDistance(.8)
    pairs.setUseSwitchingFunction(rng.random() < .5)
    pairs.setSwitchingDistance(.7)
    scaled = rng.random() < .5
    if scaled:
        pairs.addGlobalParameter("lambda", 1.0)
    for i, charge in enumerate(b.charge):
        if b.is_site[i]:
            size = 0, 0
        else:
            size = (rng.uniform(.22, .28), rng.uniform(.3, 1)) if b.has_size[i] else (.16, .2)
        pairs.addParticle(charge, *size)
        if scaled and rng.random() < .3:
            pairs.addParticleParameterOffset("lambda", i, .1, .01, .05)
    for i, j in sorted(b.bonded):
        pairs.addException(i, j, 0, .2, 0)
    forces = [bonds, angles, torsions, pairs]
    for force, group in zip(forces, groups):
        force.setForceGroup(group)
    if rng.random() < .4:
        forces.append(mm.CMMotionRemover(rng.randint(1, 9)))
    if rng.random() < .2:
        forces.append(mm.AndersenThermostat(300, 0.0))
    if box_kind != "open" and rng.random() < .4:
        forces.append(rng.choice([
            lambda: mm.MonteCarloBarostat(1, 300, 0), lambda: mm.MonteCarloAnisotropicBarostat(mm.Vec3(1, 1, 1), 300, True, True, True, 0),
            lambda: mm.MonteCarloMembraneBarostat(1, 0, 300, 0, 0, 0), lambda: mm.MonteCarloFlexibleBarostat(1, 300, 0)])())
    rng.shuffle(forces)
    for force in forces:
        b.system.addForce(force)
    return scaled


def nose_hoover(b, dt):
    """Chains for all, or for some with pairs; particles that constraints join share a chain."""
    rng = b.rng
    if rng.random() < .3:
        return mm.NoseHooverIntegrator(300, 20, dt, rng.randint(1, 5), rng.randint(1, 4), rng.choice([1, 3, 5, 7]))
    it = mm.NoseHooverIntegrator(dt)
    massive = [i for i in range(b.system.getNumParticles()) if b.system.getParticleMass(i)._value > 0]
    tied = {p for n in range(b.system.getNumConstraints()) for p in b.system.getConstraintParameters(n)[:2]}
    free = [i for i in massive if i not in tied]
    rng.shuffle(free)
    pairs = [(free.pop(), free.pop()) for _ in range(rng.randint(0, len(free) // 2))]
    spare = [free.pop() for _ in range(rng.randint(0, len(free)))] if rng.random() < .5 else []
    with_rest = [i for i in massive if i in tied or i in free]
    numbers = lambda: (rng.randint(1, 5), rng.randint(1, 4), rng.choice([1, 3, 5, 7]))
    if with_rest or pairs:
        it.addSubsystemThermostat(with_rest, pairs, 300, rng.uniform(5, 40), rng.uniform(5, 300), rng.uniform(20, 60), *numbers())
    if len(spare) > 1 and rng.random() < .7:
        it.addSubsystemThermostat(spare, [], 250, rng.uniform(5, 40), 10, 20, *numbers())
    if pairs and rng.random() < .3:
        it.setMaximumPairDistance(1.5)
    return it


def make_integrator(b, kind):
    rng, dt = b.rng, b.rng.choice([.0005, .001])
    one = {"verlet": lambda: mm.VerletIntegrator(dt),
           "langevin": lambda: mm.LangevinIntegrator(0, rng.uniform(0, 20), dt),
           "langevin-middle": lambda: mm.LangevinMiddleIntegrator(0, rng.uniform(0, 20), dt),
           "brownian": lambda: mm.BrownianIntegrator(0, rng.uniform(500, 5000), dt),
           "variable-verlet": lambda: mm.VariableVerletIntegrator(rng.uniform(1e-5, 1e-4)),
           "variable-langevin": lambda: mm.VariableLangevinIntegrator(0, rng.uniform(0, 20), rng.uniform(1e-5, 1e-4)),
           "nose-hoover": lambda: nose_hoover(b, dt)}
    if kind == "compound":
        it = mm.CompoundIntegrator()
        for name in rng.sample(sorted(one), 3):
            part = one[name]()
            settle_details(rng, part)
            it.addIntegrator(part)
        it.setCurrentIntegrator(rng.randint(0, 2))
        return it
    it = one[kind]()
    settle_details(rng, it)
    return it


def settle_details(rng, it):
    it.setConstraintTolerance(1e-12)
    it.setIntegrationForceGroups(rng.choice([0xffffffff, 0xffffffff, 0b011, 0b101]))
    if isinstance(it, (mm.VariableVerletIntegrator, mm.VariableLangevinIntegrator)):
        it.setMaximumStepSize(rng.choice([0, .0008]))


KINDS = ["verlet", "langevin", "langevin-middle", "brownian", "variable-verlet", "variable-langevin", "nose-hoover", "compound"]


class Case:
    def __init__(self, number):
        rng = random.Random(number)
        self.worst, self.is_chaotic = 0.0, False
        self.rng, self.kind = rng, KINDS[number % len(KINDS)]
        b = self.b = Builder(rng)
        box_kind = rng.choice(["open", "rectangular", "triclinic"])
        b.fractions = box_kind == "rectangular" and rng.random() < .5
        edge = 2.0
        b.system.setDefaultPeriodicBoxVectors(*(
            [(edge, 0, 0), (.3, edge, 0), (-.4, .5, edge)] if box_kind == "triclinic" else [(edge, 0, 0), (0, 2.1, 0), (0, 0, 2.2)]))
        makers = [b.water, b.four_site_water, b.star, b.ring, b.rigid_angle, b.chain, b.chain, b.frozen, b.image]
        for make in rng.choices(makers, k=rng.randint(3, 12)) + [b.chain, b.chain]:
            make()
        self.scaled = add_forces(b, box_kind)
        self.name = f"{number} {self.kind} {box_kind}, {len(b.x)} particles, {b.system.getNumConstraints()} constraints"
        self.relax()
        self.integrator = make_integrator(b, self.kind)
        self.velocities = np.array([[rng.gauss(0, .4) for _ in range(3)] for _ in b.x])
        # A new step size half-way, except for variable-step integrators.
        self.second_step = rng.choice([None, .0007])
        if "variable" in self.kind or self.kind == "compound":
            self.second_step = None
        # A Compound continues with another of its integrators: a State does not contain the last step size of a
        # variable one.
        self.second_current = (self.integrator.getCurrentIntegrator() + rng.randint(1, 2)) % 3 if self.kind == "compound" else None
        self.start_time, self.start_count = rng.choice([(0, 0), (1.5, 1003)])

    def relax(self):
        context = mm.Context(self.b.system, mm.VerletIntegrator(.001), mm.Platform.getPlatformByName("Reference"))
        context.setPositions(self.b.x)
        context.computeVirtualSites()
        mm.LocalEnergyMinimizer.minimize(context, 1, 100)
        self.b.x = context.getState(positions=True).getPositions(asNumpy=True)._value
        assert np.isfinite(self.b.x).all(), self.name

    def context(self):
        # An integrator belongs to one Context: use a copy for each.
        integrator = mm.XmlSerializer.clone(self.integrator)
        if self.kind == "compound":
            integrator.setCurrentIntegrator(self.integrator.getCurrentIntegrator())
        context = mm.Context(self.b.system, integrator, mm.Platform.getPlatformByName("Reference"))
        context.setPositions(self.b.x)
        context.computeVirtualSites()
        context.setVelocities(self.velocities)
        context.applyConstraints(1e-12)
        context.applyVelocityConstraints(1e-12)
        context.setTime(self.start_time)
        context.setStepCount(self.start_count)
        if self.scaled:
            context.setParameter("lambda", 1.3)
        return context, integrator

    def openmm(self, steps, moved=0.0):
        context, integrator = self.context()
        if moved:
            x = context.getState(positions=True).getPositions(asNumpy=True)._value
            massive = np.array([self.b.system.getParticleMass(i)._value > 0 for i in range(len(x))])
            context.setPositions(x + moved * massive[:, None] * np.sign(np.sin(np.arange(x.size) * 7.).reshape(x.shape)))
        start = context.getState(positions=True, velocities=True, parameters=True, integratorParameters=True)
        integrator.step(steps)
        if self.second_step:
            integrator.setStepSize(self.second_step)
        if self.second_current is not None:
            integrator.setCurrentIntegrator(self.second_current)
        integrator.step(steps)
        groups = integrator.getIntegrationForceGroups()
        end = context.getState(positions=True, velocities=True, energy=True)
        current = integrator.getIntegrator(integrator.getCurrentIntegrator()) if self.kind == "compound" else integrator
        v = end.getVelocities(asNumpy=True)._value
        if isinstance(current, mm.NoseHooverIntegrator):
            masses = np.array([self.b.system.getParticleMass(i)._value for i in range(len(v))])
            kinetic = float((masses[:, None] * v * v).sum() / 2)
        else:
            kinetic = context.getState(energy=True, groups=groups).getKineticEnergy()._value
        return {"start": mm.XmlSerializer.serialize(start), "time": end.getTime()._value, "count": end.getStepCount(),
                "x": end.getPositions(asNumpy=True)._value, "v": v,
                "potential": end.getPotentialEnergy()._value, "kinetic": kinetic}

    def trotter(self, program, platform, steps, start, work):
        def write(name, text):
            path = os.path.join(work, name)
            with open(path, "w") as f:
                f.write(text)
            return path
        system = write("system.xml", mm.XmlSerializer.serialize(self.b.system))
        state = write("state.xml", start)
        middle, out = os.path.join(work, "middle.xml"), os.path.join(work, "out.json")
        common = [program, "step", "--system", system, "--platform", platform, "--precision", "double", "--json", out]
        first = write("integrator.xml", mm.XmlSerializer.serialize(self.integrator))
        second_integrator = mm.XmlSerializer.clone(self.integrator)
        if self.second_step:
            second_integrator.setStepSize(self.second_step)
        second = write("integrator2.xml", mm.XmlSerializer.serialize(second_integrator))
        run([*common, "--integrator", first, "--state", state, "--steps", str(steps), "--out-state", middle])
        if self.second_current is not None:
            with open(middle) as f:
                text = f.read()
            old = f'currentIntegrator="{self.integrator.getCurrentIntegrator()}"'
            assert text.count(old) == 1, "the State names the current integrator once"
            write("middle.xml", text.replace(old, f'currentIntegrator="{self.second_current}"'))
        if "variable" in self.kind:  # the step size is no part of a State: without interruption
            run([*common, "--integrator", first, "--state", state, "--steps", str(2 * steps), "--inline"])
        else:
            run([*common, "--integrator", second, "--state", middle, "--steps", str(steps), "--inline"])
        with open(out) as f:
            return json.load(f)

    def constraints_hold(self, x):
        system = self.b.system
        for n in range(system.getNumConstraints()):
            i, j, distance = system.getConstraintParameters(n)
            frozen = system.getParticleMass(i)._value == system.getParticleMass(j)._value == 0
            if not frozen and not abs(np.linalg.norm(x[i] - x[j]) - distance._value) < 1e-6:
                return False
        return True

    def compare(self, program, platform, steps, work):
        theirs = self.openmm(steps)
        try:
            ours = self.trotter(program, platform, steps, theirs["start"], work)
        except RuntimeError as error:
            named = "satisfied" in str(error) and not self.constraints_hold(theirs["x"])
            return [] if named else [str(error)]
        moved = self.openmm(steps, CHAOS)
        massive = np.array([self.b.system.getParticleMass(i)._value > 0 for i in range(len(self.b.x))])
        self.is_chaotic = not np.abs(moved["x"] - theirs["x"]).max() < MOST_CHAOS
        if self.is_chaotic:
            return []
        problems = []
        for key, name, limit in (("x", "positions", POSITION_LIMIT), ("v", "velocities", VELOCITY_LIMIT)):
            select = slice(None) if key == "x" else massive
            error = np.abs(np.array(ours[name])[select] - theirs[key][select])
            chaos = np.abs(moved[key] - theirs[key])[select].max()
            if not error.max() <= limit + 20 * chaos:
                problems.append(f"{name} off by {error.max():.2e} (particle {int(error.max(axis=1).argmax())}, chaos {chaos:.1e})")
            self.worst = max(self.worst, error.max() / (limit + 20 * chaos))
        for key, name in (("kinetic", "kinetic_energy"), ("potential", "potential_energy"), ("time", "time")):
            if key == "time" and math.isinf(theirs[key]):
                continue
            scale = 1e-6 * max(1, abs(theirs[key])) if key != "time" else 1e-11 * max(1, theirs[key])
            if not abs(ours[name] - theirs[key]) <= scale + 20 * abs(moved[key] - theirs[key]):
                problems.append(f"{name} {ours[name]!r} instead of {theirs[key]!r}")
        return problems


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--platform", default="reference")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--keep", help="leave the inputs of the last case in this folder")
    options = parser.parse_args()
    failures, chaotic, worst = 0, 0, 0.0
    with tempfile.TemporaryDirectory() as scratch:
        work = options.keep or scratch
        os.makedirs(work, exist_ok=True)
        for number in range(options.first, options.first + options.cases):
            case = Case(number)
            try:
                problems = case.compare(options.program, options.platform, options.steps // 2, work)
                worst = max(worst, case.worst)
                chaotic += case.is_chaotic
            except (RuntimeError, mm.OpenMMException) as error:
                problems = [str(error)]
            if problems:
                failures += 1
                print(f"case {case.name}: {'; '.join(problems)}", flush=True)
    print(f"{options.cases - failures - chaotic} of {options.cases} cases agree, {chaotic} are chaotic, {failures} differ;"
          f" the largest error is {worst:.2g} of its limit")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
