# Tests that tests/run.sh omits or shortens: fuzzing for minutes, typed Contexts under sanitizers, single precision on
# devices, headers of the backends alone.
# SPDX-License-Identifier: MIT
#
# suite.py PROGRAM RESULTS
import os
import subprocess
from functools import partial
from pathlib import Path

from record import Record

ROOT = Path(__file__).resolve().parent.parent.parent
record = Record("suite")


def status_of(*command, **environment):
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment})
    return f"status {done.returncode}", "0", done.returncode == 0


def sanitized(test):
    subprocess.run(["cmake", "--preset", "asan-ubsan"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build/asan-ubsan", "--target", test], cwd=ROOT, check=True)
    return status_of(f"build/asan-ubsan/tests/{test}")


def single_precision_on_devices(test, *cases, **environment):
    subprocess.run(["cmake", "--preset", "release", "-DTROTTER_BUILD_TESTS=ON", "-DTROTTER_OPENCL=ON"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build/release", "--target", test], cwd=ROOT, check=True)
    return status_of(f"build/release/tests/{test}", *cases, **environment)


def backend_headers_alone():
    subprocess.run(["cmake", "-S", ".", "-B", "build/headers", "-G", "Ninja", "-DTROTTER_BUILD_TESTS=ON",
                    "-DTROTTER_HEADER_SETS=backends"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return status_of("cmake", "--build", "build/headers", "--target", "trotter_core_verify_interface_header_sets")


measures = {"tests/run.sh fuzz, 10 minutes each": lambda: status_of("tests/run.sh", "fuzz", TROTTER_FUZZ_SECONDS="600"),
            **{f"{test} with ASan and UBSan": partial(sanitized, test) for test in ("test_user_forces", "test_core")},
            "forces on OpenCL in single precision":
                partial(single_precision_on_devices, "test_forces", "[devices]~[slow]", TROTTER_TEST_PLATFORMS="opencl:single",
                        POCL_EXTRA_BUILD_FLAGS="-cl-opt-disable"),
            **{f"{test} on OpenCL in single precision": partial(single_precision_on_devices, test, "*TestedBackends - 0")
               for test in ("test_device", "test_extensions")},
            "headers of the backends, each alone": backend_headers_alone}
record.plan(measures)
for name, work in measures.items():
    record.once(name, work)
record.finish()
