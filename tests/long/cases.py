# Every case of the reference data and every conformance entry, without leaving any out.
# SPDX-License-Identifier: MIT
#
# cases.py PROGRAM RESULTS DATA
import os
import subprocess
import sys
from pathlib import Path

from record import Record

record = Record("cases")
COMPARE = Path(__file__).resolve().parent.parent / "compare.sh"


def measure():
    kept = os.path.join(os.path.dirname(record.path), "cases.txt")
    with open(kept, "w") as out:
        done = subprocess.run([COMPARE, "--program", sys.argv[1], "--data", sys.argv[3]], stdout=out,
                              stderr=subprocess.STDOUT)
    with open(kept) as file:
        lines = [line.strip() for line in file]
    totals = [line for line in lines if line.startswith(("CONFORMANCE", "COMPARED"))]
    return "; ".join(totals) or f"status {done.returncode}", "all", done.returncode == 0


record.once("tests/compare.sh", measure)
record.finish()
