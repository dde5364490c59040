# The behavior of the platform Trotter: properties, errors, reporters, devices.
# SPDX-License-Identifier: MIT
import math
import os
import re
import unittest

import numpy as np
import openmm as mm

from platforms import FIRST, TROTTER, PlatformTest, charged_pairs, evaluations


# With these, OpenMM's GPU platforms hand the reciprocal part to its plugin PME, which registers them for all platforms.
NOT_FOR_PLATFORMS = {"CalcPmeReciprocalForce", "CalcDispersionPmeReciprocalForce"}


def kernel_names():
    """Of all kernel classes that OpenMM's headers declare, those of AMOEBA, Drude and RPMD included."""
    folder = os.path.join(os.path.dirname(mm.version.openmm_library_path), "include", "openmm")
    names = set()
    for header in ("kernels.h", "amoebaKernels.h", "DrudeKernels.h", "RpmdKernels.h"):
        with open(os.path.join(folder, header)) as file:
            names |= set(re.findall(r'static std::string Name\(\) \{\s*return "(\w+)";', file.read()))
    return names


class Behavior(PlatformTest):
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

    def test_kernel_classes(self):
        """All are there."""
        self.small(Backend="cpu")
        names = kernel_names()
        self.assertGreaterEqual(len(names), 56)
        self.assertLessEqual({name for name in names if not TROTTER.supportsKernels([name])}, NOT_FOR_PLATFORMS)

    def test_properties(self):
        context, *_ = self.small(Backend="cpu", Precision="double", Threads="2")
        wanted = {"Backend": "cpu", "Precision": "double", "Threads": "2", "DeterministicForces": "true"}
        for name, value in wanted.items():
            self.assertEqual(TROTTER.getPropertyValue(context, name), value)
        for name, value in {"Backend": "gpu", "Precision": "half", "Threads": "many", "DeviceIndex": "-1"}.items():
            with self.assertRaisesRegex(mm.OpenMMException, f"property {name} .* '{value}', expected"):
                self.small(**{"Backend": "cpu", name: value})

    def test_default_platform(self):
        """By the environment, without a platform in the script."""
        _, _, system = self.small(Backend="cpu")
        os.environ["OPENMM_DEFAULT_PLATFORM"] = "Trotter"
        try:
            context = mm.Context(system, mm.VerletIntegrator(0.001))
        finally:
            del os.environ["OPENMM_DEFAULT_PLATFORM"]
        self.assertEqual(context.getPlatform().getName(), "Trotter")

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
