# Test systems and samplers of openmmtools (PyPI) on the platform Trotter.
# SPDX-License-Identifier: MIT
import inspect
import os
import sys
import tempfile
import unittest
import warnings

import openmm as mm
from openmm import unit

import platforms
from platforms import BACKENDS, FIRST, REFERENCE, PlatformTest, properties, TROTTER

warnings.filterwarnings("ignore")
try:
    import openmmtools
    from openmmtools import cache, mcmc, multistate, states, testsystems
except ImportError:
    print("skipped: openmmtools is not installed")
    sys.exit(77)

# Omitted: many particles, for which Reference takes minutes, or files that are not in the package.
LEFT_OUT = {"SrcImplicit", "SrcExplicit", "SrcExplicitReactionField", "DHFRExplicit", "WaterCluster", "AMOEBAIonBox", "AMOEBAProteinBox",
            "HostGuestImplicit", "HostGuestExplicit", "HostGuestVacuum", "HostGuestImplicitHCT", "HostGuestImplicitOBC1",
            "HostGuestImplicitOBC2", "HostGuestImplicitGBn", "HostGuestImplicitGBn2", "HostGuestNoninteracting"}


def small_systems(most=1500):
    for name, kind in inspect.getmembers(testsystems, inspect.isclass):
        if not issubclass(kind, testsystems.TestSystem) or kind is testsystems.TestSystem or name in LEFT_OUT:
            continue
        try:
            made = kind()
        except Exception:  # needs arguments, files or packages
            continue
        if made.system.getNumParticles() <= most:
            yield name, made


# A crystal's energy is a small difference between parts of its Ewald sum.
platforms.ENERGY_LIMIT["double"] = 1e-8


class TestSystems(PlatformTest):
    def test_energies_and_forces(self):
        count = 0
        for name, made in small_systems():
            with self.subTest(system=name):
                try:
                    context = mm.Context(made.system, mm.VerletIntegrator(0.001), REFERENCE)
                    context.setPositions(made.positions)
                    wanted = context.getState(energy=True, forces=True)
                except mm.OpenMMException:
                    continue  # Reference has no kernel for it
                for backend in BACKENDS:
                    own = self.context(made.system, mm.VerletIntegrator(0.001), *backend)
                    own.setPositions(made.positions)
                    self.compare_states(own.getState(energy=True, forces=True), wanted, backend[1])
                count += 1
        self.assertGreater(count, 30)


class Samplers(PlatformTest):
    def test_replica_exchange(self):
        made = testsystems.AlanineDipeptideVacuum()
        thermodynamic = [states.ThermodynamicState(made.system, temperature * unit.kelvin) for temperature in (300, 320, 340)]
        cache.global_context_cache.platform = TROTTER
        for name, value in properties(*FIRST).items():
            TROTTER.setPropertyDefaultValue(name, value)
        move = mcmc.LangevinDynamicsMove(timestep=1 * unit.femtosecond, n_steps=20)
        with tempfile.TemporaryDirectory() as folder:
            sampler = multistate.ReplicaExchangeSampler(mcmc_moves=move, number_of_iterations=5)
            reporter = multistate.MultiStateReporter(os.path.join(folder, "exchange.nc"), checkpoint_interval=5)
            sampler.create(thermodynamic, states.SamplerState(made.positions), storage=reporter)
            sampler.run()
            self.assertEqual(sampler.iteration, 5)
            energies = reporter.read_energies()[0]
            self.assertEqual(energies.shape[-2:], (3, 3))
        cache.global_context_cache.empty()


if __name__ == "__main__":
    unittest.main()
