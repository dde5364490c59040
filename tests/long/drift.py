# Energy conservation: 512 rigid waters with PME at 2 fs, in double and in mixed precision, on Cpu and devices.
# SPDX-License-Identifier: MIT
#
# drift.py PROGRAM RESULTS
#
# The run is extended until the standard error of the slope is below a third of the limit; only then is it reported.
import os
from functools import partial

from record import Record, devices

record = Record("drift")
KEPT = os.path.dirname(record.path)

from energy_drift import TIME, TOTAL, WATER_DEGREES_OF_FREEDOM, columns, drift, water
from harness import good

STEP = 0.002  # [ps]
SHORTEST, LONGEST, PIECE = 125, 4000, 125  # [ps]


def advance(output, mesh, platform, precision, picoseconds):
    steps = ["--steps", round(picoseconds / STEP)]
    if os.path.exists(os.path.join(output, "run.toml")):
        water(mesh)
        good("run", "--resume", *steps, "--output", output, timeout=None)
    else:
        good("run", *water(mesh), "--platform", platform, "--precision", precision, "--seed", 1, "--log-interval", 10,
             "--trajectory", "none", "--checkpoint-interval", 5000, *steps, "--output", output, timeout=None)


def measure(mesh, platform, precision, limit):
    where = "" if platform == "cpu" else f"-{platform}"
    output = os.path.join(KEPT, f"drift-{mesh or 'full'}-{precision}{where}")
    for window in range(SHORTEST, LONGEST + 1, PIECE):
        advance(output, mesh, platform, precision, window)
        times, energies = columns(os.path.join(output, "log.csv"), TIME, TOTAL)
        slope, error, fluctuation = drift(times, energies, WATER_DEGREES_OF_FREEDOM)
        print(f"     {precision}, {window} ps: ({slope:.1e} ± {error:.1e}) kT/ns/dof", flush=True)
        if error <= limit / 3:
            break
    else:
        return f"error {error:.1e} after {LONGEST} ps: no figure", f"{limit:g}", False
    return (f"({slope:.1e} ± {error:.1e}) kT/ns/dof over {times[-1] - times[0]:.0f} ps; "
            f"RMS fluctuation {fluctuation:.3f} kJ/mol", f"{limit:g}", abs(slope) <= limit)


os.makedirs(KEPT, exist_ok=True)
os.chdir(KEPT)  # the inputs have to be there when a run is resumed
measures = {}
for platform in ("cpu", *devices()):
    for mesh, name in ((48, "mesh of 48 points"), (None, "mesh of the tolerance")):
        for precision, limit in (("mixed", 5e-4), ("double", 1e-5)):
            where = "" if platform == "cpu" else f", {platform}"
            measures[f"512 rigid waters, PME, 2 fs, {name}, {precision}{where}"] = partial(measure, mesh, platform,
                                                                                         precision, limit)
record.plan(measures)
for name, work in measures.items():
    record.once(name, work)
record.finish()
