# Each barostat on an ideal gas, whose volume is known: <V> = (n + 1) kT/P for n molecules.
# SPDX-License-Identifier: MIT
#
# ideal_gas.py PROGRAM RESULTS
from record import Record

record = Record("barostats")

import numpy as np

from energy_drift import VOLUME
from sampling import mean_with_error, series
from small_systems import BAR, GAS_CONSTANT, barostat, ideal_gas, integrator

PRESSURE, TEMPERATURE = 100.0, 300.0
LARGEST_ERROR = 0.005  # both of the mean and of its standard error


def expected_volume(molecules):
    return (molecules + 1) * GAS_CONSTANT * TEMPERATURE / (PRESSURE * BAR)


def volumes(name, molecules, kind, atoms=2, tries=200000, bath=TEMPERATURE, **more):
    """The barostat acts at every step, at its own temperature; the motion has that of `bath`. Fewer than about 30
    molecules would not do: while a barostat still adapts its steps, they depend on the volume, and <V> is off by some
    tenths of a percent at 10 molecules."""
    model = ideal_gas(molecules, expected_volume(molecules), atoms)
    model.extra.append(barostat(kind, PRESSURE, TEMPERATURE, frequency=1, seed=0, **more))
    motion = integrator("LangevinMiddle", temperature=bath, randomSeed=0)
    return series(name, model, motion, tries, 4, VOLUME, relax=False)[0]


def verdict(mean, error, expected):
    """Whether the mean is within three standard errors of the value, and known well enough."""
    distance, largest = abs(mean - expected), LARGEST_ERROR * expected
    return (f"{mean:.5g} ± {error:.2g} nm³, expected {expected:.5g}: {distance / error:.1f} sigma, off by "
            f"{distance / expected:.2%}, sigma {error / expected:.2%}", "3 sigma, 0.5 %",
            distance <= 3 * error and distance <= largest and error <= largest)


def gas(name, kind, molecules=100, **more):
    return verdict(*mean_with_error(volumes(name, molecules, kind, **more)), expected_volume(molecules))


def tension(name, molecules=100):
    """With a fixed height h and the tension t, <A> = (n + 1) kT/(P h - t)."""
    height = expected_volume(molecules) ** (1 / 3)
    value = 0.2 * PRESSURE * height  # [bar nm]
    sample = volumes(name, molecules, "Membrane", surfaceTension=value, zmode=1)
    return verdict(*mean_with_error(sample), expected_volume(molecules) / (1 - value / (PRESSURE * height)))


def constant_volume(name):
    sample = volumes(name, 100, "Membrane", zmode=2, tries=20000)
    change = np.ptp(sample) / sample.mean()
    return f"volume changes by {change:.1e}", "1e-9", change <= 1e-9


CASES = {"MonteCarloBarostat": lambda name: gas(name, ""),
         "MonteCarloBarostat, 30 molecules": lambda name: gas(name, "", molecules=30),
         "MonteCarloBarostat, motion at 200 K": lambda name: gas(name, "", bath=200),
         "MonteCarloBarostat, atoms, not scaled as molecules": lambda name: gas(name, "", atoms=1, rigidScaling=0),
         "MonteCarloAnisotropicBarostat": lambda name: gas(name, "Anisotropic"),
         "MonteCarloAnisotropicBarostat, x alone": lambda name: gas(name, "Anisotropic", scaley=0, scalez=0),
         "MonteCarloMembraneBarostat, xy isotropic, z free": lambda name: gas(name, "Membrane"),
         "MonteCarloMembraneBarostat, xy anisotropic, z free": lambda name: gas(name, "Membrane", xymode=1),
         "MonteCarloMembraneBarostat, xy isotropic, z fixed, tension": tension,
         "MonteCarloMembraneBarostat, constant volume": constant_volume,
         "MonteCarloFlexibleBarostat": lambda name: gas(name, "Flexible")}

for name, measure in CASES.items():
    record.once(name, lambda: measure(name))
record.finish()
