# Typical scripts of the application layer on the platform Trotter.
# SPDX-License-Identifier: MIT
import io
import math
import os
import tempfile
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

from platforms import FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, peptide, properties, solvated_peptide

nm, ps, kelvin, kJ = unit.nanometer, unit.picosecond, unit.kelvin, unit.kilojoule_per_mole


class Application(PlatformTest):
    @classmethod
    def setUpClass(cls):
        cls.modeller, cls.field = solvated_peptide()
        cls.system = cls.create_system()

    @classmethod
    def create_system(cls, **options):
        return cls.field.createSystem(cls.modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9 * nm,
                                      constraints=app.HBonds, **options)

    def test_solvated_peptide(self):
        self.compare(self.system, self.modeller.positions)

    def test_forces_beyond_fixed_point(self):
        """Devices add up to about 1e9 kJ/mol/nm; an evaluation beyond it has Reference's forces."""
        system, bond = mm.System(), mm.HarmonicBondForce()
        for _ in range(3):
            system.addParticle(20)
        bond.addBond(0, 1, 0.1, 1e12)
        bond.addBond(1, 2, 0.1, 1e3)
        system.addForce(bond)
        self.compare(system, [mm.Vec3(0, 0, 0), mm.Vec3(1, 0, 0), mm.Vec3(1, 0.2, 0)])

    def test_simulation_with_reporters(self):
        """Minimizes, runs and reports; the energy that is reported is that of the positions."""
        simulation = self.simulation(self.modeller.topology, self.system, mm.LangevinMiddleIntegrator(300 * kelvin, 1 / ps, 0.002 * ps))
        simulation.context.setPositions(self.modeller.positions)
        before = simulation.context.getState(energy=True).getPotentialEnergy()
        simulation.minimizeEnergy(maxIterations=50)
        self.assertLess(simulation.context.getState(energy=True).getPotentialEnergy(), before)
        simulation.context.setVelocitiesToTemperature(300 * kelvin, 7)
        log, steps = io.StringIO(), 100
        with tempfile.TemporaryDirectory() as folder:
            simulation.reporters += [app.StateDataReporter(log, 50, step=True, potentialEnergy=True, temperature=True, volume=True),
                                     app.DCDReporter(os.path.join(folder, "trajectory.dcd"), 50),
                                     app.PDBReporter(os.path.join(folder, "trajectory.pdb"), 100)]
            simulation.step(steps)
            self.assertGreater(os.path.getsize(os.path.join(folder, "trajectory.dcd")), 2 * 12 * self.system.getNumParticles())
        self.assertEqual(len(log.getvalue().splitlines()), 3)
        self.assertEqual(simulation.context.getState().getStepCount(), steps)
        self.assertAlmostEqual(simulation.context.getState().getTime().value_in_unit(ps), 0.2)
        state = simulation.context.getState(positions=True, energy=True, forces=True)
        other = mm.Context(self.system, mm.VerletIntegrator(0.001), REFERENCE)
        other.setState(mm.XmlSerializer.deserialize(mm.XmlSerializer.serialize(simulation.context.getState(positions=True))))
        self.compare_states(state, other.getState(energy=True, forces=True), "mixed")

    def test_restart(self):
        """From a checkpoint bit for bit, from a saved State as well as its numbers are."""
        simulation = self.simulation(self.modeller.topology, self.system, mm.LangevinMiddleIntegrator(300, 1, 0.002))
        simulation.context.setPositions(self.modeller.positions)
        simulation.step(20)
        with tempfile.TemporaryDirectory() as folder:
            checkpoint, state = os.path.join(folder, "checkpoint"), os.path.join(folder, "state.xml")
            simulation.saveCheckpoint(checkpoint)
            simulation.saveState(state)
            simulation.step(20)
            wanted = simulation.context.getState(positions=True).getPositions(asNumpy=True)._value
            simulation.loadCheckpoint(checkpoint)
            simulation.step(20)
            self.assertTrue(np.array_equal(wanted, simulation.context.getState(positions=True).getPositions(asNumpy=True)._value))
            simulation.loadState(state)
            self.assertEqual(simulation.context.getStepCount(), 20)

    def test_barostat(self):
        """A box changes, molecules stay whole, and what is computed at the end is right."""
        system = self.create_system()
        system.addForce(mm.MonteCarloBarostat(1 * unit.bar, 300 * kelvin, 5))
        simulation = self.simulation(self.modeller.topology, system, mm.LangevinMiddleIntegrator(300, 1, 0.002))
        simulation.context.setPositions(self.modeller.positions)
        simulation.minimizeEnergy(maxIterations=30)
        before = simulation.context.getState().getPeriodicBoxVolume()
        simulation.step(100)
        state = simulation.context.getState(positions=True, energy=True, forces=True)
        self.assertNotEqual(state.getPeriodicBoxVolume(), before)
        other = mm.Context(system, mm.VerletIntegrator(0.001), REFERENCE)
        other.setPeriodicBoxVectors(*state.getPeriodicBoxVectors())
        other.setPositions(state.getPositions())
        self.compare_states(state, other.getState(energy=True, forces=True), "mixed")

    def test_a_move_that_fails(self):
        """Of a barostat leaves no trial behind: what a user asks next is whole."""
        system = self.create_system()
        barostat = mm.MonteCarloBarostat(1e7 * unit.bar, 300 * kelvin, 1)
        system.addForce(barostat)
        context = self.context(system, mm.LangevinMiddleIntegrator(300, 1, 0.0005), *FIRST)
        context.setPositions(self.modeller.positions)
        context.setVelocitiesToTemperature(300, 4)
        with self.assertRaises(mm.OpenMMException):  # the box becomes too small for the cutoff
            context.getIntegrator().step(10000)
        context.setPeriodicBoxVectors(*self.system.getDefaultPeriodicBoxVectors())
        context.setPositions(self.modeller.positions)
        self.assertGreater(context.getState(energy=True).getKineticEnergy().value_in_unit(kJ), 100)

    def test_virtual_sites(self):
        field = app.ForceField("amber14/tip4pew.xml")
        modeller = app.Modeller(app.Topology(), [])
        modeller.addSolvent(field, model="tip4pew", boxSize=mm.Vec3(2, 2, 2) * nm)
        system = field.createSystem(modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.8 * nm)
        self.compare(system, modeller.positions)
        simulation = self.simulation(modeller.topology, system, mm.LangevinMiddleIntegrator(300, 1, 0.001))
        simulation.context.setPositions(modeller.positions)
        simulation.minimizeEnergy(maxIterations=20)
        simulation.step(20)
        positions = simulation.context.getState(positions=True).getPositions()
        simulation.context.computeVirtualSites()
        again = simulation.context.getState(positions=True).getPositions()
        self.assertLess(max(mm.unit.norm(a - b) for a, b in zip(positions, again)), 1e-6 * nm)

    def test_groups(self):
        system = self.create_system()
        for n, force in enumerate(system.getForces()):
            force.setForceGroup(n)
            if isinstance(force, mm.NonbondedForce):
                force.setReciprocalSpaceForceGroup(31)
        for groups in ({0}, {1, 2}, {31}, 1 << 3):
            self.compare(system, self.modeller.positions, groups=groups)


class Implicit(PlatformTest):
    def create(self, *field, **options):
        topology, positions = peptide()
        field = app.ForceField("amber14-all.xml", *field)
        return topology, field.createSystem(topology, **options), positions

    def test_gbn2(self):
        _, system, positions = self.create("implicit/gbn2.xml", nonbondedMethod=app.NoCutoff)
        self.compare(system, positions)

    def test_obc2(self):
        _, system, positions = self.create("implicit/obc2.xml", nonbondedMethod=app.CutoffNonPeriodic, nonbondedCutoff=1 * nm)
        self.compare(system, positions)

    def test_energy_is_conserved(self):
        topology, system, positions = self.create(nonbondedMethod=app.NoCutoff)
        integrator = mm.VerletIntegrator(0.0005)
        simulation = self.simulation(topology, system, integrator, *PRECISE)
        simulation.context.setPositions(positions)
        simulation.minimizeEnergy()
        simulation.context.setVelocitiesToTemperature(200, 3)
        total = []
        for _ in range(20):
            simulation.step(50)
            state = simulation.context.getState(energy=True)
            total.append((state.getKineticEnergy() + state.getPotentialEnergy()).value_in_unit(kJ))
        self.assertLess(np.std(total), 0.3)

    def test_same_trajectory_as_reference(self):
        topology, system, positions = self.create(nonbondedMethod=app.NoCutoff)
        found = []
        for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
            context = mm.Context(system, mm.VerletIntegrator(0.001), platform, values)
            context.setPositions(positions)
            context.setVelocitiesToTemperature(300, 11)
            context.getIntegrator().step(50)
            state = context.getState(positions=True, velocities=True, energy=True)
            found.append((state.getPositions(asNumpy=True)._value, state.getVelocities(asNumpy=True)._value,
                          state.getKineticEnergy().value_in_unit(kJ)))
        self.assertLess(np.abs(found[0][0] - found[1][0]).max(), 1e-7)
        self.assertLess(np.abs(found[0][1] - found[1][1]).max(), 1e-5)
        self.assertAlmostEqual(found[0][2], found[1][2], delta=1e-5)

    def test_metadynamics(self):
        topology, system, positions = self.create(nonbondedMethod=app.NoCutoff)
        variables = []
        for atoms in ((4, 6, 8, 14), (6, 8, 14, 16)):
            torsion = mm.CustomTorsionForce("theta")
            torsion.addTorsion(*atoms)
            variables.append(app.BiasVariable(torsion, -math.pi, math.pi, 0.35, True))
        with tempfile.TemporaryDirectory() as folder:
            meta = app.Metadynamics(system, variables, 300 * kelvin, 10, 1.0 * kJ, 10, saveFrequency=20, biasDir=folder)
            simulation = self.simulation(topology, system, mm.LangevinMiddleIntegrator(300, 1, 0.001))
            simulation.context.setPositions(positions)
            simulation.minimizeEnergy(maxIterations=20)
            meta.step(simulation, 50)
            self.assertGreater(np.abs(meta.getFreeEnergy()._value).max(), 0)
            values = meta.getCollectiveVariables(simulation)
            energy = simulation.context.getState(energy=True, groups={meta._force.getForceGroup()}).getPotentialEnergy()
            self.assertGreater(energy.value_in_unit(kJ), 0)
            reference = mm.Context(system, mm.VerletIntegrator(0.001), REFERENCE)
            reference.setPositions(simulation.context.getState(positions=True).getPositions())
            for own, other in zip(values, meta._force.getCollectiveVariableValues(reference)):
                self.assertAlmostEqual(own, other, places=4)

    def test_simulated_tempering(self):
        topology, system, positions = self.create(nonbondedMethod=app.NoCutoff)
        simulation = self.simulation(topology, system, mm.LangevinMiddleIntegrator(300, 1, 0.001))
        simulation.context.setPositions(positions)
        simulation.minimizeEnergy(maxIterations=20)
        tempering = app.SimulatedTempering(simulation, numTemperatures=4, minTemperature=300 * kelvin, maxTemperature=360 * kelvin,
                                           tempChangeInterval=5, reportInterval=1000, reportFile=io.StringIO())
        tempering.step(100)
        self.assertIn(simulation.integrator.getTemperature().value_in_unit(kelvin), [t.value_in_unit(kelvin) for t in tempering.temperatures])


if __name__ == "__main__":
    unittest.main()
