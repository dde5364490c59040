#!/usr/bin/env python3
"""The program holds at most 250 distinct Kernel<…> types, and as many of parts: each costs compile time, so they are counted.

kernel_types.py PROGRAM
"""
import subprocess
import sys

LIMIT = 250


def types(text, opening):
    """Every type that begins so, with its closing bracket."""
    found = set()
    for line in text.splitlines():
        begin = line.find(opening)
        while begin >= 0:
            depth, end = 1, begin + len(opening)
            while depth and end < len(line):
                depth += {"<": 1, ">": -1}.get(line[end], 0)
                end += 1
            found.add(line[begin:end])
            begin = line.find(opening, begin + 1)
    return found


def main():
    text = subprocess.run(["nm", "-C", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    counts = {name: len(types(text, f"trotter::{name}<")) for name in ("Kernel", "detail::PartKernel")}
    for name, count in counts.items():
        print(f"{count} distinct {name} types, at most {LIMIT}")
        if count == 0:
            sys.exit(f"no {name} was found: the program has been stripped, or kernels have another name")
    sys.exit(any(count > LIMIT for count in counts.values()))


if __name__ == "__main__":
    main()
