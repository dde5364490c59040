# All cases of the reference data and all conformance entries.
# SPDX-License-Identifier: MIT
#
# cases.py PROGRAM RESULTS DATA
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from record import Record, devices

record = Record("cases")
COMPARE = Path(__file__).resolve().parent.parent / "compare.sh"


def measure(*places):
    kept = os.path.join(os.path.dirname(record.path), "-".join(("cases", *places)).replace(":", "-") + ".txt")
    with open(kept, "w") as out:
        done = subprocess.run([COMPARE, "--program", sys.argv[1], "--data", sys.argv[3],
                               *(("--places", " ".join(places)) if places else ())], stdout=out,
                              stderr=subprocess.STDOUT)
    with open(kept) as file:
        lines = [line.strip() for line in file]
    totals = [line for line in lines if line.startswith(("CONFORMANCE", "COMPARED"))]
    return "; ".join(totals) or f"status {done.returncode}", "all", done.returncode == 0


measures = {"tests/compare.sh": measure}
for platform in devices():
    for precision in ("double", "mixed", "single"):
        place = f"{platform}:{precision}"
        measures[f"tests/compare.sh --places {place}"] = partial(measure, place)
record.plan(measures)
for name, work in measures.items():
    record.once(name, work)
record.finish()
