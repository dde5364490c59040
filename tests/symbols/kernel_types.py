#!/usr/bin/env python3
"""The program holds at most 250 distinct Kernel<…> types: each costs compile time, so they are counted.

kernel_types.py PROGRAM
"""
import subprocess
import sys

LIMIT = 250


def kernel_types(text):
    """Every `trotter::Kernel<…>` with its closing bracket."""
    found, opening = set(), "trotter::Kernel<"
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
    count = len(kernel_types(text))
    print(f"{count} distinct Kernel types, at most {LIMIT}")
    if count == 0:
        sys.exit("no Kernel was found: the program has been stripped, or kernels have another name")
    sys.exit(count > LIMIT)


if __name__ == "__main__":
    main()
