#!/usr/bin/env python3
# Writes Systems, States and OpenMM's pressures for common/pressures.cpp: run by hand, needs OpenMM.
# SPDX-License-Identifier: MIT
"""Expected is what OpenMM's barostats answer, where that is a derivative by a strain: of isotropic ones always, of the others
on the diagonal in rectangular boxes. Off the diagonal OpenMM changes elements of the box vectors in proportion, hence those
that are zero not at all; and where boxes are triclinic, molecules and box vectors do not change by the same map. There the
strain is applied here, and OpenMM's energies are differentiated."""
import os
import sys

import numpy as np
import openmm as mm

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def add_barostats(system):
    for rigid in (True, False):
        for barostat in (mm.MonteCarloBarostat(1, 300, 0), mm.MonteCarloAnisotropicBarostat(mm.Vec3(1, 1, 1), 300, True, True, True, 0),
                         mm.MonteCarloMembraneBarostat(1, 0, 300, 0, 0, 0), mm.MonteCarloFlexibleBarostat(1, 300, 0)):
            barostat.setScaleMoleculesAsRigid(rigid)
            system.addForce(barostat)


def molecules(box, sites):
    """Rigid water, with or without a fourth site, and chains of three, at lattice places with all orientations."""
    rng = np.random.default_rng(4)
    system, pairs, bonds, angles = mm.System(), mm.NonbondedForce(), mm.HarmonicBondForce(), mm.HarmonicAngleForce()
    system.setDefaultPeriodicBoxVectors(*box)
    x = []
    for cell in np.ndindex(3, 3, 3):
        center = (np.array(cell) + 0.5) / 3 @ np.array(box) + rng.normal(0, .02, 3)
        turn, _ = np.linalg.qr(rng.normal(0, 1, (3, 3)))
        water = sum(cell) % 2
        shape = [(0, 0, 0), (.0757, .0586, 0), (-.0757, .0586, 0)] if water else [(0, 0, 0), (.11, .01, 0), (-.03, .1, .02)]
        first = system.getNumParticles()
        for n, place in enumerate(shape):
            system.addParticle([16, 1, 1][n] if water else [12, 14, 0 if cell == (0, 0, 0) and n == 2 else 2][n])
            pairs.addParticle([-.5, .25, .25][n], [.28, .1, .1][n], [.5, 0, 0][n] if water else .3)
            x.append(center + turn @ place)
        members = [first, first + 1, first + 2]
        if water:
            for i, j in ((0, 1), (0, 2), (1, 2)):
                system.addConstraint(first + i, first + j, float(np.linalg.norm(np.subtract(shape[i], shape[j]))))
            if sites:
                members.append(system.addParticle(0))
                system.setVirtualSite(members[3], mm.ThreeParticleAverageSite(*members[:3], .7, .15, .15))
                pairs.addParticle(-.2, 0, 0)
                pairs.setParticleParameters(first, -.3, .28, .5)
                x.append(x[-3] * .7 + x[-2] * .15 + x[-1] * .15)
        else:
            bonds.addBond(first, first + 1, .115, 20000)
            bonds.addBond(first, first + 2, .11, 20000)
            angles.addAngle(first + 1, first, first + 2, 1.9, 300)
        for i in members:
            for j in members:
                if i < j:
                    pairs.addException(i, j, 0, .2, 0)
    pairs.setNonbondedMethod(mm.NonbondedForce.PME if sites else mm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(.45)
    pairs.setPMEParameters(5.5, 24, 24, 24)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(.38)
    for force in (bonds, angles, pairs):
        system.addForce(force)
    add_barostats(system)
    return system, np.array(x), rng.normal(0, .4, (len(x), 3))


def strained(context, system, rigid):
    """(sum of M V V - dU/de)/V for the strains e of xx, yy, zz, xy, xz, yz [bar]; leaves the Context as it was."""
    state = context.getState(positions=True, velocities=True)
    x, v = (q(asNumpy=True)._value for q in (state.getPositions, state.getVelocities))
    box = state.getPeriodicBoxVectors(asNumpy=True)._value
    masses = np.array([system.getParticleMass(i)._value for i in range(len(x))])
    groups = [list(m) for m in context.getMolecules()] if rigid else [[i] for i in range(len(x))]

    def energy(strain):
        moved = x.copy()
        for members in groups:
            center = x[members].mean(axis=0)
            moved[members] += strain @ center - center
        context.setPeriodicBoxVectors(*(box @ strain.T))
        context.setPositions(moved)
        context.computeVirtualSites()
        return context.getState(energy=True).getPotentialEnergy()._value

    result = []
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        change = np.zeros((3, 3))
        change[i, j] = 1e-3
        slope = (energy(np.eye(3) + change) - energy(np.eye(3) - change)) / 2e-3
        kinetic = sum((masses[g] @ v[g, i]) * (masses[g] @ v[g, j]) / masses[g].sum() for g in groups if masses[g].sum() > 0)
        result.append((kinetic - slope) / np.linalg.det(box) / 0.0602214076)
    context.setPeriodicBoxVectors(*box)
    context.setPositions(x)
    return result


def numbers(value):
    value = getattr(value, "_value", value)
    return list(value) if hasattr(value, "__len__") else [value]


for name, box, sites in (("sites", [(1.4, 0, 0), (0, 1.3, 0), (0, 0, 1.35)], True),
                         ("triclinic", [(1.4, 0, 0), (.3, 1.3, 0), (-.4, .5, 1.35)], False)):
    system, x, v = molecules(box, sites)
    integrator = mm.VerletIntegrator(.0005)
    context = mm.Context(system, integrator, mm.Platform.getPlatformByName("Reference"))
    context.setPositions(x)
    context.applyConstraints(1e-12)
    context.setVelocities(v)
    context.applyVelocityConstraints(1e-12)
    with open(os.path.join(FOLDER, f"pressures_{name}.txt"), "w") as f:
        for force in system.getForces():
            if not hasattr(force, "computeCurrentPressure"):
                continue
            theirs = numbers(force.computeCurrentPressure(context))
            expected = theirs
            if len(theirs) > 1:
                expected = strained(context, system, force.getScaleMoleculesAsRigid())[:len(theirs)]
                if not np.any(np.array(box) - np.diag(np.diag(box))):
                    np.testing.assert_allclose(theirs[:3], expected[:3], rtol=1e-8)
            f.write(" ".join(repr(float(p)) for p in expected) + "\n")
    # Pressures do not depend on the periodic image of a molecule: a third of them are moved far away.
    x = context.getState(positions=True).getPositions(asNumpy=True)._value
    for molecule in list(context.getMolecules())[::3]:
        x[list(molecule)] += 2 * np.array(box[0]) - np.array(box[2])
    context.setPositions(x)
    state = context.getState(positions=True, velocities=True)
    for suffix, thing in (("system", system), ("state", state)):
        with open(os.path.join(FOLDER, f"pressures_{name}_{suffix}.xml"), "w") as f:
            f.write(mm.XmlSerializer.serialize(thing))
