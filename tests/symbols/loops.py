#!/usr/bin/env python3
"""The objects of the inner loops for different instruction sets define no common function: the linker would keep one body for all,
with instructions that a processor may lack. Those for one set may share functions.

loops.py OBJECT…
"""
import itertools
import os
import re
import subprocess
import sys


def functions(path):
    lines = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if line.split()[-2] in "TW"}


def parts_of_sets(paths):
    """[set][part]: the functions of one object; the file that chooses a set stands among the sets."""
    result = {}
    for path in paths:
        name = re.fullmatch(r"(sse4|avx2|avx512|dispatch_table)(?:_((?:float|double)(?:_energies)?))?\.cpp\.o", os.path.basename(path))
        if not name:
            sys.exit(f"{path} is of no known instruction set")
        result.setdefault(name[1], {})[name[2] or "rest"] = functions(path)
    return result


def main():
    sets = parts_of_sets(sys.argv[1:])
    for name, parts in sets.items():
        if name != "dispatch_table" and not ({"float", "float_energies", "rest"} <= parts.keys() and all(parts.values())):
            sys.exit(f"of {name} only these objects define functions: {', '.join(part for part in parts if parts[part])}")
    if len(sets) < 2 or "dispatch_table" not in sets:
        sys.exit(f"objects were found only of {', '.join(sets)}")
    defined = {name: set().union(*parts.values()) for name, parts in sets.items()}
    for name, other in itertools.combinations(defined, 2):
        if common := defined[name] & defined[other]:
            sys.exit(f"{name} and {other} both define {', '.join(sorted(common))}")
    print(f"{len(sys.argv) - 1} objects, no function for two of {', '.join(defined)}")


if __name__ == "__main__":
    main()
