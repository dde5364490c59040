# Stores the results of the long tests in a file, one row each, so that finished tests are not repeated.
# SPDX-License-Identifier: MIT
import datetime
import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "program"))


def processor():
    with open("/proc/cpuinfo") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown processor")


def devices():
    """The platforms of devices that have one here."""
    listed = subprocess.run([sys.argv[1], "platforms"], capture_output=True, text=True, check=True).stdout
    lines = [line.split(maxsplit=1) for line in listed.splitlines() if line.strip()]
    return [name for name, text in lines if name in ("opencl", "cuda") and text.startswith("0: ")]


class Record:
    """The rows of one part, in the file named by the script's second argument."""

    def __init__(self, part):
        self.part, self.path, self.failed = part, os.path.abspath(sys.argv[2]), False
        self.writing = threading.Lock()

    def rows(self):
        if not os.path.exists(self.path):
            return []
        with open(self.path) as file:
            return [row for row in map(json.loads, file) if row["part"] == self.part and "name" in row]

    def plan(self, names):
        """Rows that this part is to have; the page names those that are not measured yet."""
        self.write({"part": self.part, "planned": list(names)})

    def write(self, row):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with self.writing, open(self.path, "a") as file:
            file.write(json.dumps(row) + "\n")

    def find(self, name):
        return next((row for row in self.rows() if row["name"] == name), None)

    def once(self, name, measure):
        """`measure()` answers what was measured and the limit, as text, whether it holds, and perhaps more data."""
        row = self.find(name)
        if row is None:
            begin = time.time()
            measured, limit, holds, *data = measure()
            row = {"part": self.part, "name": name, "measured": measured, "limit": limit, "holds": bool(holds),
                   "data": data[0] if data else {},
                   "seconds": round(time.time() - begin), "date": datetime.date.today().isoformat(),
                   "processor": processor()}
            self.write(row)
        self.failed = self.failed or not row["holds"]
        print(f"{'ok  ' if row['holds'] else 'FAIL'} {self.part}: {name}: {row['measured']} ({row['limit']})",
              flush=True)
        return row

    def together(self, measures):
        """The rows of a dictionary of names and measures, as many at a time as there are processors."""
        self.plan(measures)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return list(pool.map(lambda item: self.once(*item), measures.items()))

    def finish(self):
        sys.exit(1 if self.failed else 0)
