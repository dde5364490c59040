# Writes the results of the long tests as a page.
# SPDX-License-Identifier: MIT
#
# report.py RESULTS PAGE
import json
import sys

HEAD = """# What the long tests measured

Made by `tests/long.sh`, which runs for hours and is not part of the continuous tests. Each row carries its own date;
the third column is what it has to reach.
"""

PARTS = ["cases", "random", "suite", "formulas", "drift", "kinetic energies", "ensembles", "barostats", "interruptions", "memory",
         "faults"]

with open(sys.argv[1]) as file:
    lines = [json.loads(line) for line in file]
rows = [line for line in lines if "name" in line]
planned = {}
for line in lines:
    planned.setdefault(line["part"], {}).update(dict.fromkeys(line.get("planned", ())))
missing = [part for part in PARTS if all(row["part"] != part for row in rows)]
text = HEAD + (f"\nNot measured yet: {', '.join(missing)}.\n" if missing else "")
for part in (part for part in PARTS if part not in missing):
    mine = [row for row in rows if row["part"] == part]
    machines = ", ".join(dict.fromkeys(row["processor"] for row in mine))
    text += f"\n## {part[0].upper()}{part[1:]}\n\n"
    text += f"{sum(row['holds'] for row in mine)} of {len(mine)} hold. Processor: {machines}.\n\n"
    later = [name for name in planned[part] if all(row["name"] != name for row in mine)]
    text += f"Not measured yet: {'; '.join(later)}.\n\n" if later else ""
    text += "| what | measured | limit | holds | date | s |\n|---|---|---|---|---|---|\n"
    for row in mine:
        cells = (row["name"], row["measured"].replace("|", "/").replace("\n", " "), row["limit"], "yes"
                 if row["holds"] else "**no**",
                 row["date"], row["seconds"])
        text += "| " + " | ".join(map(str, cells)) + " |\n"
with open(sys.argv[2], "w") as page:
    page.write(text)
