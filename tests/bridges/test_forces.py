# Scripts with single forces on the platform Trotter: updates, callbacks, containers, results.
# SPDX-License-Identifier: MIT
import math
import unittest

import numpy as np
import openmm as mm
from openmm import unit

from platforms import BACKENDS, FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, charged_pairs, properties

nm, kJ = unit.nanometer, unit.kilojoule_per_mole


def square_of_first(state):
    positions = state.getPositions(asNumpy=True).value_in_unit(nm)
    forces = np.zeros_like(positions)
    forces[0, 0] = -2 * positions[0, 0]
    return positions[0, 0] ** 2, forces


class Forces(PlatformTest):
    def test_alchemical(self):
        """Soft-core interactions of two groups, by a parameter that is changed while it runs, with its derivative."""
        system, positions = charged_pairs()
        force = mm.CustomNonbondedForce("lam*4*eps*x*(x-1); x=1/(0.5*(1-lam)+(r/s)^6); s=0.5*(s1+s2); eps=sqrt(e1*e2)")
        force.addGlobalParameter("lam", 1.0)
        force.addEnergyParameterDerivative("lam")
        for name in ("s", "e"):
            force.addPerParticleParameter(name)
        for n in range(system.getNumParticles()):
            force.addParticle([0.3, 0.5 + 0.01 * n])
        force.addInteractionGroup(range(5), range(5, 30))
        force.setNonbondedMethod(force.CutoffPeriodic)
        force.setCutoffDistance(1.0)
        system.addForce(force)
        for value in (1.0, 0.4, 0.0):
            self.compare(system, positions, parameters={"lam": value})
        derivatives = []
        for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
            context = mm.Context(system, mm.VerletIntegrator(0.001), platform, values)
            context.setPositions(positions)
            context.setParameter("lam", 0.4)
            derivatives.append(context.getState(parameterDerivatives=True).getEnergyParameterDerivatives()["lam"])
        self.assertAlmostEqual(*derivatives, places=8)

    def test_updates(self):
        """Numbers of forces, changed in a live Context."""
        system, positions = charged_pairs()
        nonbonded, bonds = mm.NonbondedForce(), mm.HarmonicBondForce()
        custom = mm.CustomBondForce("k*(r-r0)^2")
        for name in ("k", "r0"):
            custom.addPerBondParameter(name)
        table = mm.CustomNonbondedForce("f(r)*q1*q2")
        table.addPerParticleParameter("q")
        table.addTabulatedFunction("f", mm.Continuous1DFunction([1.0, 0.5, 0.2, 0.1], 0, 3))
        for n in range(system.getNumParticles()):
            nonbonded.addParticle((-1) ** n * 0.5, 0.2, 0.5)
            table.addParticle([0.1 * n])
        for n in range(0, 20, 2):
            bonds.addBond(n, n + 1, 0.6, 100)
            custom.addBond(n, n + 2, [50, 0.5])
        nonbonded.addException(0, 1, 0.1, 0.2, 0.3)
        for force in (nonbonded, bonds, custom, table):
            system.addForce(force)
        made = [mm.Context(system, mm.VerletIntegrator(0.001), REFERENCE)]
        made += [self.context(system, mm.VerletIntegrator(0.001), *backend) for backend in BACKENDS]
        for context in made:
            context.setPositions(positions)
            context.getState(energy=True)
        nonbonded.setParticleParameters(3, 0.9, 0.25, 0.1)
        nonbonded.setExceptionParameters(0, 0, 1, 0.3, 0.3, 0.2)
        bonds.setBondParameters(2, 4, 5, 0.5, 300)
        custom.setBondParameters(1, 2, 4, [70, 0.55])
        table.getTabulatedFunction(0).setFunctionParameters([2.0, 0.7, 0.1, 0.3], 0, 3)
        for context in made:
            for force in (nonbonded, bonds, custom, table):
                force.updateParametersInContext(context)
        states = [context.getState(energy=True, forces=True) for context in made]
        for own, backend in zip(states[1:], BACKENDS):
            self.compare_states(own, states[0], backend[1])

    def test_python_force(self):
        system, positions = charged_pairs(10)

        def compute(state):
            x = state.getPositions(asNumpy=True).value_in_unit(nm)
            k = state.getParameters()["k"]
            return 0.5 * k * np.sum(x * x), -k * x

        system.addForce(mm.PythonForce(compute, {"k": 3.0}))
        some = mm.PythonForce(compute, {"k": 3.0}, [2, 5, 7])
        some.setForceGroup(1)
        system.addForce(some)
        self.compare(system, positions, parameters={"k": 2.0})
        self.compare(system, positions, groups={1})
        context = self.context(system, mm.VerletIntegrator(0.001), *FIRST)
        context.setPositions(positions)
        context.getIntegrator().step(5)
        mm.LocalEnergyMinimizer.minimize(context, 1.0)
        self.assertLess(context.getState(energy=True).getPotentialEnergy().value_in_unit(kJ), 1.0)

    def test_python_force_that_raises(self):
        system, positions = charged_pairs(3)

        def compute(state):
            raise ValueError("a sentence of the user's")

        system.addForce(mm.PythonForce(compute))
        context = self.context(system, mm.VerletIntegrator(0.001), *FIRST)
        context.setPositions(positions)
        with self.assertRaisesRegex(Exception, "a sentence of the user's"):
            context.getState(energy=True)

    def test_python_force_that_gives_no_number(self):
        """Is blamed by the name and the index that it has in the script, which a barostat in front of it does not change."""
        system, positions = charged_pairs(3)
        force = mm.PythonForce(lambda state: (math.nan, np.full((3, 3), math.nan)))
        force.setUsesPeriodicBoundaryConditions(True)
        system.addForce(mm.MonteCarloBarostat(1, 300))
        system.addForce(force)
        for name in ("PythonForce", "pull"):
            force.setName(name)
            context = self.context(system, mm.VerletIntegrator(0.001), *FIRST)
            context.setPositions(positions)
            for ask in (lambda: context.getState(energy=True), lambda: context.getState(forces=True)):
                with self.assertRaisesRegex(mm.OpenMMException, rf"force 1 \({name}\)"):
                    ask()

    def test_python_force_in_a_variable(self):
        """Is still there when other numbers of the variables have been taken over."""
        system, positions = charged_pairs(3)
        bonds = mm.HarmonicBondForce()
        bonds.addBond(0, 1, 0.5, 100)
        force = mm.CustomCVForce("x+2*y")
        force.addCollectiveVariable("x", mm.PythonForce(square_of_first))
        force.addCollectiveVariable("y", bonds)
        system.addForce(force)
        self.compare(system, positions)
        context = self.context(system, mm.VerletIntegrator(0.001), *PRECISE)
        context.setPositions(positions)
        before = context.getState(energy=True).getPotentialEnergy()._value
        force.getCollectiveVariable(1).setBondParameters(0, 0, 1, 0.5, 200)
        force.updateParametersInContext(context)
        variables = force.getCollectiveVariableValues(context)
        self.assertAlmostEqual(context.getState(energy=True).getPotentialEnergy()._value, variables[0] + 2 * variables[1], places=8)
        self.assertAlmostEqual(before, variables[0] + variables[1], places=8)

    def test_alchemical_transfer(self):
        system, positions = charged_pairs()
        nonbonded = mm.NonbondedForce()
        nonbonded.setNonbondedMethod(nonbonded.CutoffPeriodic)
        for n in range(system.getNumParticles()):
            nonbonded.addParticle((-1) ** n * 0.3, 0.2, 0.4)
        transfer = mm.ATMForce(0.3, 0.6, 0.1, 10, 0, 200, 100, 0.0625, 1)
        transfer.addForce(nonbonded)
        for n in range(system.getNumParticles()):
            transfer.addParticle(mm.Vec3(0.4, 0.1, 0) if n < 4 else mm.Vec3(0, 0, 0))
        system.addForce(transfer)
        self.compare(system, positions)
        found = []
        for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
            context = mm.Context(system, mm.VerletIntegrator(0.001), platform, values)
            context.setPositions(positions)
            found.append([value.value_in_unit(kJ) for value in transfer.getPerturbationEnergy(context)])
            context.getIntegrator().step(5)
            found[-1].append(context.getState(energy=True).getPotentialEnergy().value_in_unit(kJ))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-8)

    def test_constant_potential(self):
        system, positions = charged_pairs(32)
        force = mm.ConstantPotentialForce()
        force.setCutoffDistance(1.0)
        for n in range(32):
            force.addParticle(0 if n < 16 else (-1) ** n * 0.5)
        force.addElectrode(set(range(8)), 0.5, 0.1, 0.0)
        force.addElectrode(set(range(8, 16)), -0.5, 0.1, 0.0)
        system.addForce(force)
        self.compare(system, positions)
        charges = []
        for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
            context = mm.Context(system, mm.VerletIntegrator(0.001), platform, values)
            context.setPositions(positions)
            charges.append([charge._value for charge in force.getCharges(context)])
        np.testing.assert_allclose(*charges, atol=1e-7)

    def test_volume(self):
        system, positions = charged_pairs(4)
        force = mm.CustomVolumeForce("k*v")
        force.addGlobalParameter("k", 2.0)
        system.addForce(force)
        self.compare(system, positions)

    def test_pressures(self):
        """What barostats say of the pressure now: energies in other boxes, and the motion of molecules or particles."""
        system, positions = charged_pairs(30)
        nonbonded, bonds = mm.NonbondedForce(), mm.HarmonicBondForce()
        nonbonded.setNonbondedMethod(nonbonded.CutoffPeriodic)
        nonbonded.setCutoffDistance(0.9)
        for n in range(30):
            nonbonded.addParticle((-1) ** n * 0.2, 0.25, 0.5)
        for n in range(0, 30, 2):
            bonds.addBond(n, n + 1, 0.5, 1000)
            nonbonded.addException(n, n + 1, 0, 1, 0)
        velocities = np.random.default_rng(2).normal(size=(30, 3))
        barostats = [mm.MonteCarloBarostat(1, 300), mm.MonteCarloAnisotropicBarostat(mm.Vec3(1, 1, 1), 300),
                     mm.MonteCarloFlexibleBarostat(1, 300), mm.MonteCarloFlexibleBarostat(1, 300, 25, False)]
        for barostat in barostats:
            own = mm.XmlSerializer.deserialize(mm.XmlSerializer.serialize(system))
            for force in (nonbonded, bonds, barostat):
                own.addForce(mm.XmlSerializer.deserialize(mm.XmlSerializer.serialize(force)))
            found = []
            for platform, values in [(REFERENCE, {}), (TROTTER, properties(*PRECISE))]:
                context = mm.Context(own, mm.VerletIntegrator(0.001), platform, values)
                context.setPositions(positions)
                context.setVelocities(velocities)
                pressure = own.getForce(2).computeCurrentPressure(context)
                found.append(np.ravel(pressure.value_in_unit(unit.bar) if unit.is_quantity(pressure) else pressure))
            np.testing.assert_allclose(found[0].astype(float), found[1].astype(float), rtol=1e-6, atol=1e-4)

    def test_mesh_parameters(self):
        system, positions = charged_pairs()
        force = mm.NonbondedForce()
        for n in range(system.getNumParticles()):
            force.addParticle((-1) ** n * 0.5, 0.2, 0.4)
        force.setNonbondedMethod(force.PME)
        force.setPMEParameters(2.5, 24, 25, 27)
        system.addForce(force)
        context = self.context(system, mm.VerletIntegrator(0.001), *FIRST)
        context.setPositions(positions)
        context.getState(energy=True)
        alpha, *sizes = force.getPMEParametersInContext(context)
        self.assertEqual(alpha.value_in_unit(1 / nm) if unit.is_quantity(alpha) else alpha, 2.5)
        self.assertGreaterEqual(sizes, [24, 25, 27])


if __name__ == "__main__":
    unittest.main()
