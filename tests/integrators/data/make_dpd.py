#!/usr/bin/env python3
"""Makes dpd_steps.txt: DPD without noise on OpenMM's Reference platform, one row a particle: case, position, velocity.

SPDX-License-Identifier: MIT
"""
import os

import numpy as np
import openmm as mm

HERE = os.path.dirname(os.path.abspath(__file__))
MASSES = (10, 12, 1, 14, 3, 5)


def start(n):
    """The same numbers as in dpd.cpp."""
    x = [mm.Vec3(0.1 * i, 0.07 * (i * i % 5), 0.05 * (i * 3 % 4)) for i in range(n)]
    v = [mm.Vec3(0.5 - 0.2 * i, 0.3 * (i % 2), 0.1 * i) for i in range(n)]
    return x, v


if __name__ == "__main__":
    with open(os.path.join(HERE, "dpd_steps.txt"), "w") as file:
        for case in ("free", "types", "periodic", "constrained"):
            s = mm.System()
            for mass in MASSES:
                s.addParticle(mass)
            springs = mm.HarmonicBondForce()
            springs.addBond(0, 1, 0.1, 3000)
            springs.addBond(2, 5, 0.3, 500)
            s.addForce(springs)
            i = mm.DPDIntegrator(0, 8, 0.4, 0.002)
            i.setConstraintTolerance(1e-12)
            if case == "types":
                for particle, kind in ((0, 3), (1, 3), (4, 7)):
                    i.setParticleType(particle, kind)
                i.addTypePair(3, 7, 100, 0.6)
                i.addTypePair(3, 3, 0, 0.5)
                i.addTypePair(0, 3, 20, 0.2)
                i.addTypePair(0, 9, 1e6, 0.2)
            if case == "periodic":
                s.setDefaultPeriodicBoxVectors((0.9, 0, 0), (0.2, 0.8, 0), (0.1, -0.3, 0.85))
                springs.setUsesPeriodicBoundaryConditions(True)
            if case == "constrained":
                s.addConstraint(3, 4, 0.15)
            c = mm.Context(s, i, mm.Platform.getPlatformByName("Reference"))
            x, v = start(len(MASSES))
            c.setPositions(x)
            c.setVelocities(v)
            if case == "constrained":
                c.applyConstraints(1e-12)
            i.step(20)
            state = c.getState(positions=True, velocities=True)
            for a, b in zip(state.getPositions()._value, state.getVelocities()._value):
                print(case, *(repr(float(q)) for q in (*a, *b)), file=file)
