# Scripts with integrators, checkpoints and barostats on the platform Trotter.
# SPDX-License-Identifier: MIT
import unittest

import numpy as np
import openmm as mm
from openmm import unit

from platforms import FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, charged_pairs, properties

kJ = unit.kilojoule_per_mole


class Integrators(PlatformTest):
    def setUp(self):
        super().setUp()
        self.system, self.positions = charged_pairs(20)
        bonds = mm.HarmonicBondForce()
        for n in range(19):
            bonds.addBond(n, n + 1, 0.5, 1000)
        soft = mm.CustomExternalForce("2*(x^2+y^2+z^2)")
        soft.setForceGroup(1)
        for n in range(20):
            soft.addParticle(n)
        self.system.addForce(bonds)
        self.system.addForce(soft)

    def run_both(self, make, steps=20, prepare=lambda context: None, compares_kinetic_energy=True):
        """States at the end on Reference and here in double precision."""
        states = []
        for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
            integrator = make()
            context = mm.Context(self.system, integrator, platform, values)
            context.setPositions(self.positions)
            prepare(context)
            integrator.step(steps)
            state = context.getState(positions=True, velocities=True, energy=True)
            states.append((state, integrator, context))
        own, other = (state.getPositions(asNumpy=True)._value for state, *_ in states)
        self.assertLess(np.abs(own - other).max(), 1e-9)
        if compares_kinetic_energy:
            own, other = (state.getKineticEnergy().value_in_unit(kJ) for state, *_ in states)
            self.assertAlmostEqual(own, other, delta=1e-7 * (1 + abs(own)))
        return states

    def test_custom_integrator(self):
        def make():
            integrator = mm.CustomIntegrator(0.001)
            integrator.addGlobalVariable("total", 0)
            integrator.addPerDofVariable("old", 0)
            integrator.addUpdateContextState()
            integrator.addComputePerDof("old", "x")
            integrator.addComputePerDof("v", "v+0.5*dt*f/m")
            integrator.addComputePerDof("x", "x+dt*v")
            integrator.addComputePerDof("v", "v+0.5*dt*f/m")
            integrator.addComputeSum("total", "m*v*v/2")
            return integrator

        states = self.run_both(make)
        reference, own = (integrator for _, integrator, _ in states)
        self.assertAlmostEqual(reference.getGlobalVariable(0), own.getGlobalVariable(0), delta=1e-6)
        np.testing.assert_allclose(reference.getPerDofVariableByName("old"), own.getPerDofVariableByName("old"), atol=1e-9)
        own.setGlobalVariableByName("total", 7.0)
        self.assertEqual(own.getGlobalVariableByName("total"), 7.0)
        values = [mm.Vec3(n, 2, 3) for n in range(20)]
        own.setPerDofVariableByName("old", values)
        self.assertEqual(own.getPerDofVariableByName("old"), values)

    def test_multiple_time_steps(self):
        self.run_both(lambda: mm.MTSIntegrator(0.002, [(1, 1), (0, 2)]))

    def test_noise_goes_on(self):
        """Where a State is set back, as by samplers whose replicas take turns in one Context, noise is not repeated."""
        context = self.context(self.system, mm.LangevinMiddleIntegrator(300, 10, 0.001), *FIRST)
        context.setPositions(self.positions)
        first = context.getState(positions=True, velocities=True)
        ends = []
        for _ in range(2):
            context.setState(first)
            self.assertEqual(context.getStepCount(), 0)
            context.getIntegrator().step(5)
            self.assertEqual(context.getStepCount(), 5)
            ends.append(context.getState(velocities=True).getVelocities(asNumpy=True)._value)
        self.assertGreater(np.abs(ends[0] - ends[1]).max(), 0.01)

    def test_checkpoint_in_another_context(self):
        """It brings the seeds that it was made with, chosen or not."""
        for seeds in ((0, 0), (7, 8)):
            ends = []
            for seed in seeds:
                integrator = mm.LangevinMiddleIntegrator(300, 10, 0.001)
                integrator.setRandomNumberSeed(seed)
                context = self.context(self.system, integrator, *FIRST)
                context.setPositions(self.positions)
                integrator.step(3)
                if not ends:
                    checkpoint = context.createCheckpoint()
                else:
                    context.loadCheckpoint(checkpoint)
                integrator.step(3)
                ends.append(context.getState(positions=True).getPositions(asNumpy=True)._value)
            self.assertTrue(np.array_equal(*ends))
        context = self.context(self.system, mm.VerletIntegrator(0.001), *FIRST)
        context.reinitialize(preserveState=True)  # before there are positions

    def test_nose_hoover(self):
        states = self.run_both(lambda: mm.NoseHooverIntegrator(300, 5, 0.001))
        reference, own = (integrator for _, integrator, _ in states)
        self.assertAlmostEqual(reference.computeHeatBathEnergy()._value, own.computeHeatBathEnergy()._value, delta=1e-6)

    def test_variable_steps(self):
        states = self.run_both(lambda: mm.VariableVerletIntegrator(0.0005), 5)
        self.assertAlmostEqual(states[0][1].getStepSize()._value, states[1][1].getStepSize()._value, delta=1e-9)
        for _, integrator, context in states:
            integrator.stepTo(0.5)
            self.assertEqual(context.getTime()._value, 0.5)

    def test_compound(self):
        def make():
            compound = mm.CompoundIntegrator()
            compound.addIntegrator(mm.VerletIntegrator(0.001))
            compound.addIntegrator(mm.VerletIntegrator(0.0005))
            return compound

        def prepare(context):
            context.getIntegrator().step(5)
            context.getIntegrator().setCurrentIntegrator(1)

        self.run_both(make, 5, prepare)

    def test_kinetic_energies(self):
        """Of integrators whose velocities are those at the time of the positions."""
        makers = [lambda: mm.LangevinMiddleIntegrator(300, 1, 0.001), lambda: mm.LangevinIntegrator(300, 1, 0.001),
                  lambda: mm.NoseHooverIntegrator(300, 5, 0.001), lambda: mm.DPDIntegrator(300, 1, 0.5, 0.001),
                  lambda: mm.QTBIntegrator(300, 10, 0.001), lambda: mm.BrownianIntegrator(300, 1, 0.001)]
        velocities = np.random.default_rng(5).normal(size=(20, 3))
        for make in makers:
            found = []
            for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
                context = mm.Context(self.system, make(), platform, values)
                context.setPositions(self.positions)
                context.setVelocities(velocities)
                found.append(context.getState(energy=True).getKineticEnergy().value_in_unit(kJ))
            self.assertAlmostEqual(*found, delta=1e-9 * found[0])

    def test_compound_changed_before_the_first_step(self):
        """The integrator that was current at creation is not the one that steps."""
        def make():
            compound = mm.CompoundIntegrator()
            for size in (0.001, 0.0005):
                compound.addIntegrator(mm.VerletIntegrator(size))
            compound.setCurrentIntegrator(1)
            return compound

        self.run_both(make, 5, lambda context: context.getIntegrator().setCurrentIntegrator(0))

    def test_damaged_checkpoints(self):
        """Are refused, take no memory, and change nothing."""
        context = self.context(self.system, mm.LangevinMiddleIntegrator(300, 10, 0.001), *FIRST)
        context.setPositions(self.positions)
        context.getIntegrator().step(3)
        whole = context.createCheckpoint()
        before = context.getState(positions=True).getPositions(asNumpy=True)._value
        length = whole.index(b"Trotter, ") - 20  # that of what follows, in front of the tag and the length of this text
        end = length + 8 + int.from_bytes(whole[length:length + 8], "little")  # behind that, OpenMM's own
        for cut in range(length, end, 131):
            with self.assertRaises(mm.OpenMMException):
                context.loadCheckpoint(whole[:cut])
        with self.assertRaises(mm.OpenMMException):
            context.loadCheckpoint(whole[:length] + b"\xff" * 8 + whole[length + 8:])
        self.assertTrue(np.array_equal(before, context.getState(positions=True).getPositions(asNumpy=True)._value))
        context.loadCheckpoint(whole)

    def test_changes_between_steps(self):
        def prepare(context):
            context.getIntegrator().step(3)
            context.getIntegrator().setStepSize(0.0004)
            context.getIntegrator().step(3)
            context.getIntegrator().setIntegrationForceGroups({1})

        # OpenMM shifts velocities by its current forces, here those of all groups.
        self.run_both(lambda: mm.VerletIntegrator(0.001), 3, prepare, compares_kinetic_energy=False)

    def add_barostat(self):
        """To a fluid, whose volume a barostat changes."""
        nonbonded = mm.NonbondedForce()
        nonbonded.setNonbondedMethod(nonbonded.CutoffPeriodic)
        for _ in range(20):
            nonbonded.addParticle(0, 0.3, 0.5)
        self.system.addForce(nonbonded)
        self.system.addForce(mm.MonteCarloBarostat(10, 300, 1))

    def test_barostat_in_a_custom_integrator(self):
        self.add_barostat()
        integrator = mm.CustomIntegrator(0.001)
        integrator.addUpdateContextState()
        integrator.addComputePerDof("v", "v+dt*f/m")
        integrator.addComputePerDof("x", "x+dt*v")
        context = self.context(self.system, integrator, *FIRST)
        context.setPositions(self.positions)
        before = context.getState().getPeriodicBoxVolume()
        integrator.step(20)
        self.assertNotEqual(context.getState().getPeriodicBoxVolume(), before)

    def test_barostat_with_several_integrators(self):
        """Moves between the steps of each, and what is computed at the end is right."""
        self.add_barostat()
        compound = mm.CompoundIntegrator()
        for integrator in (mm.LangevinMiddleIntegrator(300, 1, 0.001), mm.VerletIntegrator(0.0005)):
            compound.addIntegrator(integrator)
        context = self.context(self.system, compound, *FIRST)
        context.setPositions(self.positions)
        volumes = [context.getState().getPeriodicBoxVolume()._value]
        for current in (0, 1, 0):
            compound.setCurrentIntegrator(current)
            compound.step(20)
            volumes.append(context.getState().getPeriodicBoxVolume()._value)
        self.assertEqual(len(volumes), len(set(volumes)))
        state = context.getState(positions=True, energy=True, forces=True)
        self.assertGreater(state.getKineticEnergy().value_in_unit(kJ), 0)
        other = mm.Context(self.system, mm.VerletIntegrator(0.001), REFERENCE)
        other.setPeriodicBoxVectors(*state.getPeriodicBoxVectors())
        other.setPositions(state.getPositions())
        self.compare_states(state, other.getState(energy=True, forces=True), FIRST[1])

    def test_motion_remover(self):
        self.system.addForce(mm.CMMotionRemover(1))
        context = self.context(self.system, mm.LangevinMiddleIntegrator(300, 10, 0.001), *FIRST)
        context.setPositions(self.positions)
        context.getIntegrator().step(20)
        velocities = context.getState(velocities=True).getVelocities(asNumpy=True)._value
        masses = np.array([self.system.getParticleMass(n)._value for n in range(20)])
        # Only from one step's noise.
        self.assertLess(np.linalg.norm(masses @ velocities) / masses.sum(), 0.2)


if __name__ == "__main__":
    unittest.main()
