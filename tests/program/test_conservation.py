# Energy is conserved: 512 rigid waters under PME at 2 fs without a thermostat.
# SPDX-License-Identifier: MIT
import time
from pathlib import Path

WATER = Path(__file__).resolve().parent.parent / "data" / "water-512"

from harness import *
from energy_drift import TIME, TOTAL, columns, drift

STEPS = 30000  # 60 ps: the slope's error falls as window^1.5 and is a third of the limit only from about here on
LIMIT = 1e-3   # [kT/ns/degree of freedom]; tests/long.sh measures over 1 ns and holds the stricter limits


def test_energy_does_not_drift():
    begin = time.time()
    good("run", "--system", WATER / "system.xml.gz", "--state", WATER / "state.xml.gz", "--integrator",
         WATER / "integrator.xml",
         "--platform", "cpu", "--precision", "mixed", "--steps", STEPS, "--log-interval", 10, "--trajectory", "none",
         "--checkpoint-interval", 0, "--output", "water")
    times, energies = columns("water/log.csv", TIME, TOTAL)
    slope, error, fluctuation = drift(times, energies, 3 * 1536 - 1536)
    print(f"{times[-1] - times[0]:.0f} ps, mixed: ({slope:.1e} ± {error:.1e}) kT/ns/degree of freedom, "
          f"limit {LIMIT:g}; RMS fluctuation {fluctuation:.2f} kJ/mol; {time.time() - begin:.0f} s")
    assert abs(slope) <= LIMIT, "energy drifts"
    assert error <= LIMIT / 2, "the window is too short to say so"


all_tests(globals())
