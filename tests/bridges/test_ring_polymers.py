# Scripts with ring polymers on the platform Trotter.
# SPDX-License-Identifier: MIT
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

from platforms import BACKENDS, FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, properties

nm, kJ = unit.nanometer, unit.kilojoule_per_mole
COPIES = 4


def molecules(edge=2.2, count=8):
    """Diatomic molecules with a virtual site between their atoms, and Lennard-Jones interactions in group 1."""
    system, random = mm.System(), np.random.default_rng(3)
    system.setDefaultPeriodicBoxVectors(*(edge * np.eye(3)))
    bonds, pairs = mm.HarmonicBondForce(), mm.NonbondedForce()
    pairs.setNonbondedMethod(pairs.CutoffPeriodic)
    pairs.setForceGroup(1)
    positions = []
    for m in range(count):
        first = [system.addParticle(mass) for mass in (2, 3, 0)][0]
        system.setVirtualSite(first + 2, mm.TwoParticleAverageSite(first, first + 1, 0.3, 0.7))
        bonds.addBond(first, first + 1, 0.1, 30000)
        for parameters in ((0.2, 0.25, 0.5), (0.1, 0.2, 0.3), (-0.3, 0.1, 0)):
            pairs.addParticle(*parameters)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            pairs.addException(first + i, first + j, 0, 1, 0)
        corner = np.array([m // 4, m // 2 % 2, m % 2]) * edge / 2 + 0.1 * random.random(3)
        positions += [corner, corner + [0.1, 0.01, 0], corner + [0.07, 0.007, 0]]
    system.addForce(bonds)
    system.addForce(pairs)
    return system, np.array(positions)


def scattered(positions, copy, by):
    return positions + by * np.random.default_rng(copy).normal(size=positions.shape)


class RingPolymers(PlatformTest):
    """OpenMM's springs have Planck's constant of CODATA 2006, and depend on the ratio of temperature and constant."""
    TEMPERATURE = 300 * 1.054571817 / 1.054571628

    def setUp(self):
        super().setUp()
        self.system, self.positions = molecules()

    def start(self, integrator, platform=TROTTER, backend=PRECISE, positions=None):
        context = mm.Context(self.system, integrator, platform, properties(*backend) if platform is TROTTER else {})
        self.assertEqual(context.getPlatform().getName(), platform.getName())
        for copy in range(integrator.getNumCopies()):
            integrator.setPositions(copy, scattered(self.positions if positions is None else positions, copy, 0.003))
            integrator.setVelocities(copy, scattered(0 * self.positions, 50 + copy, 0.3))
        return context

    def without_thermostat(self, *contractions):
        integrator = mm.RPMDIntegrator(COPIES, 300, 1, 0.0005, *contractions)
        integrator.setApplyThermostat(False)
        return integrator

    def both(self, make, backend=PRECISE):
        """Integrators here and on Reference, and their Contexts."""
        made = [make(), make()]
        made[0].setTemperature(self.TEMPERATURE)
        return made, [self.start(made[0], TROTTER, backend), self.start(made[1], REFERENCE)]

    def compare(self, integrators, limit, energy_limit):
        for copy in range(COPIES):
            own, other = (i.getState(copy, getPositions=True, getVelocities=True, getEnergy=True, getForces=True) for i in integrators)
            for get in ("getPositions", "getVelocities"):
                a, b = (getattr(state, get)(asNumpy=True)._value for state in (own, other))
                self.assertLess(np.abs(a - b).max(), limit if get == "getPositions" else 1000 * limit)
            for get in ("getPotentialEnergy", "getKineticEnergy"):
                a, b = (getattr(state, get)()._value for state in (own, other))
                self.assertLess(abs(a - b), energy_limit * (1 + abs(b)))
            self.assertAlmostEqual(own.getTime()._value, other.getTime()._value)
        a, b = (integrator.getTotalEnergy()._value for integrator in integrators)
        self.assertLess(abs(a - b), energy_limit * (1 + abs(b)))

    def test_trajectories(self):
        for backend in BACKENDS:
            limit = 1e-9 if backend[1] == "double" else 1e-5
            for contractions in ((), ({1: 2},)):
                with self.subTest(backend=backend, contractions=contractions):
                    integrators, _ = self.both(lambda: self.without_thermostat(*contractions), backend)
                    for integrator in integrators:
                        integrator.step(30)
                    self.assertEqual(integrators[0].getState(0).getStepCount(), 30)  # Reference does not count
                    self.compare(integrators, limit, 1e-5)

    def test_changes_between_steps(self):
        """Of box, parameters, forces, step size and force groups."""
        push = mm.CustomExternalForce("push*x")
        push.addGlobalParameter("push", 1)
        push.addParticle(0)
        self.system.addForce(push)
        integrators, contexts = self.both(self.without_thermostat)
        bonds = self.system.getForce(0)
        for integrator, context in zip(integrators, contexts):
            integrator.step(3)
            context.setPeriodicBoxVectors(*(2.1 * np.eye(3)))
            context.setParameter("push", 30)  # with a new box alone, Reference does not evaluate forces anew
            integrator.step(3)
            integrator.setStepSize(0.0003)
            integrator.step(3)
        bonds.setBondParameters(0, 0, 1, 0.11, 20000)
        for integrator, context in zip(integrators, contexts):
            bonds.updateParametersInContext(context)
            integrator.step(3)
        self.compare(integrators, 1e-9, 1e-5)

    def test_positions_of_the_context(self):
        """Are those of all copies, if none were set for the integrator."""
        ends = []
        for platform, values in ((TROTTER, properties(*PRECISE)), (REFERENCE, {})):
            integrator = self.without_thermostat()
            context = mm.Context(self.system, integrator, platform, values)
            context.setPositions(self.positions)
            context.setVelocities(scattered(0 * self.positions, 1, 0.1))
            integrator.step(5)
            ends.append(integrator.getState(2, getPositions=True, enforcePeriodicBox=True).getPositions(asNumpy=True)._value)
        self.assertLess(np.abs(ends[0] - ends[1]).max(), 1e-7)

    def test_temperature(self):
        """Each copy is as many times as hot as there are copies."""
        integrator = mm.RPMDIntegrator(COPIES, 300, 50, 0.0005)
        integrator.setRandomNumberSeed(5)
        self.system.addForce(mm.CMMotionRemover(1))
        context = self.start(integrator, backend=FIRST)
        integrator.step(200)
        self.assertAlmostEqual(context.getState().getTime()._value, 0.1)
        kinetic = []
        for _ in range(40):
            integrator.step(10)
            kinetic += [integrator.getState(copy, getEnergy=True).getKineticEnergy()._value for copy in range(COPIES)]
        degrees = 3 * 16 - 3
        self.assertAlmostEqual(2 * np.mean(kinetic) / (degrees * 0.00831446), COPIES * 300, delta=0.1 * COPIES * 300)

    def test_barostat(self):
        """OpenMM moves all copies; what is computed afterwards is right."""
        self.system.addForce(mm.RPMDMonteCarloBarostat(2000, 1))
        integrator = mm.RPMDIntegrator(COPIES, 300, 10, 0.0005)
        context = self.start(integrator, backend=FIRST)
        before = context.getState().getPeriodicBoxVolume()
        for _ in range(50):
            integrator.step(1)  # OpenMM tries to move once for each call
        state = integrator.getState(1, getPositions=True, getEnergy=True, getForces=True)
        self.assertNotEqual(state.getPeriodicBoxVolume(), before)
        self.system.removeForce(2)
        other = mm.Context(self.system, mm.VerletIntegrator(0.001), REFERENCE)
        other.setPeriodicBoxVectors(*state.getPeriodicBoxVectors())
        other.setPositions(state.getPositions())
        self.compare_states(state, other.getState(energy=True, forces=True), FIRST[1])

    def test_python_force(self):
        """Is called on the thread that steps."""
        import threading
        threads = set()

        def spring(state):
            threads.add(threading.get_ident())
            x = state.getPositions(asNumpy=True).value_in_unit(nm)
            return 50 * (x**2).sum() * kJ, -100 * x * kJ / nm

        self.system.addForce(mm.PythonForce(spring))
        integrators, _ = self.both(self.without_thermostat)
        for integrator in integrators:
            integrator.step(5)
        self.compare(integrators, 1e-9, 1e-5)
        self.assertEqual(threads, {threading.get_ident()})

    def test_refusals(self):
        """In OpenMM's words."""
        self.system.addForce(mm.MonteCarloBarostat(1, 300, 1))
        integrator = self.without_thermostat()
        context = self.start(integrator)
        with self.assertRaisesRegex(mm.OpenMMException, "Standard barostats cannot be used with RPMDIntegrator"):
            integrator.step(100)
        self.system.addConstraint(0, 1, 0.1)
        with self.assertRaisesRegex(mm.OpenMMException, "cannot be used with Systems that include constraints"):
            mm.Context(self.system, self.without_thermostat(), TROTTER)
        self.system.removeConstraint(0)
        self.system.removeForce(self.system.getNumForces() - 1)
        integrator = self.without_thermostat()
        context = self.start(integrator)
        with self.assertRaises(mm.OpenMMException):
            integrator.setPositions(0, self.positions[:3])
        with self.assertRaises(mm.OpenMMException):
            integrator.setPositions(COPIES, self.positions)
        integrator.step(1)
        self.assertEqual(context.getStepCount(), 1)


if __name__ == "__main__":
    unittest.main()
