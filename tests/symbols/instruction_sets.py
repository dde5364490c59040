#!/usr/bin/env python3
"""All that a header user's object defines of trotter::cpu names the instruction set that the object is compiled for. So objects for
different instruction sets share no symbol: the linker would keep one body for all, with the wrong instructions in it.

instruction_sets.py INSTRUCTION_SET OBJECT
"""
import subprocess
import sys


def symbols(path):
    """The symbols of namespace trotter::cpu that the object defines and that a linker merges with others of the same name."""
    lines = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout.splitlines()
    # Lower-case types except u are local symbols, which linkers do not merge.
    names = {line.split()[-1] for line in lines if line.split()[-2] in "TWVuBDRi"}
    return {name for name in names if name.startswith(("_ZN7trotter3cpu", "_ZNK7trotter3cpu"))}


def main():
    instruction_set, path = sys.argv[1:]
    found = symbols(path)
    if len(found) < 100:
        sys.exit(f"only {len(found)} symbols of trotter::cpu were found; the test looks at the wrong ones")
    # Names in mangled symbols follow their length.
    mangled = f"{len(instruction_set)}{instruction_set}"
    if shared := sorted(name for name in found if mangled not in name):
        readable = subprocess.run(["c++filt", *shared], check=True, capture_output=True, text=True).stdout
        sys.exit(f"{len(shared)} symbols of trotter::cpu do not name {instruction_set}; other objects may define them too:\n{readable}")
    print(f"{len(found)} symbols of trotter::cpu, all of which name {instruction_set}")


if __name__ == "__main__":
    main()
