#!/usr/bin/env python3
"""Compile time is a feature: processor seconds of typical files against their budgets; fails where one is exceeded by half.

compile_time.py COMPILER SOURCE_DIR [INCLUDE_DIR …]
"""
import glob
import os
import resource
import subprocess
import sys
import tempfile

UMBRELLA = "#include <trotter/trotter.hpp>\n"
SMALL = """#include <trotter/cpu.hpp>
#include <trotter/trotter.hpp>
using namespace trotter;
int main() {
    System<ForceList<HarmonicBondForce>> system;
    system.add_particle(1), system.add_particle(1);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, Cpu{}, Mixed{}};
    context.set_positions({{0, 0, 0}, {0.11, 0, 0}});
    context.step(10);
}
"""


def seconds(compiler, includes, text, *options):
    """Processor time, the best of three: other work on the machine disturbs it little."""
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "file.cpp")
        with open(source, "w") as file:
            file.write(text)
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([compiler, "-std=c++20", *includes, *options, "-c", source, "-o", os.path.join(folder, "file.o")], check=True)
            best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return best


def main():
    compiler, source = sys.argv[1:3]
    includes = [f"-I{source}/include", f"-I{source}/backends"] + [f"-I{folder}" for folder in glob.glob(f"{source}/extensions/*/include")] + [f for d in sys.argv[3:] for f in ("-isystem", d)]
    failed = False
    for name, text, options, budget in (("#include <trotter/trotter.hpp>", UMBRELLA, ["-fsyntax-only"], 0.6),
                                        ("a small program with one backend at -O2", SMALL, ["-O2", "-ffp-contract=off"], 4.0)):
        used = seconds(compiler, includes, text, *options)
        failed |= used > 1.5 * budget
        print(f"{used:6.2f} s of {budget:.1f} s  {name}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
