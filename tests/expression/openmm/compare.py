#!/usr/bin/env python3
"""Random formulas of the whole language: values and derivatives by Trotter and by OpenMM's Reference platform.

compare.py PROGRAM [--count 2000] [--first 0] [--places scalar simd opencl] [--device-share 20]

A formula is made from its number alone: every operator and function, powers with integers, fractions and expressions, numbers
in every spelling, names defined behind semicolons, and more parentheses and spaces than it takes. Some are undefined where they
are evaluated. OpenMM evaluates it as the energy of a particle of a CustomExternalForce. Both are compared with each other within
1e-10 of the largest magnitude that occurs on the way; where one is NaN or infinite, so must be the other. But where OpenMM's
slope is NaN, Trotter's may be a number: it simplifies more, and what min, max and select do not take has no slope in it, where
OpenMM multiplies 0 by the rest. These are counted. Slopes are not compared where the value is infinite or NaN: whether products of
what overflows with 0 are NaN depends on their order. Nor is the sign of an infinity, which hangs on the sign of a 0.

A formula is left out and counted where it says nothing: where OpenMM's simplified formula differs from the literal one by more
than that, or the literal one from itself with every operation off by a few units in the last place (beside a jump, or where
much cancels), where it asks for 0/0 or 0 times infinity, out of which Trotter cancels common factors, or where OpenMM comes to
no end simplifying it. At most 1 in 100 may be. None is made of which a part is NaN or infinite wherever it is evaluated: such
constants are what OpenMM comes to no end with.

Devices, which sum forces in units of 2^-32 kJ/mol/nm and have none that are infinite, are given a share of the formulas, of
those that are finite and smaller than 1e4; four such units more are theirs.

Exit status: 0 if all agree, 77 if OpenMM is not installed.
"""
# SPDX-License-Identifier: MIT
import argparse
import collections
import math
import multiprocessing
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from other_python import require

require("numpy", "openmm")
import numpy as np
import openmm as mm

TOLERANCE = 1e-10
AXES = "xyz"
ONE = ["sqrt", "exp", "log", "sin", "cos", "sec", "csc", "tan", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh", "erf", "erfc",
       "step", "delta", "square", "cube", "recip", "abs", "floor", "ceil"]
TWO = ["atan2", "min", "max"]
FRACTIONS = ["0.5", "1.5", "2.5", ".25", "3.7", "0.3333333333333333"]
OPERATORS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}  # how strongly each binds; a sign: 3
EXACT = ["+", "-", "*", "negate", "min", "max", "step", "delta", "square", "cube", "abs", "floor", "ceil", "select"]
IS_SLOPE = np.array([False, True, True, True])
PER_CONTEXT, AT_ONCE = 32, 512


class Formula:
    """A tree of (what, operands…) with its text, made from a number."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.at = [self.random.choice([-1, 0, 0.5, 1, 2]) if self.random.random() < 0.02 else
                   self.random.uniform(-2, 2) if self.random.random() < 0.4 else self.random.uniform(0, 2) for _ in AXES]
        self.elsewhere = [[self.random.uniform(-3, 3) for _ in AXES] for _ in range(5)]
        self.literal = None
        while self.literal is None or self.literal.is_never_defined:
            self.tree = self.make(self.random.randint(1, 5))
            self.literal = Literal(self, number)
        self.definitions = []
        main = self.text(self.tree)[0]
        # Definitions may use later ones.
        self.text = main + "".join(f"; {name} = {text}" for name, text in reversed(self.definitions))

    def make(self, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.07:
            return self.leaf()
        if pick < 0.5:
            return self.operation(depth) if pick < 0.42 else self.power(depth)
        if pick < 0.56:
            return ("negate", self.make(depth - 1))
        if pick < 0.62:
            return ("select", self.condition(depth - 1), self.make(depth - 1), self.make(depth - 1))
        if pick < 0.7:
            return (self.random.choice(TWO), self.make(depth - 1), self.make(depth - 1))
        name = self.random.choice(ONE)
        operand = self.positive(self.make(depth - 1)) if name in ("sqrt", "log") else self.make(depth - 1)
        if name in ("asin", "acos") and self.random.random() < 0.85:
            operand = ("sin", operand)
        if name in ("exp", "sinh", "cosh", "cube") and self.random.random() < 0.8:  # or all becomes huge
            operand = ("*", ("number", self.random.choice(["0.1", ".25", "1e-2"])), operand)
        return (name, operand)

    def operation(self, depth):
        what, left, right = self.random.choice("+-*/+-*/^"), self.make(depth - 1), self.make(depth - 1)
        return (what, self.positive(left) if what == "^" else left, right)

    def positive(self, node):
        """Mostly: a power of what is negative is often no number, and little can be said of what depends on it."""
        return ("+", ("number", "0.25"), ("abs", node)) if self.random.random() < 0.95 else node

    def power(self, depth):
        kind = self.random.random()
        exponent = str(self.random.randint(0, 13)) if kind < 0.6 else self.random.choice(FRACTIONS)
        base = self.make(depth - 1) if kind < 0.6 else self.positive(self.make(depth - 1))
        exponent = ("number", exponent)
        return ("^", base, ("negate", exponent) if self.random.random() < 0.3 else exponent)

    def condition(self, depth):
        return self.random.choice([lambda: ("step", self.make(depth)), lambda: ("delta", ("floor", self.make(depth))),
                                   lambda: self.make(depth)])() if depth > 0 else self.leaf()

    def leaf(self):
        if self.random.random() < 0.65:
            return ("variable", self.random.randrange(3))
        return ("number", self.random.choice(["0", "1", "2", "3", "0.5", "1.0", "2.5e-1", ".75", "1E1", "3.", "12e-1",
                                              repr(round(self.random.uniform(0, 4), self.random.randint(1, 15)))]))

    def text(self, node):
        """The text, and how strongly its last operation binds."""
        what = node[0]
        if what == "variable":
            text, strength = AXES[node[1]], 9
        elif what == "number":
            text, strength = node[1], 9
        elif what == "negate":
            text, strength = "-" + self.wrapped(node[1], 4), 3
        elif what in OPERATORS:
            strength = OPERATORS[what]
            # - and / are left-associative, ^ is right-associative.
            left = self.wrapped(node[1], strength + (what == "^"))
            right = self.wrapped(node[2], strength + (what != "^"))
            space = self.random.choice(["", "", " "])
            text = left + space + what + space + right
        else:
            text, strength = what + "(" + self.random.choice([",", ", "]).join(self.text(a)[0] for a in node[1:]) + ")", 9
        if strength < 9 and len(self.definitions) < 4 and self.random.random() < 0.08:
            name = "part" + str(len(self.definitions))
            self.definitions.append((name, text))
            return name, 9
        if self.random.random() < 0.1:
            return "(" + text + ")", 9
        return text, strength

    def wrapped(self, node, least):
        text, strength = self.text(node)
        return text if strength >= least else "(" + text + ")"


class Literal:
    """The tree's value as it stands and the derivatives by OpenMM's rules: in lane 0; in the next three lanes every operation is
    off; the others are elsewhere."""

    HERE = 4

    def __init__(self, formula, number):
        self.places = np.array([formula.at] * self.HERE + formula.elsewhere).T
        self.LANES = self.places.shape[1]
        self.scale, self.is_never_defined, self.cancels = 0.0, False, False
        noise = np.random.RandomState(number % 2**32)
        self.noise, self.used = 1 + noise.choice([-1, 1], (64, self.LANES)) * 2.0**-50, 0
        self.noise[:, 0] = 1
        value, slopes = self.of(formula.tree)
        self.numbers = np.array([value] + [np.zeros(self.LANES) if s is None else s for s in slopes])[:, :self.HERE]

    def off(self, value, what=None):
        self.used += 1
        noisy = value * self.noise[self.used % 64]
        # Numbers with few binary digits are exact, and so are sums of them.
        value = np.where(value * 2**20 == np.round(value * 2**20), value, noisy) if what in EXACT else noisy
        if math.isfinite(value[0]):
            self.scale = max(self.scale, abs(float(value[0])))
        elif not np.isfinite(value).any():
            self.is_never_defined = True
        return value

    def of(self, node):
        what = node[0]
        if what == "variable":
            slopes = [None] * 3
            slopes[node[1]] = np.ones(self.LANES)
            self.scale = max(self.scale, abs(self.places[node[1], 0]))
            return self.places[node[1]], slopes
        if what == "number":
            self.scale = max(self.scale, abs(float(node[1])))
            return np.full(self.LANES, float(node[1])), [None] * 3
        parts = [self.of(operand) for operand in node[1:]]
        value = self.value(what, *[v for v, _ in parts])
        factors = None
        slopes = []
        for axis in range(3):
            terms = []
            if any(s[axis] is not None for _, s in parts):
                factors = factors if factors is not None else self.factors(what, value, parts)
                terms = [factors[n]() if callable(factors[n]) else factors[n] for n in range(len(parts))]
                terms = [self.off(f * s[axis]) if mask is None else np.where(mask, self.off(f * s[axis]), 0.0)
                         for (f, mask), (_, s) in zip(terms, parts) if s[axis] is not None and f is not None]
            slopes.append(self.off(sum(terms[1:], terms[0])) if terms else None)
        return value, slopes

    def value(self, what, a, b=None, c=None):
        if what in ("*", "/"):
            other = b[0] if what == "*" else 1 / b[0]
            self.cancels = self.cancels or a[0] == 0 and np.isinf(other) or other == 0 and np.isinf(a[0])
        step = lambda x: np.where(x >= 0, 1.0, 0.0)
        plain = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "^": lambda: np.power(a, b),
                 "negate": lambda: -a, "sec": lambda: 1 / np.cos(a), "csc": lambda: 1 / np.sin(a), "cot": lambda: 1 / np.tan(a),
                 "asin": lambda: np.arcsin(a), "acos": lambda: np.arccos(a), "atan": lambda: np.arctan(a),
                 "atan2": lambda: np.arctan2(a, b), "min": lambda: np.where(a < b, a, b), "max": lambda: np.where(a > b, a, b),
                 "erf": lambda: each(math.erf, a), "erfc": lambda: each(math.erfc, a), "step": lambda: step(a),
                 "delta": lambda: np.where(a == 0, 1.0, 0.0), "square": lambda: a * a, "cube": lambda: a * a * a,
                 "recip": lambda: 1 / a, "select": lambda: np.where(a != 0, b, c)}
        return self.off((plain.get(what) or (lambda: getattr(np, what)(a)))(), what)

    def factors(self, what, f, parts):
        """For each operand the partial derivative, and where it counts; None: it has none."""
        a = parts[0][0]
        b = parts[1][0] if len(parts) > 1 else None
        off, one = self.off, np.ones(self.LANES)
        has_slope = [any(s is not None for s in slopes) for _, slopes in parts]
        if what == "^":
            of_base = (lambda: (off(b * off(np.power(a, b - 1))), None)) if has_slope[0] else (None, None)
            return [of_base, (lambda: (off(off(np.log(a)) * f), None)) if has_slope[1] else (None, None)]
        if what in ("min", "max"):
            first = (a - b >= 0) == (what == "max")
            return [(one, first), (one, ~first)]
        if what == "atan2":
            norm = off(off(a * a) + off(b * b))
            return [(off(b / norm), None), (off(-a / norm), None)]
        gaussian = lambda: 2 / math.sqrt(math.pi) * off(np.exp(-off(a * a)))
        known = {"+": [(one, None), (one, None)], "-": [(one, None), (-one, None)], "negate": [(-one, None)],
                 "*": lambda: [(b, None), (a, None)], "/": lambda: [(off(1 / b), None), (off(-f / b), None)],
                 "select": lambda: [(None, None), (one, a != 0), (one, ~(a != 0))],
                 "sqrt": lambda: 0.5 / f, "exp": lambda: f, "log": lambda: 1 / a, "sin": lambda: np.cos(a), "cos": lambda: -np.sin(a),
                 "sec": lambda: f * np.tan(a), "csc": lambda: -f / np.tan(a), "tan": lambda: 1 / off(np.cos(a))**2,
                 "cot": lambda: -1 / off(np.sin(a))**2, "asin": lambda: 1 / np.sqrt(off(1 - a * a)),
                 "acos": lambda: -1 / np.sqrt(off(1 - a * a)), "atan": lambda: 1 / off(1 + a * a), "sinh": lambda: np.cosh(a),
                 "cosh": lambda: np.sinh(a), "tanh": lambda: 1 - off(f * f), "erf": gaussian, "erfc": lambda: -gaussian(),
                 "square": lambda: 2 * a, "cube": lambda: 3 * off(a * a), "recip": lambda: -1 / off(a * a),
                 "abs": lambda: np.where(a >= 0, 1.0, -1.0), "step": None, "delta": None, "floor": None, "ceil": None}[what]
        if known is None:
            return [(None, None)]
        result = known() if callable(known) else known
        return result if isinstance(result, list) else [(off(result), None)]


def each(function, values):
    return np.array([function(float(v)) for v in values])


def by_openmm(formulas):
    """Value and derivatives of each formula; NaN and infinity where OpenMM comes to no end."""
    if not formulas:
        return np.zeros((0, 4))
    mine, its = multiprocessing.Pipe(False)
    child = multiprocessing.Process(target=send_openmm, args=(its, formulas))
    child.start()
    its.close()
    try:
        return mine.recv()
    except EOFError:
        if len(formulas) == 1:
            return np.array([[np.nan, np.inf, np.nan, np.inf]])
        half = len(formulas) // 2
        return np.concatenate([by_openmm(formulas[:half]), by_openmm(formulas[half:])])
    finally:
        child.join()


def send_openmm(pipe, formulas):
    """In a process of its own, which ends where it takes too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    results = []
    for begin in range(0, len(formulas), PER_CONTEXT):
        some, system = formulas[begin:begin + PER_CONTEXT], mm.System()
        for n, formula in enumerate(some):
            system.addParticle(1)
            force = mm.CustomExternalForce(formula.text)
            force.addParticle(n)
            force.setForceGroup(n)
            system.addForce(force)
        context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))
        context.setPositions([mm.Vec3(*formula.at) for formula in some])
        forces = context.getState(forces=True).getForces(asNumpy=True)._value
        for n in range(len(some)):
            results.append([context.getState(energy=True, groups=1 << n).getPotentialEnergy()._value, *-forces[n]])
    pipe.send(np.array(results))


def by_trotter(program, place, formulas):
    text = "".join(f"{x!r} {y!r} {z!r} {f.text}\n" for f in formulas for x, y, z in [map(float, f.at)])
    done = subprocess.run([program, place], input=text, capture_output=True, text=True)
    if done.returncode == 77:
        return None
    if done.returncode != 0:
        sys.exit(f"{place}: {done.stderr}")
    return np.array([[float(number) for number in line.split()] for line in done.stdout.splitlines()])


def differ(a, b, tolerance):
    """Whether any of the four numbers does."""
    with np.errstate(invalid="ignore"):
        equal = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.isinf(a) & np.isinf(b)) | (np.abs(a - b) <= tolerance)
    return not bool(np.all(equal))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--places", nargs="*", default=["scalar", "simd", "opencl"])
    parser.add_argument("--device-share", type=int, default=20, help="one formula in so many is for devices")
    options = parser.parse_args()
    np.seterr(all="ignore")

    total = collections.Counter()
    for first in range(options.first, options.first + options.count, AT_ONCE):
        compare(options, first, min(AT_ONCE, options.first + options.count - first), total)
    for words, number in total.items():
        print(f"{number:8d}  {words}")
    wrong = sum(number for words, number in total.items() if words.endswith("DIFFER"))
    sys.exit(bool(wrong or total["left out"] > 0.01 * options.count))


def compare(options, first, count, total):
    formulas = [Formula(first + n) for n in range(count)]
    openmm = by_openmm(formulas)
    chosen, tolerances = [], []
    for n, (formula, theirs) in enumerate(zip(formulas, openmm)):
        lanes, tolerance = formula.literal.numbers, TOLERANCE * max(formula.literal.scale, 1e-300)
        tolerances.append(tolerance)
        if (formula.literal.cancels or differ(lanes[:, 0], theirs, tolerance)
                or any(differ(lanes[:, 0], lanes[:, k], np.minimum(tolerance, 1e-3 * (1 + np.abs(lanes[:, 0]))))
                       for k in range(1, Literal.HERE))):
            total["left out"] += 1
            continue
        total["compared"] += 1
        total["of them not finite"] += not np.isfinite(theirs).all()
        chosen.append(n)
    for place in options.places:
        more = 4 * 2.0**-32 if place == "opencl" else 0
        those = [n for n in chosen if place != "opencl" or n % options.device_share == 0 and np.isfinite(openmm[n]).all()
                 and formulas[n].literal.scale < 1e4]
        ours = by_trotter(options.program, place, [formulas[n] for n in those])
        if ours is None:
            total[f"{place}: not in this build, or there is no device"] += len(those)
            continue
        total[f"{place}: compared"] += len(those)
        for n, mine in zip(those, ours):
            theirs, tolerance = openmm[n], tolerances[n] + more
            if not differ(mine, theirs, tolerance):
                continue
            if not differ(np.where((np.isnan(theirs) | ~np.isfinite(theirs[0])) & IS_SLOPE, theirs, mine), theirs, tolerance):
                total[f"{place}: slopes differ where OpenMM's is NaN, or the value not finite"] += 1
                continue
            total[f"{place}: DIFFER"] += 1
            print(f"{place}: formula {first + n} at {formulas[n].at}: {formulas[n].text}\n  Trotter {mine}\n  OpenMM  {theirs}")


if __name__ == "__main__":
    main()
