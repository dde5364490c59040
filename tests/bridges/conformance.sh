#!/usr/bin/env bash
# Runs OpenMM's own tests from the reference data on the platform Trotter in double precision: all must pass.
# SPDX-License-Identifier: MIT
#
# tests/bridges/conformance.sh PYTHON DATA PLUGINS [ARGUMENT…]
#
# PLUGINS is the folder of the plugin; arguments are passed to the data's run_conformance_on_platform.py, such as
# --limit 60 or --property Backend=cuda. Unsupported features are omitted, and the thermostat, whose random numbers
# differ.
set -euo pipefail
python=$1 data=$2 plugins=$3
shift 3
result=$("$python" "$data/openmm-platform/run_conformance_on_platform.py" --platform Trotter --plugin-dir "$plugins" \
  --property Precision=double --kind energy,dynamics,reject '--only=-AndersenThermostat' --failures -1 "$@")
echo "$result"
[[ "$(tail -n 1 <<<"$result")" =~ ^CONFORMANCE\ ([0-9]+)/([0-9]+)$ ]] && [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] \
  && [ "${BASH_REMATCH[1]}" -gt 0 ]
