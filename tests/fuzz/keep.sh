#!/usr/bin/env bash
# Merges the corpus and the inputs in build/fuzz/ into a minimal corpus with the same code coverage.
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
