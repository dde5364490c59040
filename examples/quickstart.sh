#!/usr/bin/env bash
# From a clone to a page about a simulated protein: installs missing packages, builds, and runs BPTI from its structure
# for a minute.
# SPDX-License-Identifier: MIT
#
# examples/quickstart.sh [SECONDS] [OUTPUT]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
output=${2:-bpti-run}

echo "1/4 installing packages that are missing (up to a minute)"
examples/install-packages.sh cmake ninja-build g++ libxsimd-dev libeigen3-dev libfmt-dev libpugixml-dev zlib1g-dev \
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev

# Enables backends for this machine's devices if their headers are installed. PoCL's device is the CPU, on which Cpu is
# faster.
opencl=OFF cuda=OFF
for driver in /etc/OpenCL/vendors/*.icd; do
  case $driver in *'*'* | *pocl*) ;; *) opencl=AUTO ;; esac
done
[ ! -e /dev/nvidia0 ] || cuda=AUTO
echo "2/4 building (two to six minutes on two cores)"
cmake --preset quickstart -DTROTTER_OPENCL=$opencl -DTROTTER_CUDA=$cuda >/dev/null
cmake --build --preset quickstart

trotter=build/quickstart/trotter
echo "3/4 what will be done"
"$trotter" run examples/protein/bpti.toml --output "$output" --dry-run
echo "4/4 preparing, equilibrating and simulating ($seconds s)"
rm -rf "$output"
# More steps than any machine takes; --max-hours ends the run, as in a batch queue.
"$trotter" run examples/protein/bpti.toml --output "$output" --max-hours "$(awk "BEGIN { print $seconds / 3600 }")"

cat <<TEXT

Open $output/report.html in a browser: what was done, and what came of it. Beside it:
  00-prepared/       the System, the State and the structure with hydrogens, water and ions
  04-production/     trajectory.dcd and topology.pdb, for VMD, PyMOL, MDTraj, MDAnalysis; log.csv, for any spreadsheet
To go on bit by bit where it stopped:  $trotter run --resume --output $output
Your own protein:  another structure in a copy of examples/protein/bpti.toml

This build is for this machine, in mixed precision, without AMOEBA, Drude oscillators and ring polymers.
All of Trotter:  cmake --preset release && cmake --build build/release
TEXT
