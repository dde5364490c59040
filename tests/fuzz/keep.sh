#!/usr/bin/env bash
# Keeps what fuzzing found: the fewest inputs that reach as much code as all that are kept and those in build/fuzz/ together.
# SPDX-License-Identifier: MIT
#
# tests/fuzz/keep.sh       after tests/run.sh fuzz; writes tests/fuzz/NAME.tar.gz
set -euo pipefail
cd "$(dirname "$0")/../.."
for source in tests/fuzz/*.cpp; do
  name=$(basename "$source" .cpp)
  found=build/fuzz/corpus-$name kept=build/fuzz/kept-$name
  rm -rf "$kept"
  mkdir -p "$found" "$kept"
  [ ! -e "tests/fuzz/$name.tar.gz" ] || tar -xzf "tests/fuzz/$name.tar.gz" -C "$found"
  build/fuzz/tests/fuzz_"$name" -merge=1 -max_len=2048 "$kept" "$found"
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$kept" -cf - . | gzip -9n >"tests/fuzz/$name.tar.gz"
done
