# Typical OpenMM scripts on the platform Trotter.
# SPDX-License-Identifier: MIT
import gc
import io
import math
import os
import tempfile
import threading
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

from platforms import (BACKENDS, FIRST, PRECISE, REFERENCE, TROTTER, PlatformTest, contexts, evaluations, peptide, properties,
                       solvated_peptide)

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

    def test_two_threads(self):
        """Two Contexts of one System, each stepped in a thread of its own, end where one does."""
        topology, system, positions = self.create(nonbondedMethod=app.NoCutoff)
        made = []
        for _ in range(3):
            context = self.context(system, mm.VerletIntegrator(0.001), *PRECISE)
            context.setPositions(positions)
            made.append(context)
        threads = [threading.Thread(target=context.getIntegrator().step, args=(200,)) for context in made[:2]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made[2].getIntegrator().step(200)
        ends = [context.getState(positions=True).getPositions(asNumpy=True)._value for context in made]
        self.assertTrue(np.array_equal(ends[0], ends[2]) and np.array_equal(ends[1], ends[2]))


def charged_pairs(count=30, size=2.5, seed=1):
    """Particles with charges and sizes in a box: positions, and a System without forces."""
    random = np.random.default_rng(seed)
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(mm.Vec3(size, 0, 0), mm.Vec3(0, size, 0), mm.Vec3(0, 0, size))
    grid = [(x, y, z) for x in range(4) for y in range(4) for z in range(4)][:count]
    positions = (np.array(grid) + 0.2 * random.random((count, 3))) * size / 4
    for _ in range(count):
        system.addParticle(20 + 10 * random.random())
    return system, positions


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


class Behaviour(PlatformTest):
    def small(self, **values):
        system, positions = charged_pairs(3)
        bonds = mm.HarmonicBondForce()
        bonds.addBond(0, 1, 0.5, 100)
        system.addForce(bonds)
        context = mm.Context(system, mm.VerletIntegrator(0.001), TROTTER, values)
        self.first_positions = positions
        context.setPositions(positions)
        context.getState(energy=True)
        return context, bonds, system

    def test_properties(self):
        context, *_ = self.small(Backend="cpu", Precision="double", Threads="2")
        wanted = {"Backend": "cpu", "Precision": "double", "Threads": "2", "DeterministicForces": "true"}
        for name, value in wanted.items():
            self.assertEqual(TROTTER.getPropertyValue(context, name), value)
        for name, value in {"Backend": "gpu", "Precision": "half", "Threads": "many", "DeviceIndex": "-1"}.items():
            with self.assertRaisesRegex(mm.OpenMMException, f"property {name} .* '{value}', expected"):
                self.small(**{"Backend": "cpu", name: value})

    def test_errors_leave_the_context_usable(self):
        context, bonds, _ = self.small(Backend="cpu")
        bonds.addBond(1, 2, 0.5, 100)
        with self.assertRaises(mm.OpenMMException):
            bonds.updateParametersInContext(context)
        with self.assertRaisesRegex(mm.OpenMMException, "not finite"):
            context.setPositions([[math.nan, 0, 0]] * 3)
        context.setPositions([[0, 0, 0], [1, 0, 0], [2, 0, 0]])
        self.assertAlmostEqual(context.getState(energy=True).getPotentialEnergy()._value, 12.5, places=4)

    def test_reinitialize(self):
        context, _, system = self.small(Backend="cpu", Precision="double")
        context.getIntegrator().step(3)
        before = context.getState(positions=True)
        more = mm.HarmonicBondForce()
        more.addBond(1, 2, 0.1, 100)
        system.addForce(more)
        context.reinitialize(preserveState=True)
        after = context.getState(positions=True, energy=True)
        self.assertEqual(after.getStepCount(), 3)
        self.assertTrue(np.array_equal(before.getPositions(asNumpy=True)._value, after.getPositions(asNumpy=True)._value))

    def test_minimization_reporter(self):
        context, *_ = self.small(Backend="cpu")
        seen = []

        class Reporter(mm.MinimizationReporter):
            def report(self, iteration, x, grad, args):
                seen.append((iteration, len(x), len(grad), args["system energy"]))
                return len(seen) == 3

        mm.LocalEnergyMinimizer.minimize(context, 1e-6, 0, Reporter())
        self.assertEqual([one[:3] for one in seen], [(n, 9, 9) for n in range(len(seen))])
        self.assertIn(len(seen), (1, 2, 3))

        class Broken(mm.MinimizationReporter):
            def report(self, iteration, x, grad, args):
                raise ValueError("a sentence of the user's")

        context.setPositions(self.first_positions)
        with self.assertRaisesRegex(Exception, "a sentence of the user's"):
            mm.LocalEnergyMinimizer.minimize(context, 1e-6, 0, Broken())

    def test_devices(self):
        """Each is a choice of properties that gives a Context which says the same."""
        devices = [dict(one) for one in TROTTER.getDevices()]
        self.assertEqual(len(devices), len({tuple(sorted(one.items())) for one in devices}))
        for device in devices:
            context, *_ = self.small(**device)
            for name, value in device.items():
                self.assertEqual(TROTTER.getPropertyValue(context, name), value)
        some = [dict(one) for one in TROTTER.getDevices({"Backend": "cpu", "Precision": "double"})]
        self.assertEqual([(one["Backend"], one["Precision"]) for one in some], [("cpu", "double")])

    def test_a_changed_system_shows_no_effect(self):
        """In a live Context; not even where a changed tolerance makes it anew."""
        context, bonds, system = self.small(Backend="cpu")
        before = context.getState(energy=True).getPotentialEnergy()._value
        bonds.setBondParameters(0, 0, 1, 5, 100)
        system.setParticleMass(0, 1000)
        more = mm.HarmonicBondForce()
        more.addBond(1, 2, 3, 100)
        system.addForce(more)
        self.assertEqual(context.getState(energy=True).getPotentialEnergy()._value, before)
        context.getIntegrator().setConstraintTolerance(1e-4)
        context.getIntegrator().step(1)
        context.setPositions(self.first_positions)
        self.assertEqual(context.getState(energy=True).getPotentialEnergy()._value, before)

    def test_contexts_come_and_go(self):
        """And leave no memory behind."""
        def make(count):
            for _ in range(count):
                self.small(**properties(*FIRST))
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        before, memory = contexts(), make(30)
        self.assertLess(make(200) - memory, 4 << 20)
        self.assertEqual(contexts(), before)

    def test_one_evaluation_for_each(self):
        context, *_ = self.small(Backend="cpu")
        before = evaluations()
        context.getState(energy=True, forces=True)
        self.assertLessEqual(evaluations(), before + 1)
        before = evaluations()
        context.getIntegrator().step(10)
        self.assertEqual(evaluations(), before + 10)


if __name__ == "__main__":
    unittest.main()
