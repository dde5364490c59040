#!/usr/bin/env python3
"""OpenMM's values and slopes of tabulated functions, for tests/forces/tables.cpp: make_tables.py > tables.txt."""
# SPDX-License-Identifier: MIT
import copy
import math

import openmm


def samples(sizes):
    """Values without symmetry; at both ends of a periodic axis they are equal."""
    values = []
    for n in range(math.prod(sizes)):
        index, rest = [], n
        for size in sizes:
            index.append(rest % size)
            rest //= size
        values.append([i % (size - 1) for i, size in zip(index, sizes)] if PERIODIC else index)
    return [round(sum(math.sin(1.3 * i * (axis + 1) + axis) for axis, i in enumerate(index)) + 0.3 * math.prod(i + 1 for i in index), 3)
            for index in values]


def evaluate(function, point):
    system = openmm.System()
    system.addParticle(1)
    force = openmm.CustomCompoundBondForce(1, f"f({','.join(['x1', 'y1', 'z1'][:len(point)])})")
    force.addTabulatedFunction("f", copy.copy(function))
    force.addBond([0], [])
    system.addForce(force)
    context = openmm.Context(system, openmm.VerletIntegrator(1), openmm.Platform.getPlatformByName("Reference"))
    context.setPositions([(*point, 0, 0, 0)[:3]])
    state = context.getState(getEnergy=True, getForces=True)
    force = state.getForces()[0]._value
    return [state.getPotentialEnergy()._value, *[-force[n] for n in range(len(point))]]


def write(kind, sizes, ranges, points):
    values = samples(sizes)
    if kind == "discrete":
        make = [openmm.Discrete1DFunction, openmm.Discrete2DFunction, openmm.Discrete3DFunction][len(sizes) - 1]
        function = make(*(sizes if len(sizes) > 1 else []), values)
    else:
        make = [openmm.Continuous1DFunction, openmm.Continuous2DFunction, openmm.Continuous3DFunction][len(sizes) - 1]
        function = make(*(sizes if len(sizes) > 1 else []), values, *[end for r in ranges for end in r], PERIODIC)
    print("table", kind, len(sizes), *sizes, *[end for r in ranges for end in r])
    print(*values)
    for point in points:
        print("at", *point, *[repr(number) for number in evaluate(function, point)])


RANGES = [(0.5, 2.0), (-1.0, 1.5), (0.0, 3.0)]
INSIDE = [(0.5, -1.0, 0.0), (0.7, -0.9, 0.4), (1.3, 0.2, 1.7), (1.999, 1.4, 2.9), (2.0, 1.5, 3.0), (1.25, 0.25, 1.5)]
OUTSIDE = [(0.49, 0.0, 1.0), (2.01, 0.0, 1.0), (1.0, -1.2, 1.0), (1.0, 1.6, 1.0), (1.0, 0.0, -0.1), (1.0, 0.0, 9.7), (-7.3, 4.6, 8.2)]
for PERIODIC in (False, True):
    for sizes in ((7,), (3,), (5, 4), (4, 3, 5), (3, 3, 3)) + (() if PERIODIC else ((2,), (2, 2))):
        points = [point[:len(sizes)] for point in INSIDE + OUTSIDE]
        write("periodic" if PERIODIC else "natural", sizes, RANGES[:len(sizes)], points)
PERIODIC = False
for sizes in ((5,), (3, 4), (2, 3, 4)):
    points = [(0, 0, 0), (1, 1, 1), (0.6, 1.4, 2.2), (-3, 1, 2), (1, 9, 2), (0.5, 1.5, 2.5), (1.2, 2.4, 77)]
    write("discrete", sizes, [], [point[:len(sizes)] for point in points])
