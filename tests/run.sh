#!/usr/bin/env bash
# Everything that must pass: installs what is missing, builds, runs all tests, sanitizers and fuzzers.
# SPDX-License-Identifier: MIT
#
# tests/run.sh [release|sanitizers|fuzz|data]…      default: all four
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("$@"); [ ${#parts[@]} -gt 0 ] || parts=(release sanitizers fuzz data)
jobs=$(nproc)

examples/install-packages.sh cmake ninja-build g++ clang libxsimd-dev libxbyak-dev libfmt-dev libpugixml-dev \
  zlib1g-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev catch2 python3 python3-venv zstd ccache libclang-rt-14-dev binutils \
  ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd

# What reads Trotter's files beside Trotter, and NVIDIA's run-time compiler where no CUDA toolkit has it.
python_packages=(numpy 'openmm==8.6.*' mdtraj MDAnalysis) cmake_options=()
toolkit=${CUDAToolkit_ROOT:-${CUDA_PATH:-/usr/local/cuda}}
if [ ! -e "$toolkit/include/nvrtc.h" ]; then
  python_packages+=(nvidia-cuda-nvrtc nvidia-cuda-runtime)
  cmake_options+=(-DNVRTC_PYTHON="$PWD/build/venv/bin/python")
fi
[ -x build/venv/bin/python ] || python3 -m venv build/venv
build/venv/bin/pip install -q "${python_packages[@]}"
export TROTTER_PYTHON=$PWD/build/venv/bin/python

# What was compiled in one checkout serves in others: paths are taken relative to it.
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros; fi
passed=0 failed=0
note() { # NAME STATUS
  if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
check() { # NAME COMMAND…
  local name=$1 status=0
  shift
  echo "== $name"
  "$@" || status=$?
  note "$name" "$status"
}

for part in "${parts[@]}"; do
  case $part in
    release)
      # a quickstart before may have left these off
      cmake --preset release -DTROTTER_BUILD_TESTS=ON -DTROTTER_OPENCL=ON -DTROTTER_CUDA=ON \
        "${cmake_options[@]}" >/dev/null
      cmake --build build/release -j "$jobs"
      check "unit tests, examples, program" ctest --test-dir build/release --output-on-failure -j "$jobs" ;;
    sanitizers)
      unit="core expression io forces motion cpu"
      cmake --preset asan-ubsan >/dev/null
      cmake --build build/asan-ubsan -j "$jobs" --target $(printf 'test_%s ' $unit)
      check "unit tests under asan-ubsan" ctest --test-dir build/asan-ubsan --output-on-failure -j "$jobs" -R "^(${unit// /|})$"
      cmake --preset tsan >/dev/null
      cmake --build build/tsan -j "$jobs" --target test_core test_motion test_cpu
      check "threads under tsan" ctest --test-dir build/tsan --output-on-failure -j "$jobs" -R '^(core|motion|cpu)$' ;;
    fuzz)
      cmake --preset fuzz -DTROTTER_BUILD_PROGRAM=OFF >/dev/null
      fuzzers=$(basename -s .cpp -a tests/fuzz/*.cpp)
      cmake --build build/fuzz -j "$jobs" --target $(printf 'fuzz_%s ' $fuzzers)
      # All at once, for as long as each has 60 s of a processor.
      seconds=$(((60 * $(wc -w <<<"$fuzzers") + jobs - 1) / jobs))
      [ "$seconds" -ge 60 ] || seconds=60
      fuzz() { # NAME
        mkdir -p "build/fuzz/corpus-$1"
        build/fuzz/tests/fuzz_"$1" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
          -artifact_prefix=build/fuzz/ "build/fuzz/corpus-$1" $( [ -d "tests/fuzz/$1" ] && echo "tests/fuzz/$1" ) \
          >"build/fuzz/$1.log" 2>&1
      }
      declare -A running=()
      for name in $fuzzers; do
        fuzz "$name" &
        running[$name]=$!
      done
      for name in $fuzzers; do
        wait "${running[$name]}" && status=0 || status=$?
        note "fuzzing $name" "$status"
        tail -n "$([ "$status" -eq 0 ] && echo 2 || echo 60)" "build/fuzz/$name.log"
      done ;;
    data)
      data=${TROTTER_REFERENCE_DATA:-../shared}
      if [ -d "$data/oracle" ]; then
        compare="tests/compare.sh --program build/release/trotter --data $data --tenth"
        check "a tenth of the large comparisons" $compare
        # As CTest's devices: PoCL's compiler takes half as long, and the bits are the same.
        export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
        check "a tenth of the large comparisons on OpenCL" $compare --places "opencl:single opencl:mixed opencl:double"
      else
        echo "the large comparisons are left out: there is no folder $data"
      fi ;;
    *) echo "unknown part: $part" >&2; exit 2 ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
