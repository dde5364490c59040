# Samples ensembles by runs of the program, and tests their distributions.
# SPDX-License-Identifier: MIT
import json
import math
import os
import shutil
import warnings
import zlib

import numpy as np

warnings.filterwarnings("ignore")

import physical_validation as pv
from pymbar import timeseries

from energy_drift import columns
from harness import good
from small_systems import GAS_CONSTANT, write

UNITS = pv.data.UnitData(kb=GAS_CONSTANT, energy_conversion=1.0, length_conversion=1.0, volume_conversion=1.0,
                         temperature_conversion=1.0, pressure_conversion=1.0, time_conversion=1.0, energy_str="kJ/mol",
                         length_str="nm", volume_str="nm^3", temperature_str="K", pressure_str="bar", time_str="ps")


HOW = ["--platform", "cpu", "--precision", "double", "--threads", 1]
NOTHING_ELSE = ["--trajectory", "none", "--checkpoint-interval", 0]


def seed_of(name):
    """Fixed, but not the same noise for all."""
    return zlib.crc32(name.encode()) % 1000000 + 1


def series(name, model, motion, steps, interval, *titles, relax=True):
    """Columns of the log of one run; the first tenth, in which it comes to equilibrium, is left out."""
    folder = name.replace(", ", "-").replace(" ", "-")
    files = write(folder, model, motion)
    good("run", *files, *HOW, "--seed", seed_of(name), "--temperature", 300, *(["--minimize"] if relax else []),
         "--steps", steps, "--log-interval", interval, *NOTHING_ELSE, "--output", folder + "/run", timeout=None)
    result = [np.array(column)[steps // interval // 10:] for column in columns(folder + "/run/log.csv", *titles)]
    shutil.rmtree(folder)
    return result


def stored_velocities(name, model, motion, frames, interval):
    """Velocities as a State holds them, which are those that a leapfrog's thermostat acts on: `frames` times `interval`
    steps, each with noise of its own; shape (frames, particles, 3)."""
    folder = name.replace(", ", "-").replace(" ", "-")
    files = write(folder, model, motion)
    seed = seed_of(name)
    good("run", *files, *HOW, "--seed", seed, "--temperature", 300, "--minimize", "--steps", 5000,
         "--log-interval", 0, *NOTHING_ELSE, "--output", folder + "/start")
    state, result = folder + "/start/final-state.xml.gz", []
    for frame in range(frames):
        good("step", *files[:2], "--state", state, *files[4:6], *HOW, "--seed", seed + frame + 1, "--steps", interval,
             "--out-state", folder + "/state.xml", "--inline", "--json", folder + "/out.json")
        state = folder + "/state.xml"
        with open(folder + "/out.json") as file:
            result.append(json.load(file)["velocities"])
    shutil.rmtree(folder)
    return np.array(result)


def kinetic_energies(model, velocities, groups):
    """Kinetic energies of `groups` equal parts of the particles, shape (frames, groups)."""
    energy = 0.5 * (np.array(model.masses)[None, :, None] * velocities ** 2).sum(axis=2)
    return energy.reshape(len(velocities), groups, -1).sum(axis=2)


def inefficiency(values):
    return max(1.0, timeseries.statistical_inefficiency(np.asarray(values)))


def uncorrelated(values, *companions):
    """Every g-th sample, g the statistical inefficiency; of the companions the same ones."""
    stride = math.ceil(inefficiency(values) - 0.2)
    chosen = [np.asarray(v)[::stride] for v in (values, *companions)]
    return chosen if companions else chosen[0]


def mean_with_error(values):
    return values.mean(), values.std(ddof=1) * math.sqrt(inefficiency(values) / len(values))


def strict_test(kinetic, temperature, degrees_of_freedom):
    """The p value of the Kolmogorov-Smirnov test of physical-validation, for uncorrelated samples."""
    count = math.ceil(degrees_of_freedom / 3)
    system = pv.data.SystemData(natoms=count, nconstraints=3 * count - degrees_of_freedom, ndof_reduction_tra=0,
                                ndof_reduction_rot=0, mass=np.ones(count), molecule_idx=np.arange(count),
                                nconstraints_per_molecule=np.zeros(count))
    ensemble = pv.data.EnsembleData(ensemble="NVT", natoms=count, volume=1.0, temperature=temperature)
    observables = pv.data.ObservableData(kinetic_energy=kinetic)
    data = pv.data.SimulationData(units=UNITS, ensemble=ensemble, system=system, observables=observables)
    return float(pv.kinetic_energy.distribution(data, strict=True, verbosity=0, data_is_uncorrelated=True))


def deviation(first, second, ensembles):
    """How many standard errors physical-validation finds between the ratio of two distributions and theory; `first` and
    `second` are observables by name, uncorrelated."""
    data = [pv.data.SimulationData(units=UNITS, ensemble=pv.data.EnsembleData(natoms=1, **e),
                                   observables=pv.data.ObservableData(**values))
            for e, values in zip(ensembles, (first, second))]
    return max(abs(x) for x in pv.ensemble.check(*data, verbosity=0, data_is_uncorrelated=True, bootstrap_seed=1))


def slope(first, second):
    """The s of ln p2(x)/p1(x) = c + s x of greatest likelihood and its standard error (M. R. Shirts, J. Chem. Theory
    Comput. 9, 909 (2013)), by Newton's method on the logistic regression of which set a sample belongs to."""
    x = np.concatenate([first, second])
    center, scale = x.mean(), x.std()
    design = np.stack([np.ones_like(x), (x - center) / scale], axis=1)
    belongs = np.concatenate([np.zeros(len(first)), np.ones(len(second))])
    coefficients = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ coefficients))
        information = design.T @ (design * (p * (1 - p))[:, None])
        change = np.linalg.solve(information, design.T @ (belongs - p))
        coefficients += change
        if abs(change).max() < 1e-12:
            break
    return coefficients[1] / scale, math.sqrt(np.linalg.inv(information)[1, 1]) / scale


def holm(p_values):
    """p values after Holm's correction, in the order given."""
    order, worst, result = sorted(range(len(p_values)), key=p_values.__getitem__), 0.0, [0.0] * len(p_values)
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[place]))
        result[place] = worst
    return result
