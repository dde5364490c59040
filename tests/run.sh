#!/usr/bin/env bash
# Tests Trotter: installs missing packages, builds, and runs the given parts.
# SPDX-License-Identifier: MIT
#
# tests/run.sh [unit|devices|package|sanitizers|fuzz|comparisons|all]…      default: unit
#
#   unit         builds the program, the libraries and the unit tests, and runs these
#   devices      the device backends in mixed and double precision, their components, and compilation by NVRTC
#   package      public headers alone, docstrings, object symbols, examples with the installed package, Debian packages
#   sanitizers   unit tests under ASan and UBSan, multi-threaded ones under TSan
#   fuzz         the readers of files and formulas, starting from the saved corpus
#   comparisons  against OpenMM: random systems, round trips, part of the large reference data; known problem inputs
#
# With TROTTER_TIMES=FILE each compilation's time and memory are recorded there, and test times in build/*.xml;
# tests/times.py makes tables of them.
set -euo pipefail
cd "$(dirname "$0")/.."
every_part=(unit devices package sanitizers fuzz comparisons)
parts=()
for part in "${@:-unit}"; do
  if [ "$part" = all ]; then parts+=("${every_part[@]}")
  elif [[ " ${every_part[*]} " == *" $part "* ]]; then parts+=("$part")
  else echo "unknown part: $part; expected ${every_part[*]} or all" >&2; exit 2
  fi
done
jobs=$(nproc)

packages=(cmake ninja-build g++ libxsimd-dev libxbyak-dev libeigen3-dev libfmt-dev libpugixml-dev zlib1g-dev libcli11-dev
  libtomlplusplus-dev nlohmann-json3-dev catch2 python3 python3-venv ccache binutils ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd)
# Built only for the parts that need them: Cuda, which needs a device to run, and inner loops for instruction sets other
# than this machine's best.
cuda=OFF instruction_sets=native python_packages=()
for part in "${parts[@]}"; do
  case $part in
    devices) cuda=ON ;;
    package) packages+=(clang doxygen pkg-config) cuda=ON instruction_sets=all ;;
    fuzz) packages+=(clang libclang-rt-14-dev) ;;
    comparisons) packages+=(zstd) python_packages+=(numpy 'openmm==8.6.*' openmmtools mdtraj MDAnalysis) ;;
  esac
done
begun=$SECONDS
examples/install-packages.sh "${packages[@]}"

openmm=OFF
[[ " ${parts[*]} " == *" comparisons "* ]] && openmm=ON
cmake_options=(-DTROTTER_OPENMM=$openmm -DOpenMM_PYTHON="$PWD/build/venv/bin/python" -DTROTTER_BUILD_TESTS=ON -DTROTTER_OPENCL=ON -DTROTTER_CUDA=$cuda -DTROTTER_INSTRUCTION_SETS=$instruction_sets)
# Installs NVIDIA's run-time compiler if there is no CUDA toolkit.
toolkit=${CUDAToolkit_ROOT:-${CUDA_PATH:-/usr/local/cuda}}
if [ $cuda = ON ] && [ ! -e "$toolkit/include/nvrtc.h" ]; then
  python_packages+=(nvidia-cuda-nvrtc nvidia-cuda-runtime)
  cmake_options+=(-DNVRTC_PYTHON="$PWD/build/venv/bin/python")
fi
if [ ${#python_packages[@]} -gt 0 ]; then
  [ -x build/venv/bin/python ] || python3 -m venv build/venv
  build/venv/bin/pip install -q "${python_packages[@]}"
  export TROTTER_PYTHON=$PWD/build/venv/bin/python
fi
minutes() { awk "BEGIN { printf \"%.1f\", ($SECONDS - $1) / 60 }"; }
echo "packages: $(minutes $begun) minutes"

# Paths relative to the checkout let several checkouts share the compiler cache.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  export CCACHE_DEPEND=1  # the compiler lists the headers; without a run of the preprocessor before it
  [ -z "${TROTTER_TIMES:-}" ] || export CCACHE_PREFIX=$PWD/tests/times.py
fi
passed=0 failed=0
note() { # NAME STATUS
  if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
check() { # NAME COMMAND…
  local name=$1 status=0 start=$SECONDS
  shift
  "$@" || status=$?
  note "$name" "$status"
  echo "== $name: $(minutes $start) minutes"
}
tests() { # PRESET ARGUMENT…: of CTest
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" --output-junit "$PWD/build/$preset-$part.xml" "$@"
}
build() { # TARGET…
  cmake --preset release "${cmake_options[@]}" >/dev/null && cmake --build build/release -j "$jobs" --target "$@"
}

unit() {
  check "build" build unit_tests
  check "unit tests" tests release -LE 'devices|package|comparison'
}
devices() {
  check "build" build device_tests
  check "devices" tests release -L devices
}
package() {
  check "build" build all
  check "headers, symbols, installed package" tests release -L package
}
sanitizers() {
  local address=(expression io app forces motion cpu amoeba drude rpmd) threads=(motion cpu)
  cmake --preset asan-ubsan >/dev/null
  check "build with ASan and UBSan" cmake --build build/asan-ubsan -j "$jobs" --target $(printf 'test_%s ' "${address[@]}")
  check "files that sanitizers see" tests/sanitized.py build/asan-ubsan
  cmake --preset tsan >/dev/null
  check "build with TSan" cmake --build build/tsan -j "$jobs" --target $(printf 'test_%s ' "${threads[@]}")
  # In parallel, since the longest test under TSan takes as long as all the others together.
  tests tsan -R "^($(IFS='|'; echo "${threads[*]}"))$" >build/tsan/tests.log 2>&1 &
  check "unit tests under ASan and UBSan" tests asan-ubsan -R "^($(IFS='|'; echo "${address[*]}"))$"
  check "threads under TSan" wait $!
  cat build/tsan/tests.log
}
fuzz() {
  cmake --preset fuzz >/dev/null
  local fuzzers name status
  fuzzers=$(basename -s .cpp -a tests/fuzz/*.cpp)
  check "build of the fuzzers" cmake --build build/fuzz -j "$jobs" --target $(printf 'fuzz_%s ' $fuzzers)
  # Starts from the corpus in tests/fuzz/; tests/fuzz/keep.sh adds new inputs to it.
  fuzz_one() { # NAME SECONDS
    mkdir -p "build/fuzz/corpus-$1"
    tar -xzf "tests/fuzz/$1.tar.gz" -C "build/fuzz/corpus-$1"
    build/fuzz/tests/fuzz_"$1" -max_total_time="$2" -timeout=5 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
      -artifact_prefix=build/fuzz/ "build/fuzz/corpus-$1" >"build/fuzz/$1.log" 2>&1
  }
  declare -A running=()
  for name in $fuzzers; do
    fuzz_one "$name" "${TROTTER_FUZZ_SECONDS:-30}" &
    running[$name]=$!
  done
  for name in $fuzzers; do
    wait "${running[$name]}" && status=0 || status=$?
    note "fuzzing $name" "$status"
    tail -n "$([ "$status" -eq 0 ] && echo 2 || echo 60)" "build/fuzz/$name.log"
  done
}
comparisons() {
  check "build" build trotter_program trotter_evaluate trotter_rewrite test_io OpenMMTrotter
  check "comparisons with OpenMM" tests release -L comparison
  local data=${TROTTER_REFERENCE_DATA:-../shared}
  if [ -d "$data/oracle" ]; then
    # A job in the background ignores SIGINT, and so would the programs that a case interrupts.
    local place
    for place in reference:double cpu:mixed; do
      check "cases that users met, on $place" env --default-signal=INT python3 "$data/field-cases/run_field.py" \
        --program "$PWD/build/release/trotter" --quiet --jobs "$jobs" --slowness 3 --platform "${place%:*}" --precision "${place#*:}"
    done
    check "OpenMM's tests on the platform in OpenMM" tests/bridges/conformance.sh build/venv/bin/python "$data" build/release/openmm \
      --property Backend=cpu --jobs "$jobs"
    # The first 60 of the 3,000 in tests/long.sh.
    check "random Systems with OpenMM" build/venv/bin/python "$data/random_systems.py" --program build/release/trotter --count 60
    # As in tests/CMakeLists.txt: PoCL's compiler takes half as long without optimization, with the same bits.
    POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable check "a part of the large comparisons" tests/compare.sh --program build/release/trotter \
      --data "$data" --part --places "reference:double cpu:double cpu:mixed opencl:mixed"
  else
    echo "the large comparisons are left out: there is no folder $data"
  fi
}

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT  # no test is left behind where this is interrupted
whole=$SECONDS
for part in "${parts[@]}"; do
  start=$SECONDS
  echo "==== $part"
  "$part"
  echo "==== $part: $(minutes $start) minutes"
done
echo "all that was asked for: $(minutes $whole) minutes"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
