#!/usr/bin/env python3
# Each CUDA kernel's share of the time of a step, and its utilization of the device. Needs NVIDIA's ncu.
# SPDX-License-Identifier: MIT
#
# kernel_shares.py --input FOLDER [--trotter build/release/trotter] [--precision mixed] [--ncu ncu] [--launches 300]
#
# FOLDER contains system.xml.gz, state.xml.gz and integrator.xml. Kernels are measured one at a time, so their sum
# exceeds the time of a step, in which the kernels of two branches run concurrently. Utilization is the larger of the
# rates of instructions and of memory, in per cent of the device's peak; a kernel that takes less than four times as
# long as an empty one, with low rates, is launch-bound.
import argparse
import collections
import csv
import io
import os
import shutil
import subprocess
import sys

METRICS = {"time": "gpu__time_duration.sum", "arithmetic": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
           "memory": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
           "warps": "sm__warps_active.avg.pct_of_peak_sustained_active"}
MICROSECONDS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}
EMPTY_KERNEL = 2.0  # [us], as ncu measures one that does nothing


def find_ncu(given):
    for path in (given, shutil.which("ncu"), "/usr/local/cuda/bin/ncu"):
        if path and os.path.exists(path):
            return path
    sys.exit("kernel_shares.py: there is no ncu here; give its path with --ncu")


def measure(options):
    folder = options.input
    # Long enough for the skipped launches, which ncu slows down too.
    command = [find_ncu(options.ncu), "--csv", "--clock-control", "none", "--metrics", ",".join(METRICS.values()),
               "--launch-skip", str(options.skip), "--launch-count", str(options.launches), options.trotter, "benchmark",
               "--system", f"{folder}/system.xml.gz", "--state", f"{folder}/state.xml.gz", "--integrator",
               f"{folder}/integrator.xml", "--platform", "cuda", "--precision", options.precision, "--seconds", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if len(lines) < 2:
        sys.exit(f"kernel_shares.py: ncu measured nothing:\n{done.stdout[-800:]}{done.stderr[-800:]}")
    return csv.DictReader(io.StringIO("\n".join(lines)))


def launches(rows):
    result = collections.OrderedDict()
    for row in rows:
        launch = result.setdefault(row["ID"], {"name": row["Kernel Name"].split("(")[0]})
        for name, metric in METRICS.items():
            if row["Metric Name"] == metric:
                value = float(row["Metric Value"].replace(",", ""))
                launch[name] = value * (MICROSECONDS[row["Metric Unit"]] if name == "time" else 1)
    return result.values()


def bound(time, arithmetic, memory):
    if time < 4 * EMPTY_KERNEL and max(arithmetic, memory) < 50:
        return "launch"
    return f"arithmetic {arithmetic:.0f} %" if arithmetic >= memory else f"memory {memory:.0f} %"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", required=True)
    parser.add_argument("--trotter", default="build/release/trotter")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--ncu")
    parser.add_argument("--skip", type=int, default=500)
    parser.add_argument("--launches", type=int, default=300)
    options = parser.parse_args()
    kernels = collections.OrderedDict()
    for launch in launches(measure(options)):
        kernels.setdefault(launch["name"], []).append(launch)
    mean = {name: {metric: sum(one[metric] for one in all_of) / len(all_of) for metric in METRICS}
            for name, all_of in kernels.items()}
    steps = max(1, len(kernels.get("count_step", [0])))
    per_step = {name: mean[name]["time"] * len(all_of) / steps for name, all_of in kernels.items()}
    total = sum(per_step.values())
    print(f"{'kernel':20s} {'a step':>6s} {'us':>8s} {'share':>7s} {'warps':>6s}  nearest bound")
    for name in sorted(kernels, key=per_step.get, reverse=True):
        m = mean[name]
        print(f"{name:20s} {len(kernels[name]) / steps:6.2f} {m['time']:8.1f} {per_step[name] / total:7.1%} {m['warps']:5.0f}%  "
              f"{bound(m['time'], m['arithmetic'], m['memory'])}")
    print(f"{'all kernels':20s} {'':6s} {total:8.1f} us a step, one after the other")


if __name__ == "__main__":
    main()
