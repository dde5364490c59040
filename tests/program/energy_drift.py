# Energy conservation: the drift with its error, and the water box in which it is measured.
# SPDX-License-Identifier: MIT
import csv
import gzip
import itertools
import math
import random
import re
from pathlib import Path

GAS_CONSTANT = 8.31446261815324e-3  # [kJ/mol/K]
TIME, POTENTIAL, KINETIC, TOTAL, VOLUME = "Time (ps)", "Potential Energy (kJ/mole)", "Kinetic Energy (kJ/mole)", \
    "Total Energy (kJ/mole)", "Box Volume (nm^3)"

WATER = Path(__file__).resolve().parent.parent / "data" / "water-512"
WATER_DEGREES_OF_FREEDOM = 3 * 1536 - 1536


def water(mesh=None):
    """Options for 512 rigid waters. Their Ewald tolerance of 1e-6 asks for 107 points an axis, on which nearly all time
    would go by. With `mesh` points an axis alpha stays that of the tolerance, so that direct space ends as smoothly as
    there. The coarser mesh is less exact but conserves energy as well: its forces are the gradient of its energy."""
    system = WATER / "system.xml.gz"
    if mesh:
        text = gzip.decompress(system.read_bytes()).decode()
        cutoff, tolerance = (float(re.search(rf'{name}="([^"]*)"', text)[1]) for name in ("cutoff", "ewaldTolerance"))
        text = text.replace('<Force alpha="0"', f'<Force alpha="{math.sqrt(-math.log(2 * tolerance)) / cutoff}"')
        text = text.replace(' nx="0" ny="0" nz="0"', f' nx="{mesh}" ny="{mesh}" nz="{mesh}"')
        system = Path(f"water-{mesh}.xml").resolve()
        system.write_text(text)
    return ["--system", system, "--state", WATER / "state.xml.gz", "--integrator", WATER / "integrator.xml"]


def columns(log, *titles):
    """Columns of a log, as numbers."""
    with open(log, newline="") as file:
        rows = list(csv.reader(file))
    rows[0][0] = rows[0][0].lstrip("#").strip('"')
    places = [rows[0].index(title) for title in titles]
    return [[float(row[place]) for row in rows[1:]] for place in places]


def prefix_sums(values):
    return [0.0, *itertools.accumulate(values)]


class Line:
    """The least-squares line through values at equal distances in time."""

    def __init__(self, values):
        count = len(values)
        self.center = (count - 1) / 2
        self.square = count * (count * count - 1) / 12
        mean = sum(values) / count
        self.slope = sum((i - self.center) * (v - mean) for i, v in enumerate(values)) / self.square
        self.residuals = [v - mean - self.slope * (i - self.center) for i, v in enumerate(values)]


def bootstrapped_slope(values, blocks=20, repeats=400, seed=1):
    """The slope per sample and its standard error, from a bootstrap of the residuals in circular blocks (a twentieth of
    the window each, so that whatever is correlated over less stays together)."""
    line, choose = Line(values), random.Random(seed)
    count = len(values) // blocks * blocks
    length, ring = count // blocks, len(values)
    doubled = line.residuals + line.residuals[:length]
    sums, moments = prefix_sums(doubled), prefix_sums(i * r for i, r in enumerate(doubled))
    slopes = []
    for _ in range(repeats):
        total = 0.0
        for block in range(blocks):
            start = choose.randrange(ring)
            weight = sums[start + length] - sums[start]
            # sum of (position in the window - center) * residual over the block
            total += (block * length - start - line.center) * weight + moments[start + length] - moments[start]
        slopes.append(total / line.square)
    mean = sum(slopes) / repeats
    return line.slope, (sum((s - mean) ** 2 for s in slopes) / (repeats - 1)) ** 0.5


def slope_with_error(values):
    """As above; but an energy that walks at random is correlated over the whole window, and blocks do not see that.
    The slopes of the window's quarters do: where they scatter more than their errors allow, that gives the error."""
    slope, error = bootstrapped_slope(values)
    size = len(values) // 4
    quarters = [bootstrapped_slope(values[i * size:(i + 1) * size]) for i in range(4)]
    mean = sum(s for s, _ in quarters) / 4
    if sum((s - mean) ** 2 / e ** 2 for s, e in quarters) > 11.3:  # chi² of 3 degrees of freedom at p = 0.01
        error = max(error, (sum((s - mean) ** 2 for s, _ in quarters) / 3) ** 0.5 / 2)
    return slope, error


def drift(times, energies, degrees_of_freedom, temperature=300):
    """Slope and error in kT/ns for each degree of freedom, and the RMS fluctuation about the line [kJ/mol]."""
    slope, error = slope_with_error(energies)
    interval = (times[-1] - times[0]) / (len(times) - 1)
    unit = interval * 1e-3 * GAS_CONSTANT * temperature * degrees_of_freedom
    residuals = Line(energies).residuals
    return slope / unit, error / unit, (sum(r * r for r in residuals) / len(residuals)) ** 0.5
