# Pairs of simulations at two temperatures or pressures: tests the ratio of their distributions in the ensemble.
# SPDX-License-Identifier: MIT
#
# pairs.py PROGRAM RESULTS
from record import Record

record = Record("ensembles")

from energy_drift import POTENTIAL, VOLUME
from sampling import deviation, series, slope, uncorrelated
from small_systems import BAR, GAS_CONSTANT, argon, barostat, chains, integrator, remover, thermostat, water


def beta(temperature):
    return 1 / (GAS_CONSTANT * temperature)


def verdict(first, second, expected, deviations):
    found, error = slope(first, second)
    fewest, distance = min(len(first), len(second)), abs(found - expected) / error
    return (f"slope {found:.4g} ± {error:.2g}, expected {expected:.4g}: {distance:.1f} sigma (physical-validation: "
            f"{deviations:.1f}), sigma {abs(error / expected):.1%}; {fewest} samples", "3 sigma, sigma 5 %",
            distance <= 3 and deviations <= 3 and error <= 0.05 * abs(expected) and fewest >= 2000)


def constant_volume(name, make, high, steps, interval, low=300):
    """ln p2(U)/p1(U) = c - (beta2 - beta1) U."""
    energies = [uncorrelated(series(f"{name} {t}", *make(t), steps, interval, POTENTIAL)[0]) for t in (low, high)]
    deviations = deviation(*({"potential_energy": e} for e in energies),
                           [{"ensemble": "NVT", "volume": 1.0, "temperature": t} for t in (low, high)])
    return verdict(*energies, beta(low) - beta(high), deviations)


def constant_pressure(name, points, steps, interval):
    """At two temperatures the enthalpy, at two pressures the volume decides."""
    samples = []
    for temperature, pressure in points:
        model = argon()
        model.extra.append(barostat("", pressure, temperature, frequency=10, seed=0))
        motion = integrator("LangevinMiddle", stepSize=0.004, friction=2, temperature=temperature, randomSeed=0)
        energy, volume = series(f"{name} {temperature} {pressure}", model, motion, steps, interval, POTENTIAL, VOLUME)
        _, energy, volume = uncorrelated(volume if points[0][0] == points[1][0] else energy + pressure * BAR * volume,
                                         energy, volume)
        samples.append({"potential_energy": energy, "volume": volume})
    deviations = deviation(*samples, [{"ensemble": "NPT", "temperature": t, "pressure": p} for t, p in points])
    (t1, p1), (t2, p2) = points
    if t1 == t2:
        return verdict(*(s["volume"] for s in samples), -beta(t1) * (p2 - p1) * BAR, deviations)
    return verdict(*(s["potential_energy"] + p1 * BAR * s["volume"] for s in samples), beta(t1) - beta(t2), deviations)


def langevin(kind, model, **more):
    return lambda t: (model(), integrator(kind, **{"temperature": t, "friction": 2, "randomSeed": 0, **more}))


def nose_hoover(t):
    model = argon()
    model.extra.append(remover())
    return model, integrator("NoseHoover", temperature=t, stepSize=0.004, collisionFrequency=5)


def andersen(t):
    model = argon()
    model.extra.append(thermostat(t, 2, seed=0))
    return model, integrator("Verlet", stepSize=0.004)


def stiff_chains():
    return chains(constrained=True)


# Function of the temperature; the higher temperature (the lower is 300 K); steps; steps between samples.
CASES = {
    "LangevinMiddle, argon": (langevin("LangevinMiddle", argon, stepSize=0.004), 400, 600000, 100),
    "LangevinMiddle, flexible molecules": (langevin("LangevinMiddle", chains, stepSize=0.001), 360, 5000000, 500),
    "LangevinMiddle, constrained molecules": (langevin("LangevinMiddle", stiff_chains, stepSize=0.002), 400, 4000000,
                                              500),
    "LangevinMiddle, rigid water": (langevin("LangevinMiddle", water, stepSize=0.002), 330, 3000000, 250),
    "Langevin, argon": (langevin("Langevin", argon, stepSize=0.004), 400, 600000, 100),
    # Forces vanish on the initial lattice, so that the first step would be unlimited.
    "VariableLangevin, argon": (langevin("VariableLangevin", argon, errorTol=1e-3, maxStepSize=0.01), 400, 1500000, 250),
    "Brownian, argon": (langevin("Brownian", argon, stepSize=0.002, friction=100), 400, 6000000, 500),
    "NoseHoover, argon": (nose_hoover, 400, 600000, 100),
    "Verlet and Andersen, argon": (andersen, 400, 600000, 100)}

rows = {f"{name}, two temperatures": lambda name=name, case=case: constant_volume(name, *case) for name, case in CASES.items()}
for what, points in (("temperatures", ((300, 500), (360, 500))), ("pressures", ((300, 450), (300, 600)))):
    rows[f"LangevinMiddle and MonteCarloBarostat, argon, two {what}"] = (
        lambda what=what, points=points: constant_pressure(f"NPT {what}", points, 2000000, 250))
record.together(rows)
record.finish()
