#!/usr/bin/env python3
# Checks that the sanitizer builds compile every file of the host backends and of input and output.
# SPDX-License-Identifier: MIT
"""sanitized.py BUILD: a build folder of Ninja whose tests have been built. The inner loops of Cpu are compiled without
sanitizers everywhere (see CMakeLists.txt), and those for the tests' own instruction set with them, in tests/cpu."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include/trotter", "backends/trotter/common", "backends/trotter/reference", "backends/trotter/cpu",
           *(f"src/{name}" for name in "app base common context core expression forces integrators io parts physics "
                                       "reference tables".split()),
           "extensions")
# Files used only by the program, devices, and the tests of Contexts chosen at run time, which these builds leave out.
ELSEWHERE = {ROOT / path for path in ("include/trotter/program.hpp", "include/trotter/replicas/spread.hpp",
                                      "extensions/drude/include/trotter/drude/langevin_text.hpp",
                                      "extensions/rpmd/tests/standard/any_ring_polymer.cpp")}


def is_of_extension_devices(path):
    return path.parts[0] == "extensions" and ("device" in str(path) or "nvrtc" in path.parts)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    lines = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout.splitlines()
    compiled = {(build / line.strip()).resolve() for line in lines if line.startswith("    ")}
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.?pp")
             if not is_of_extension_devices(path.relative_to(ROOT))]
    if len(files) < 200:
        sys.exit(f"only {len(files)} files were found below {', '.join(FOLDERS)}")
    if left_out := [path.relative_to(ROOT) for path in files if path not in compiled | ELSEWHERE]:
        sys.exit(f"no test with sanitizers compiles {', '.join(map(str, sorted(left_out)))}")
    print(f"{len(files)} files are compiled with sanitizers")


if __name__ == "__main__":
    main()
