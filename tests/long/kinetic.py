# Tests the distribution of kinetic energies at the thermostat's temperature, and that wrong ones are detected.
# SPDX-License-Identifier: MIT
#
# kinetic.py PROGRAM RESULTS
#
# Brownian dynamics is omitted: its velocities are displacements per step and have no temperature. Its energies are
# tested in pairs.py.
from record import Record

record = Record("kinetic energies")

from energy_drift import KINETIC
from sampling import holm, inefficiency, kinetic_energies, series, stored_velocities, strict_test, uncorrelated
from small_systems import argon, chains, integrator, remover, thermostat, water

TEMPERATURE = 300


def models(size=1):
    """Name: (model, step size [ps]); about a hundred degrees of freedom in each of `size` equal groups of molecules."""
    return {"argon": (argon(27 * size, cutoff=0.6 if size == 1 else 1.0), 0.004),
            "flexible molecules": (chains(10 * size, 1.4 * size ** (1 / 3)), 0.001),
            "constrained molecules": (chains(12 * size, 1.5 * size ** (1 / 3), constrained=True), 0.0005),
            "rigid water": (water(18 * size, cutoff=0.4 if size == 1 else 0.7), 0.0005)}


def from_log(kind, model, step_size, frames=17000, interval=25, **more):
    """Samples from the log, whose kinetic energy is that of the velocities as they are for these integrators."""
    def sample(name):
        motion = integrator(kind, stepSize=step_size, **more)
        return uncorrelated(series(name, model, motion, frames * interval, interval, KINETIC)[0])
    return sample, model.degrees_of_freedom()


def from_states(kind, model, step_size, groups, frames=1500, picoseconds=0.2, steps=None, **more):
    """Samples from half-step velocities of parts of a System, which are independent of each other."""
    def sample(name):
        motion = integrator(kind, **({} if kind.startswith("Variable") else {"stepSize": step_size}), **more)
        velocities = stored_velocities(name, model, motion, frames, steps or round(picoseconds / step_size))
        parts = kinetic_energies(model, velocities, groups)
        stride = max(1, round(max(inefficiency(part) for part in parts.T)))
        return parts[::stride].ravel()
    return sample, model.degrees_of_freedom() / groups


def cases():
    result = {}
    for name, (model, step_size) in models().items():
        # The last noise of a step has components along the constraints: at the end of the step (1 - exp(-2 friction
        # step))/4 of kT/2 remains in each of them, which is 1 % of the temperature at 20/ps and 2 fs.
        friction, interval = (5, 200) if model.constraints else (20, 25)
        for kind in ("LangevinMiddle", "Langevin"):
            result[f"{kind}, {name}"] = from_log(kind, model, step_size, interval=interval, friction=friction, randomSeed=0)
    for name, (model, step_size) in models().items():
        model.extra.append(remover())
        sample, degrees = from_log("NoseHoover", model, step_size, interval=100, collisionFrequency=25)
        result[f"NoseHoover, {name}"] = sample, degrees - 3
    groups = 10
    for name, (model, step_size) in models(groups).items():
        # With constraints its steps are as short as the others', for the same reason.
        limits = {"friction": 5, "maxStepSize": step_size} if model.constraints else {"friction": 20}
        result[f"VariableLangevin, {name}"] = from_states("VariableLangevin", model, step_size, groups, steps=250,
                                                          errorTol=1e-3, randomSeed=0, **limits)
    for name, (model, step_size) in models(groups).items():
        model.extra.append(thermostat(TEMPERATURE, 20, seed=0))
        result[f"Verlet and Andersen, {name}, half-step velocities"] = from_states("Verlet", model, step_size, groups)
    return result


def measure(name, sample, degrees):
    kinetic = sample(name)
    p, hot, more = (strict_test(kinetic, *point) for point in
                    ((TEMPERATURE, degrees), (TEMPERATURE * 1.01, degrees), (TEMPERATURE, degrees + 1)))
    mean = 2 * kinetic.mean() / (degrees * 0.00831446261815324)
    return (f"p = {p:.2g}, {len(kinetic)} samples, {mean:.1f} K; with 1 % more temperature p = {hot:.1g}, "
            f"with one more degree of freedom p = {more:.1g}", ">= 2000 samples", len(kinetic) >= 2000,
            {"p": p, "hot": hot, "more": more})


def injected(name, **wrong):
    """A fault in the simulation itself; the test does not know of it."""
    model, step_size = models()["constrained molecules"]
    degrees = model.degrees_of_freedom()
    if wrong.pop("constraint", False):
        model.constraints.append((0, 2, 0.24))
        model.angles = [angle for angle in model.angles if set(angle[:3]) != {0, 1, 2}]
    # Twice as many samples: one degree of freedom in 108 shifts the mean by 0.07 standard deviations.
    sample, _ = from_log("LangevinMiddle", model, step_size, frames=34000, interval=200, friction=5, randomSeed=0, **wrong)
    p = strict_test(sample(name), TEMPERATURE, degrees)
    return f"p = {p:.1g}", "caught: p < 5e-4", p < 5e-4


ALL = "all, strict test after Holm's correction"
ASSUMED = {"1 % in temperature assumed in the test": "hot", "one missing degree of freedom assumed in the test": "more"}
INJECTED = {"1 % in temperature injected": lambda: injected("hot", temperature=303),
            "one constraint more injected": lambda: injected("stiff", constraint=True)}
record.plan([ALL, *ASSUMED, *INJECTED])
rows = record.together({name: lambda name=name, case=case: measure(name, *case) for name, case in cases().items()})
p_values = holm([row["data"]["p"] for row in rows])
smallest = min(p_values)
record.once(ALL, lambda: (f"smallest p = {smallest:.2g} of {len(rows)}", "> 0.01", smallest > 0.01))
for fault, key in ASSUMED.items():
    caught = sum(p <= 0.01 for p in holm([row["data"][key] for row in rows]))
    record.once(fault, lambda: (f"caught in {caught} of {len(rows)}", "all", caught == len(rows)))
record.together(INJECTED)
record.finish()
