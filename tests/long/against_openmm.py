# Random Systems of the reference data's generator, on Trotter's platforms and OpenMM's Reference.
# SPDX-License-Identifier: MIT
#
# against_openmm.py PROGRAM RESULTS DATA
import os
import subprocess
import sys

from record import Record

PLACES, COUNT, CHUNK = ("cpu:mixed", "cpu:double", "opencl:mixed", "opencl:double"), 3000, 300
record = Record("random")


def compare(place, first):
    platform, precision = place.split(":")
    done = subprocess.run([sys.executable, os.path.join(sys.argv[3], "random_systems.py"), "--program", sys.argv[1],
                           "--platform", platform, "--precision", precision, "--first", str(first), "--count", str(CHUNK)],
                          capture_output=True, text=True)
    lines = done.stdout.strip().splitlines() or [done.stderr.strip()[-300:]]
    return lines[-1].split(" (")[0], "0 disagree", done.returncode == 0, {"output": done.stdout}


record.together({f"{place}, Systems {first} to {first + CHUNK - 1}": lambda place=place, first=first: compare(place, first)
                 for first in range(0, COUNT, CHUNK) for place in PLACES})
record.finish()
