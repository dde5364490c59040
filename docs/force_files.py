#!/usr/bin/env python3
# Prints, for each standard force, how many source files name it: the table in architecture.md. The application layer does
# not count: it fills forces in.
# SPDX-License-Identifier: MIT
import collections
import pathlib
import re
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "backends", "kernels", "src")
paths = subprocess.run(["git", "ls-files", *FOLDERS], cwd=root, capture_output=True, text=True, check=True).stdout.split()
text = {path: (root / path).read_text() for path in paths if path.endswith("pp") and "/app/" not in path}
forces = re.search(r"ForceList<([^;]*)>;", text["include/trotter/standard_system.hpp"], re.S)[1].split(",")

print("| force | files |", *(f" {folder} |" for folder in FOLDERS), sep="")
print("| --- | --- |" + " --- |" * len(FOLDERS))
rows = []
for force in (name.strip() for name in forces if "<" not in name and "Extension" not in name):
    named = [path for path, content in text.items() if re.search(rf"\b{force}\b", content)]
    counts = collections.Counter(path.split("/")[0] for path in named)
    rows.append((len(named), force, counts))
for total, force, counts in sorted(rows, key=lambda row: (-row[0], row[1])):
    print(f"| {force} | {total} |", *(f" {counts[folder] or ''} |" for folder in FOLDERS), sep="")
