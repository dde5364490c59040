# Scripts with polarizable force fields on the platform Trotter.
# SPDX-License-Identifier: MIT
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

from platforms import BACKENDS, FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, properties

nm, e_nm = unit.nanometer, unit.elementary_charge * unit.nanometer


def water(edge):
    modeller = app.Modeller(app.Topology(), [])
    modeller.addSolvent(app.ForceField("tip3p.xml"), boxSize=mm.Vec3(edge, edge, edge) * nm)
    return modeller


def positions_of(context):
    return context.getState(positions=True).getPositions(asNumpy=True)._value


class Amoeba(PlatformTest):
    """OpenMM's PME of multipoles has a factor in single precision: 1e-8 of energies."""

    @classmethod
    def setUpClass(cls):
        cls.modeller = water(1.5)
        cls.field = app.ForceField("amoeba2018.xml")

    def both(self, system, integrator=lambda: mm.VerletIntegrator(0.0005)):
        for backend in BACKENDS:
            own = self.context(system, integrator(), *backend)
            other = mm.Context(system, integrator(), REFERENCE)
            for context in (own, other):
                context.setPositions(self.modeller.positions)
            yield own, other

    def create(self, **options):
        return self.field.createSystem(self.modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.6 * nm, **options)

    def test_energies_and_dipoles(self):
        for polarization in ("mutual", "direct", "extrapolated"):
            system = self.create(polarization=polarization, mutualInducedTargetEpsilon=1e-6)
            force = next(f for f in system.getForces() if isinstance(f, mm.AmoebaMultipoleForce))
            for own, other in self.both(system):
                with self.subTest(polarization=polarization):
                    states = [context.getState(energy=True, forces=True) for context in (own, other)]
                    energies = [state.getPotentialEnergy()._value for state in states]
                    forces = [state.getForces(asNumpy=True)._value for state in states]
                    self.assertLess(abs(energies[0] - energies[1]), 1e-7 * abs(energies[1]))
                    self.assertLess(np.abs(forces[0] - forces[1]).max(), 1e-5 * np.abs(forces[1]).max())
                    for get in (force.getInducedDipoles, force.getLabFramePermanentDipoles, force.getTotalDipoles):
                        self.assertLess(np.abs(np.array(get(own)) - np.array(get(other))).max(), 1e-7)
                    self.assertEqual(force.getPMEParametersInContext(own), force.getPMEParametersInContext(other))

    def test_potential_and_moments(self):
        topology, positions = self.modeller.topology, self.modeller.positions
        force_field = app.ForceField("amoeba2018.xml")
        system = force_field.createSystem(topology, nonbondedMethod=app.NoCutoff, polarization="direct")
        force = next(f for f in system.getForces() if isinstance(f, mm.AmoebaMultipoleForce))
        points = [mm.Vec3(3, 0, 0), mm.Vec3(0, 0, -2)]
        for own, other in self.both(system):
            np.testing.assert_allclose(force.getElectrostaticPotential(points, own), force.getElectrostaticPotential(points, other), rtol=1e-6)
            np.testing.assert_allclose(force.getSystemMultipoleMoments(own), force.getSystemMultipoleMoments(other), rtol=1e-6, atol=1e-6)
            own.setPositions(positions)

    def test_steps_and_updates(self):
        system = self.create(polarization="mutual", mutualInducedTargetEpsilon=1e-7)
        for own, other in self.both(system):
            for context in (own, other):
                context.getIntegrator().step(5)
            self.assertLess(np.abs(positions_of(own) - positions_of(other)).max(), 1e-7)
            force = next(f for f in system.getForces() if isinstance(f, mm.AmoebaVdwForce))
            parameters = force.getParticleParameters(0)
            force.setParticleParameters(0, parameters[0], parameters[1], 2 * parameters[2], *parameters[3:])
            force.updateParametersInContext(own)
            force.updateParametersInContext(other)
            energies = [context.getState(energy=True).getPotentialEnergy()._value for context in (own, other)]
            self.assertLess(abs(energies[0] - energies[1]), 1e-6 * abs(energies[1]))


class Drude(PlatformTest):
    @classmethod
    def setUpClass(cls):
        field = app.ForceField("swm4ndp.xml")
        cls.modeller = water(1.9)
        cls.modeller.addExtraParticles(field)
        cls.system = field.createSystem(cls.modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9 * nm)
        context = mm.Context(cls.system, mm.VerletIntegrator(0.001), TROTTER, properties(*FIRST))
        context.setPositions(cls.modeller.positions)
        context.computeVirtualSites()
        mm.LocalEnergyMinimizer.minimize(context, 10, 100)
        cls.positions = context.getState(positions=True).getPositions()

    def test_energies(self):
        self.compare(self.system, self.positions)

    def end_of(self, context, steps):
        context.setPositions(self.positions)
        context.getIntegrator().step(steps)
        return positions_of(context)

    def compare_steps(self, make, steps, limit):
        """OpenMM keeps the lengths of rigid water in single precision."""
        ends = [self.end_of(context, steps) for context in (self.context(self.system, make(), *PRECISE),
                                                            mm.Context(self.system, make(), REFERENCE))]
        self.assertLess(np.abs(ends[0] - ends[1]).max(), limit)

    def test_langevin_dynamics_without_noise(self):
        def make():
            integrator = mm.DrudeLangevinIntegrator(0, 5, 0, 20, 0.001)
            integrator.setMaxDrudeDistance(0.02)
            return integrator
        self.compare_steps(make, 10, 1e-6)

    def test_nose_hoover_dynamics(self):
        self.compare_steps(lambda: mm.DrudeNoseHooverIntegrator(300, 10, 1, 40, 0.001), 10, 1e-6)

    def test_self_consistent_dynamics(self):
        def make():
            integrator = mm.DrudeSCFIntegrator(0.0005)
            integrator.setMinimizationErrorTolerance(1e-4)
            return integrator
        self.compare_steps(make, 3, 1e-5)

    def test_compound(self):
        """Also of a DrudeSCFIntegrator, which OpenMM cannot serialize."""
        def make():
            compound = mm.CompoundIntegrator()
            compound.addIntegrator(mm.VerletIntegrator(0.0001))
            compound.addIntegrator(mm.DrudeSCFIntegrator(0.0005))
            compound.getIntegrator(1).setMinimizationErrorTolerance(1e-4)
            compound.setCurrentIntegrator(1)
            return compound
        self.compare_steps(make, 2, 1e-5)

    def test_temperatures(self):
        """The relative motion of Drude particles stays cold."""
        integrator = mm.DrudeLangevinIntegrator(300, 50, 1, 100, 0.0005)
        integrator.setMaxDrudeDistance(0.02)
        context = self.context(self.system, integrator, *BACKENDS[0])
        context.setPositions(self.positions)
        context.setVelocitiesToTemperature(300, 3)
        integrator.step(200)
        velocities = context.getState(velocities=True).getVelocities(asNumpy=True)._value
        force = next(f for f in self.system.getForces() if isinstance(f, mm.DrudeForce))
        twice = 0
        for n in range(force.getNumParticles()):
            drude, parent = force.getParticleParameters(n)[:2]
            m1, m2 = (self.system.getParticleMass(i)._value for i in (drude, parent))
            twice += m1 * m2 / (m1 + m2) * ((velocities[drude] - velocities[parent])**2).sum()
        self.assertLess(twice / (3 * force.getNumParticles() * 0.00831446), 10)


if __name__ == "__main__":
    unittest.main()
