# Random formulas, and random Systems of several forces, against OpenMM.
# SPDX-License-Identifier: MIT
#
# formulas.py PROGRAM RESULTS
#
# The test programs of the same build are next to the program.
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from record import Record, devices

record = Record("formulas")
TESTS = Path(__file__).resolve().parent.parent
PROGRAM, EVALUATE = sys.argv[1], os.path.join(os.path.dirname(sys.argv[1]), "tests", "trotter_evaluate")
PYTHON = os.environ.get("TROTTER_PYTHON", sys.executable)


def measure(script, *arguments):
    done = subprocess.run([PYTHON, TESTS / script, *arguments], capture_output=True, text=True)
    kept = os.path.join(os.path.dirname(record.path), "-".join(("formulas", Path(script).stem, *arguments[1:])) + ".txt")
    with open(kept, "w") as out:
        out.write(done.stdout + done.stderr)
    lines = [line.strip() for line in done.stdout.splitlines() if line.startswith(("    ", "AGREE"))]
    return "; ".join(lines) or f"status {done.returncode}", "all agree", done.returncode == 0


measures = {"100,000 formulas": partial(measure, "expression/openmm/compare.py", EVALUATE, "--count", "100000")}
for platform in ("reference", "cpu", *devices()):
    measures[f"300 Systems on {platform}"] = partial(measure, "long/random_systems.py", PROGRAM, "--platform", platform)
record.plan(measures)
for name, work in measures.items():
    record.once(name, work)
record.finish()
