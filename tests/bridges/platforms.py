# Runs OpenMM on the platform Trotter, and compares it with Reference.
# SPDX-License-Identifier: MIT
"""Environment: TROTTER_PLUGIN, the plugin that was built; TROTTER_BACKENDS, such as "cpu:mixed cpu:double" (default).
FIRST is the one of most tests, PRECISE that of comparisons of trajectories."""
import ctypes
import os
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

PLUGIN = os.environ.get("TROTTER_PLUGIN")
if PLUGIN:
    mm.Platform.loadPluginLibrary(PLUGIN)
_failures = [failure for failure in mm.Platform.getPluginLoadFailures() if "rotter" in failure]
assert not _failures, _failures
TROTTER = mm.Platform.getPlatformByName("Trotter")
REFERENCE = mm.Platform.getPlatformByName("Reference")
BACKENDS = [tuple(one.split(":")) for one in os.environ.get("TROTTER_BACKENDS", "cpu:mixed cpu:double").split()]
FIRST = BACKENDS[0]
PRECISE = next(one for one in [*BACKENDS, ("reference", "double")] if one[1] == "double")
_plugin = ctypes.CDLL(PLUGIN or os.path.join(mm.version.openmm_library_path, "plugins", "libOpenMMTrotter.so"))
_plugin.trotter_openmm_evaluations.restype = ctypes.c_longlong
_plugin.trotter_openmm_contexts.restype = ctypes.c_longlong


def evaluations():
    return _plugin.trotter_openmm_evaluations()


def contexts():
    return _plugin.trotter_openmm_contexts()


def properties(backend, precision):
    return {"Backend": backend, "Precision": precision}


# Tolerances, relative to energies and to the largest force, each plus 1 kJ/mol/nm: near a minimum forces cancel.
ENERGY_LIMIT = {"double": 1e-9, "mixed": 1e-5, "single": 1e-5}
FORCE_LIMIT = {"double": 1e-8, "mixed": 1e-4, "single": 1e-4}

PEPTIDE = """\
ATOM      1 HH31 ACE A   1       2.000   1.000   0.000
ATOM      2  CH3 ACE A   1       2.000   2.090   0.000
ATOM      3 HH32 ACE A   1       1.486   2.454   0.890
ATOM      4 HH33 ACE A   1       1.486   2.454  -0.890
ATOM      5  C   ACE A   1       3.427   2.641   0.000
ATOM      6  O   ACE A   1       4.391   1.877   0.000
ATOM      7  N   ALA A   2       3.555   3.970   0.000
ATOM      8  H   ALA A   2       2.733   4.556   0.000
ATOM      9  CA  ALA A   2       4.853   4.614   0.000
ATOM     10  HA  ALA A   2       5.408   4.316   0.890
ATOM     11  CB  ALA A   2       5.661   4.221  -1.232
ATOM     12  HB1 ALA A   2       5.123   4.521  -2.131
ATOM     13  HB2 ALA A   2       6.630   4.719  -1.206
ATOM     14  HB3 ALA A   2       5.809   3.141  -1.241
ATOM     15  C   ALA A   2       4.713   6.129   0.000
ATOM     16  O   ALA A   2       3.601   6.653   0.000
ATOM     17  N   NME A   3       5.846   6.835   0.000
ATOM     18  H   NME A   3       6.737   6.359   0.000
ATOM     19  C   NME A   3       5.846   8.284   0.000
ATOM     20  H1  NME A   3       4.819   8.648   0.000
ATOM     21  H2  NME A   3       6.360   8.648   0.890
ATOM     22  H3  NME A   3       6.360   8.648  -0.890
END
"""


def peptide():
    """Alanine dipeptide: Topology and positions."""
    import io
    pdb = app.PDBFile(io.StringIO(PEPTIDE))
    return pdb.topology, pdb.positions


def solvated_peptide(padding=1.0):
    """In water and salt: a Modeller, and the ForceField that it was made with."""
    field = app.ForceField("amber14-all.xml", "amber14/tip3pfb.xml")
    modeller = app.Modeller(*peptide())
    modeller.addSolvent(field, padding=padding * unit.nanometer, ionicStrength=0.1 * unit.molar)
    return modeller, field


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


class PlatformTest(unittest.TestCase):
    """Every test asserts that it was this platform that computed."""

    def setUp(self):
        self.before = evaluations()

    def tearDown(self):
        self.assertGreater(evaluations(), self.before, "the engine computed nothing")

    def context(self, system, integrator, backend, precision):
        context = mm.Context(system, integrator, TROTTER, properties(backend, precision))
        self.assertEqual(context.getPlatform().getName(), "Trotter")
        self.assertEqual(TROTTER.getPropertyValue(context, "Backend"), backend)
        return context

    def simulation(self, topology, system, integrator, backend=FIRST[0], precision=FIRST[1]):
        simulation = app.Simulation(topology, system, integrator, TROTTER, properties(backend, precision))
        self.assertEqual(simulation.context.getPlatform().getName(), "Trotter")
        return simulation

    def compare_states(self, own, other, precision):
        """States with energy and forces."""
        energies = [s.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole) for s in (own, other)]
        forces = [s.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer) for s in (own, other)]
        largest = np.abs(forces[1]).max() + 1
        self.assertLessEqual(abs(energies[0] - energies[1]), ENERGY_LIMIT[precision] * (abs(energies[1]) + largest), energies)
        self.assertLessEqual(np.abs(forces[0] - forces[1]).max(), FORCE_LIMIT[precision] * largest)

    def compare(self, system, positions, box=None, parameters=(), groups=-1):
        """Energy and forces of a System on Reference, and on every backend here."""
        states = {}
        for name in [None, *BACKENDS]:
            if name is None:
                context = mm.Context(system, mm.VerletIntegrator(0.001), REFERENCE)
            else:
                context = self.context(system, mm.VerletIntegrator(0.001), *name)
            if box is not None:
                context.setPeriodicBoxVectors(*box)
            context.setPositions(positions)
            for parameter, value in dict(parameters).items():
                context.setParameter(parameter, value)
            states[name] = context.getState(energy=True, forces=True, groups=groups)
        for name in BACKENDS:
            with self.subTest(backend=name):
                self.compare_states(states[name], states[None], name[1])
