#!/usr/bin/env bash
# From a clone to a protein in water being simulated: installs what is missing, builds, runs DHFR for a minute.
# SPDX-License-Identifier: MIT
#
# examples/quickstart.sh [SECONDS] [OUTPUT]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
output=${2:-dhfr-example}

examples/install-packages.sh cmake ninja-build g++ libxsimd-dev libxbyak-dev libfmt-dev libpugixml-dev zlib1g-dev \
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
cmake --preset release -DTROTTER_BUILD_TESTS=OFF -DTROTTER_BUILD_EXAMPLES=OFF
cmake --build build/release --target trotter_program

trotter=build/release/trotter
echo
"$trotter" check --system examples/dhfr/system.xml.gz --state examples/dhfr/state.xml.gz --integrator examples/dhfr/integrator.xml
rm -rf "$output"
# Enough steps for any machine; the clock ends the run, as it would in a queue.
"$trotter" run --system examples/dhfr/system.xml.gz --state examples/dhfr/state.xml.gz --integrator examples/dhfr/integrator.xml \
  --steps 10000000 --temperature 300 --log-interval 250 --trajectory-interval 1000 --checkpoint-interval 2500 \
  --max-hours "$(awk "BEGIN { print $seconds / 3600 }")" --output "$output"

cat <<TEXT

The results are in $output/:
  log.csv            energies, temperature, speed: any spreadsheet opens it
  trajectory.dcd     positions: VMD, PyMOL, MDTraj, MDAnalysis open it
  checkpoint         goes on bit by bit where it stopped:  $trotter run --resume --output $output
  final-state.xml.gz the last State, as OpenMM reads it
TEXT
