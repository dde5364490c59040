#!/usr/bin/env bash
# Runs the tests that take hours, by hand and in parts; finished tests are not repeated.
# SPDX-License-Identifier: MIT
#
# tests/long.sh [--program build/release/trotter] [--data ../shared] [cases|random|suite|formulas|drift|ensembles|kills|memory|faults]…
#
# Results are stored in build/long/results.jsonl (remove a line to repeat its test) and written to
# tests/long-results.md.
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/release/trotter data=${TROTTER_REFERENCE_DATA:-../shared} parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --program) program=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    cases|random|suite|formulas|drift|ensembles|kills|memory|faults) parts+=("$1"); shift ;;
    *) echo "unknown argument: $1" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(cases random suite formulas drift ensembles kills memory faults)
mkdir -p build/long
program=$(realpath "$program") results=$(realpath -m build/long/results.jsonl)

python=${TROTTER_PYTHON:-build/venv/bin/python}
if ! "$python" -c 'import physical_validation, numpy, openmm' 2>/dev/null; then
  python3 -m venv build/venv
  build/venv/bin/pip install --quiet physical-validation==1.0.5 'openmm==8.6.*'
  python=build/venv/bin/python
fi
python=$(realpath -s "$python")

status=0
script() { nice "$python" "tests/long/$1.py" "$program" "$results" "${@:2}" || status=1; }
for part in "${parts[@]}"; do
  echo "== $part"
  case $part in
    cases) TROTTER_PYTHON=$python script cases "$(realpath "$data")" ;;
    random) script against_openmm "$(realpath "$data")" ;;
    formulas) TROTTER_PYTHON=$python script formulas ;;
    ensembles) for name in ideal_gas kinetic pairs; do script $name; done ;;
    *) script "$part" ;;
  esac
done
"$python" tests/long/report.py "$results" tests/long-results.md
exit $status
