#!/usr/bin/env python3
"""Objects of a header user that are compiled for different instruction sets define no common symbol of backends/cpu: the linker
would keep one body for both, with the wrong instructions in it.

instruction_sets.py COMPILER SOURCE_DIR [INCLUDE_DIR …]
"""
import os
import subprocess
import sys
import tempfile


def symbols(compiler, source, includes, flag):
    """The symbols of namespace trotter::cpu that the object defines, at -O0: nothing is inlined, so none is hidden."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "user.o")
        subprocess.run([compiler, "-std=c++20", "-O0", flag, *includes, "-c", os.path.join(source, "tests/symbols/header_user.cpp"),
                        "-o", target], check=True)
        lines = subprocess.run(["nm", "--defined-only", target], check=True, capture_output=True, text=True).stdout.splitlines()
    # Lower-case letters but u are local: no linker merges them.
    names = {line.split()[-1] for line in lines if line.split()[-2] in "TWVuBDRi"}
    return {name for name in names if name.startswith(("_ZN7trotter3cpu", "_ZNK7trotter3cpu"))}


def main():
    compiler, source = sys.argv[1:3]
    includes = [f"-I{source}/include", f"-I{source}/backends"] + [f for d in sys.argv[3:] if d for f in ("-isystem", d)]
    first, second = (symbols(compiler, source, includes, flag) for flag in ("-msse4.1", "-mavx2"))
    if len(first) < 100:
        sys.exit(f"only {len(first)} symbols of trotter::cpu were found; the test looks at the wrong ones")
    if common := sorted(first & second):
        readable = subprocess.run(["c++filt", *common], check=True, capture_output=True, text=True).stdout
        sys.exit(f"{len(common)} symbols of trotter::cpu are the same for SSE 4.1 and AVX2:\n{readable}")
    print(f"{len(first)} and {len(second)} symbols of trotter::cpu, none in common")


if __name__ == "__main__":
    main()
