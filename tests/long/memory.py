# Peak memory of simulations: DHFR, and DHFR replicated to 1.1 million atoms.
# SPDX-License-Identifier: MIT
#
# memory.py PROGRAM RESULTS
import os
from pathlib import Path

from record import Record

record = Record("memory")
KEPT = os.path.dirname(record.path)

from harness import PROGRAM
from replicate import replicate
from small_systems import options

DHFR = Path(__file__).resolve().parent.parent.parent / "examples" / "dhfr"


def peak(arguments):
    """Largest resident set [MB] of the program; the kernel counts it in KiB."""
    process = os.posix_spawn(PROGRAM, [PROGRAM, *map(str, arguments)], os.environ,
                             file_actions=[(os.POSIX_SPAWN_OPEN, 2, "error.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
                                            0o644),
                                           (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(process, 0)
    with open("error.txt") as file:
        assert os.waitstatus_to_exitcode(status) == 0, file.read()
    return usage.ru_maxrss * 1024e-6


def measure(folder, limit, steps, precision):
    used = peak(["run", *options(str(folder)), "--platform", "cpu", "--precision", precision, "--steps", steps,
                 "--log-interval", 10,
                 "--trajectory-interval", steps, "--checkpoint-interval", steps // 2, "--output", "run", "--overwrite"])
    return f"{used:.0f} MB in {steps} steps with frames and checkpoints", f"{limit} MB", used <= limit


def million(precision):
    folder = os.path.join(KEPT, "dhfr-48")
    if not os.path.exists(os.path.join(folder, "integrator.xml")):
        replicate(str(DHFR), folder, (4, 4, 3))
    return measure(folder, 4000, 20, precision)


for precision in ("mixed", "double"):
    record.once(f"DHFR, 23,558 atoms, {precision}", lambda: measure(DHFR, 150, 100, precision))
for precision in ("mixed", "double"):
    record.once(f"DHFR 48 times, 1,130,784 atoms, {precision}", lambda: million(precision))
record.finish()
