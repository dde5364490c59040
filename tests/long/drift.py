# How well energy is conserved: 512 rigid waters under PME at 2 fs, in double and in mixed precision.
# SPDX-License-Identifier: MIT
#
# drift.py PROGRAM RESULTS
#
# The window grows until one standard error of the slope is below a third of the limit; before, nothing is reported.
import os
from pathlib import Path

from record import Record

record = Record("drift")
KEPT = os.path.dirname(record.path)

from energy_drift import TIME, TOTAL, columns, drift
from harness import good, run

WATER = Path(__file__).resolve().parent.parent / "data" / "water-512"
DEGREES_OF_FREEDOM = 3 * 1536 - 1536
STEP = 0.002  # [ps]
SHORTEST, LONGEST, PIECE = 250, 4000, 250  # [ps]


def advance(output, precision, picoseconds):
    steps = ["--steps", round(picoseconds / STEP)]
    if os.path.exists(os.path.join(output, "run.toml")):
        result = run("run", "--resume", *steps, "--output", output, timeout=None)
        assert result.returncode == 0, result.stderr
        return
    good("run", "--system", WATER / "system.xml.gz", "--state", WATER / "state.xml.gz", "--integrator",
         WATER / "integrator.xml",
         "--platform", "cpu", "--precision", precision, "--seed", 1, "--log-interval", 10, "--trajectory", "none",
         "--checkpoint-interval", 5000, *steps, "--output", output, timeout=None)


def measure(precision, limit):
    output = os.path.join(KEPT, f"drift-{precision}")
    for window in range(SHORTEST, LONGEST + 1, PIECE):
        advance(output, precision, window)
        times, energies = columns(os.path.join(output, "log.csv"), TIME, TOTAL)
        slope, error, fluctuation = drift(times, energies, DEGREES_OF_FREEDOM)
        print(f"     {precision}, {window} ps: ({slope:.1e} ± {error:.1e}) kT/ns/dof", flush=True)
        if error <= limit / 3:
            break
    else:
        return f"error {error:.1e} after {LONGEST} ps: no figure", f"{limit:g}", False
    return (f"({slope:.1e} ± {error:.1e}) kT/ns/dof over {times[-1] - times[0]:.0f} ps; "
            f"RMS fluctuation {fluctuation:.3f} kJ/mol",
            f"{limit:g}", abs(slope) <= limit, {"slope": slope, "error": error})


for precision, limit in (("mixed", 5e-4), ("double", 1e-5)):
    record.once(f"512 rigid waters, PME, 2 fs, {precision}", lambda: measure(precision, limit))
record.finish()
