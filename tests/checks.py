#!/usr/bin/env python3
# Checks that the messages in docs/checks.md are in the sources, and that the tests it names exist.
# SPDX-License-Identifier: MIT
"""checks.py: no arguments. A row's sentence is cut at each `…`; what is left must be in the sources, in which literals
that follow one another are one. The last column names a test and words in it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\|[^|]*\|[^|]*\| `(?P<sentence>.*)` \| `(?P<test>[^`]*)`: (?P<words>.*) \|$")


def text_of(path):
    """A file in which literals that stand side by side are joined, and quotes are as they are read."""
    return re.sub(r'"\s*\n\s*"', "", path.read_text()).replace('\\"', '"')


def main():
    folders = ("include", "src", "backends", "extensions")
    sources = "\n".join(text_of(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.[hc]pp"))
                        if "tests" not in path.parts)
    rows = [line for line in (ROOT / "docs/checks.md").read_text().splitlines() if line.startswith("| ")][2:]
    wrong = []
    for line in rows:
        row = ROW.match(line)
        if not row:
            wrong.append(f"no row of a sentence and a test: {line}")
            continue
        wrong += [f"no source says: {part.strip()}" for part in row["sentence"].split("…")
                  if part.strip() and part.strip() not in sources]
        test = ROOT / row["test"]
        if not test.exists() or row["words"] not in text_of(test):
            wrong.append(f"{row['test']} has not: {row['words']}")
    print("\n".join(wrong) if wrong else f"{len(rows)} sentences are in the sources and in tests")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
