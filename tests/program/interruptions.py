# Simulations that are stopped or killed and resumed: with every integrator, thermostat and barostat, on small systems.
# SPDX-License-Identifier: MIT
import csv
import gzip
import os
import random
import shutil
import subprocess
import time

from harness import PROGRAM, good, read
from small_systems import argon, barostat, chains, integrator, remover, subsystem_chains, thermostat, water, write

INTERVALS = ["--log-interval", 7, "--trajectory-interval", 10, "--checkpoint-interval", 15]
PLATFORM = os.environ.get("TROTTER_TEST_PLATFORM", "cpu")
BAROSTATS = {"barostat": "", "anisotropic barostat": "Anisotropic", "membrane barostat": "Membrane",
             "flexible barostat": "Flexible"}


def with_forces(model, *forces):
    model.extra += forces
    return model


def models():
    """Name: (model, integrator): each integrator, thermostat and barostat at least once."""
    middle = integrator("LangevinMiddle")
    result = {f"LangevinMiddle, {name}": (with_forces(argon(), barostat(kind), remover(3)), middle)
              for name, kind in BAROSTATS.items()}
    result["LangevinMiddle, rigid water"] = water(), middle
    stiff = chains(27, 1.9, constrained=True)
    result["LangevinMiddle, barostat, constraints"] = with_forces(stiff, barostat("")), middle
    for kind in ("Verlet", "Langevin", "Brownian", "VariableVerlet", "VariableLangevin", "NoseHoover", "Compound"):
        more = {"friction": 100, "stepSize": 0.0002} if kind == "Brownian" else {}
        result[kind] = chains(), integrator(kind, **more)
    pairs = [(i, i + 1) for i in range(8, 40, 2)]
    result["NoseHoover, particles and pairs"] = chains(), subsystem_chains(range(8), pairs)
    stiff, collisions = chains(constrained=True), thermostat(frequency=20)
    result["Verlet, Andersen"] = with_forces(stiff, collisions), integrator("Verlet")
    fluid = with_forces(argon(), collisions, barostat(""))
    # The first step would be unlimited, since forces vanish on a lattice.
    result["VariableVerlet, Andersen, barostat"] = fluid, integrator("VariableVerlet", maxStepSize=0.01)
    liquid = with_forces(water(125, cutoff=0.7), barostat("", pressure=1))
    result["NoseHoover, barostat, rigid water"] = liquid, integrator("NoseHoover")
    return result


def prepare(name, model, motion):
    """Options for a model, its energy low and its molecules moving."""
    folder = name.replace(", ", "-").replace(" ", "-")
    files = write(folder, model, motion)
    relaxed = os.path.join(folder, "relaxed.xml.gz")
    result = os.path.join(folder, "minimize.json")
    good("minimize", *files[:4], "--tolerance", 50, "--out-state", relaxed, "--json", result)
    files[3] = relaxed
    return folder, [*files, "--platform", PLATFORM, "--temperature", 300, "--seed", 3, "--threads", 1]


def left_behind(folder, trajectory="trajectory.dcd"):
    """Everything that a run computed: the final State, the frames, and the log but for its shares of a length that the
    pieces of a run state differently (first column) and its columns of wall time (the last two)."""
    with open(os.path.join(folder, "log.csv"), newline="") as file:
        log = [row[1:-2] for row in csv.reader(file)]
    return {"final State": gzip.decompress(read(os.path.join(folder, "final-state.xml.gz"))),
            "trajectory": read(os.path.join(folder, trajectory)), "log": log}


def compare(name, whole, resumed):
    expected, got = left_behind(whole), left_behind(resumed)
    for part in expected:
        assert expected[part] == got[part], f"{name}: the {part} of the resumed run differs"


def uninterrupted(folder, options, steps):
    whole = os.path.join(folder, "whole")
    good("run", *options, *INTERVALS, "--steps", steps, "--output", whole)
    return whole


def stop_and_resume(name, folder, options, whole, stops, steps):
    """The run in pieces that end at the steps of `stops` has the bits of the whole one."""
    pieces = os.path.join(folder, "pieces")
    good("run", *options, *INTERVALS, "--steps", stops[0], "--output", pieces)
    for end in (*stops[1:], steps):
        good("run", "--resume", "--steps", end, "--output", pieces)
    compare(f"{name}, stopped at {stops}", whole, pieces)
    shutil.rmtree(pieces)


def kill_and_resume(name, folder, options, whole, steps, longest, choose, limit=1 << 30):
    """Kills a run again and again, each time after a random part of `longest` seconds, until it has come to its end or
    was killed `limit` times (then it is let go to the end); its bits are those of the whole run. Answers the kills."""
    output, kills = os.path.join(folder, "killed"), 0
    while True:
        how = ["--resume"] if os.path.exists(os.path.join(output, "run.toml")) else [*options, *INTERVALS, "--steps",
                                                                                     steps, "--overwrite"]
        process = subprocess.Popen([PROGRAM, "run", *map(str, how), "--output", output], stderr=subprocess.PIPE,
                                   text=True)
        if kills < limit:
            time.sleep(choose.uniform(0, longest))
            process.kill()
        _, message = process.communicate(timeout=600)
        if process.returncode == 0:
            break
        assert process.returncode == -9, f"{name}, after {kills} kills: status {process.returncode}: {message}"
        kills += 1
    compare(f"{name}, killed {kills} times", whole, output)
    shutil.rmtree(output)
    return kills


def timed(function, *arguments):
    begin = time.time()
    result = function(*arguments)
    return result, time.time() - begin


def generator(seed):
    return random.Random(seed)
