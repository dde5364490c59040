# Energy is conserved: 512 rigid waters under PME at 2 fs without a thermostat.
# SPDX-License-Identifier: MIT
import time

from harness import *
from energy_drift import TIME, TOTAL, WATER_DEGREES_OF_FREEDOM, columns, drift, water

STEPS = 23000  # 46 ps: the slope's error falls as window^1.5, to below a third of the limit here
MESH = 40      # instead of 107 points an axis, or a minute would not be enough
LIMIT = 1e-3   # [kT/ns/degree of freedom]; tests/long.sh measures over 1 ns and holds the stricter limits


def test_energy_does_not_drift():
    begin = time.time()
    good("run", *water(MESH), "--platform", "cpu", "--precision", "mixed", "--steps", STEPS, "--log-interval", 10,
         "--trajectory", "none", "--checkpoint-interval", 0, "--output", "water", timeout=1000)
    times, energies = columns("water/log.csv", TIME, TOTAL)
    slope, error, fluctuation = drift(times, energies, WATER_DEGREES_OF_FREEDOM)
    print(f"{times[-1] - times[0]:.0f} ps, mixed: ({slope:.1e} ± {error:.1e}) kT/ns/degree of freedom, "
          f"limit {LIMIT:g}; RMS fluctuation {fluctuation:.2f} kJ/mol; {time.time() - begin:.0f} s")
    assert abs(slope) <= LIMIT, "energy drifts"
    assert error <= LIMIT / 3, "the window is too short to say so"


all_tests(globals())
