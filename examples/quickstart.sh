#!/usr/bin/env bash
# From a clone to a simulation of a protein in water: installs missing packages, builds, runs DHFR for a minute.
# SPDX-License-Identifier: MIT
#
# examples/quickstart.sh [SECONDS] [OUTPUT]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
output=${2:-dhfr-example}

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
input=(--system examples/dhfr/system.xml.gz --state examples/dhfr/state.xml.gz --integrator examples/dhfr/integrator.xml)
echo "3/4 checking the input files"
"$trotter" check "${input[@]}"
echo "4/4 simulating ($seconds s)"
rm -rf "$output"
# More steps than any machine takes; --max-hours ends the run, as in a batch queue.
"$trotter" run "${input[@]}" \
  --steps 10000000 --temperature 300 --log-interval 250 --trajectory-interval 1000 --checkpoint-interval 2500 \
  --max-hours "$(awk "BEGIN { print $seconds / 3600 }")" --output "$output"

cat <<TEXT

The results are in $output/:
  log.csv            energies, temperature, speed: any spreadsheet opens it
  trajectory.dcd     positions: VMD, PyMOL, MDTraj, MDAnalysis open it
  checkpoint         goes on bit by bit where it stopped:  $trotter run --resume --output $output
  final-state.xml.gz the last State, as OpenMM reads it

This build is for this machine, in mixed precision, without AMOEBA, Drude oscillators and ring polymers.
All of Trotter:  cmake --preset release && cmake --build build/release
TEXT
