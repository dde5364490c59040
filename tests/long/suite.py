# What tests/run.sh leaves out or does in short: fuzzing for minutes, forces of users under sanitizers.
# SPDX-License-Identifier: MIT
#
# suite.py PROGRAM RESULTS
import os
import subprocess
from pathlib import Path

from record import Record

ROOT = Path(__file__).resolve().parent.parent.parent
record = Record("suite")


def status_of(*command, **environment):
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment})
    return f"status {done.returncode}", "0", done.returncode == 0


def sanitized_user_forces():
    subprocess.run(["cmake", "--preset", "asan-ubsan"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build/asan-ubsan", "--target", "test_user_forces"], cwd=ROOT, check=True)
    return status_of("build/asan-ubsan/tests/test_user_forces")


measures = {"tests/run.sh fuzz, 10 minutes each": lambda: status_of("tests/run.sh", "fuzz", TROTTER_FUZZ_SECONDS="600"),
            "test_user_forces with ASan and UBSan": sanitized_user_forces}
record.plan(measures)
for name, work in measures.items():
    record.once(name, work)
record.finish()
