#!/usr/bin/env python3
"""The objects of the inner loops for different instruction sets define no common function: the linker would keep one body for all,
with instructions that a processor may lack.

loops.py OBJECT…
"""
import os
import subprocess
import sys


def functions(path):
    lines = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if line.split()[-2] in "TW"}


def main():
    objects = {os.path.basename(path): functions(path) for path in sys.argv[1:]}
    sets = [name for name in objects if name.startswith("cpu_loops_")]
    if len(sets) < 3:
        sys.exit(f"only {len(sets)} instruction sets were found among {', '.join(objects)}")
    for name in sets:
        for other in objects:
            if other != name and (common := objects[name] & objects[other]):
                sys.exit(f"{name} and {other} both define {', '.join(sorted(common))}")
    print(f"{len(objects)} objects, no function in two of them")


if __name__ == "__main__":
    main()
