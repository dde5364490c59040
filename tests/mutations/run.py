#!/usr/bin/env python3
# Applies mutations to the sources, one at a time, and checks that a test fails each time.
# SPDX-License-Identifier: MIT
"""run.py [--only N,N] [--whole] [--skip-build] [--cmake-option -D…]…

Copies the checkout to a folder, puts all mutations of table.py in, and compiles once. The number in the environment
variable TROTTER_MUTATION then says which mutation acts: with 0, all tests that the table names must pass, and with the
number of a mutation its own test must fail. Prints what caught each, and writes it to results.md.

A mutation is shown to its test case alone, which takes seconds; with --whole, to all cases of the CTest test. Formulas
that the compiler evaluates are never mutated. Device text is changed where it is handed to the compiler of OpenCL.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from table import MUTATIONS, TESTS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77  # a test without what it needs, as a device

SWITCH = "include/trotter/mutation.hpp"
SWITCH_TEXT = """// Which mutation acts.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <type_traits>

namespace trotter {

// Of each file that includes it: those compiled for different instruction sets share no function.
[[maybe_unused]] static inline int active_mutation() {
    static int const number = [] {
        char const* const text = std::getenv("TROTTER_MUTATION");
        return text == nullptr ? 0 : std::atoi(text);
    }();
    return number;
}
[[maybe_unused]] static constexpr bool mutation(int number) {
    return !std::is_constant_evaluated() && active_mutation() == number;
}

}  // namespace trotter
"""

# All device text passes through here.
TEXT_FILE = "src/opencl/compiler.cpp"
TEXT_OLD = "return defines + kernels::opencl_preamble + text;"
TEXT_NEW = "return mutated_text(defines + kernels::opencl_preamble + text);"
TEXT_HEADER = "include/trotter/mutated_text.hpp"
TEXT_HEADER_TEXT = """// Device text with what the mutation that acts changes in it.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <trotter/mutation.hpp>

namespace trotter {

inline std::string mutated_text(std::string text) {
    struct Change {
        int number;
        std::string_view old_text, new_text;
    };
    static constexpr Change changes[] = {CHANGES};
    for (auto const& [number, old_text, new_text] : changes)
        if (mutation(number))
            if (auto const at = text.find(old_text); at != std::string::npos)
                text.replace(at, old_text.size(), new_text);
    return text;
}

}  // namespace trotter
"""


def refuse(sentence):
    sys.exit(f"run.py: {sentence}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="N,N", help="the numbers of these mutations; their table is printed alone")
    parser.add_argument("--whole", action="store_true", help="run whole CTest tests, which takes far longer")
    parser.add_argument("--skip-build", action="store_true", help="the build of the last time will do")
    parser.add_argument("--cmake-option", action="append", default=[], metavar="-D…", help="handed to CMake; repeatable")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT / "build/mutations/source", help="folder of the copy")
    parser.add_argument("--build-dir", type=pathlib.Path, help="default: build/release in the copy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=1200, help="seconds for one test; beyond them it has failed")
    parser.add_argument("--output", type=pathlib.Path, help="default: results.md beside this script, without --only")
    arguments = parser.parse_args()
    arguments.source = arguments.source.resolve()
    arguments.build_dir = (arguments.build_dir or arguments.source / "build/release").resolve()
    if not arguments.output and not arguments.only:
        arguments.output = HERE / "results.md"
    return arguments


def chosen(only):
    """(number, mutation) of those that are asked for."""
    every = dict(enumerate(MUTATIONS, 1))
    try:
        numbers = [int(word) for word in only.split(",")] if only else list(every)
        return [(number, every[number]) for number in numbers]
    except (ValueError, KeyError):
        refuse(f"--only is '{only}', expected numbers from 1 to {len(every)} with commas between them")


# The copy


def replaced(sources, file, old, new):
    count = sources[file].count(old.encode()) if file in sources else 0
    if count != 1:
        refuse(f"{file}: expected once, but found {count} times: {old}")
    sources[file] = sources[file].replace(old.encode(), new.encode())


def with_include(text, header):
    include = f"#include <{header}>\n".encode()
    before, mark, after = text.partition(b"#pragma once\n")
    if mark:
        return before + mark + include + after
    before, mark, after = text.partition(b"#include")
    return before + include + mark + after


def mutated_sources():
    """The contents of all files of the checkout, as it is now, with the mutations in them."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True)
    if listed.returncode != 0:
        refuse(f"git cannot list the files of {ROOT}: {listed.stderr.strip()}")
    names = {name for name in listed.stdout.split("\0") if (ROOT / name).is_file()}
    sources = {name: (ROOT / name).read_bytes() for name in sorted(names)}
    touched, changes = set(), []
    for number, mutation in enumerate(MUTATIONS, 1):
        if mutation.file.startswith("kernels/"):
            replaced(dict(sources), mutation.file, mutation.old, mutation.new)  # the text stands there
            changes.append(f'{{{number}, R"~({mutation.old})~", R"~({mutation.new})~"}}')
        else:
            replaced(sources, mutation.file, mutation.old, mutation.new.replace("MUTATED", f"trotter::mutation({number})"))
            touched.add(mutation.file)
    for name in touched:
        sources[name] = with_include(sources[name], "trotter/mutation.hpp")
    replaced(sources, TEXT_FILE, TEXT_OLD, TEXT_NEW)
    sources[TEXT_FILE] = with_include(sources[TEXT_FILE], "trotter/mutated_text.hpp")
    sources[SWITCH] = SWITCH_TEXT.encode()
    sources[TEXT_HEADER] = TEXT_HEADER_TEXT.replace("CHANGES", ",\n                                         ".join(changes)).encode()
    return sources


def write_copy(sources, folder, build):
    """Files that are the same already stay as they are, and need not be compiled again."""
    if folder.exists() and any(folder.iterdir()) and not (folder / SWITCH).exists():
        refuse(f"{folder} holds something else than a copy that was made here")
    for name, contents in sources.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != contents:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
            if contents.startswith(b"#!"):
                path.chmod(0o755)
    kept = {folder / name for name in sources}
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept and not path.is_relative_to(build) and "__pycache__" not in path.parts:
            path.unlink()


def build(arguments, targets):
    """As the checkout builds itself; with a compiler cache, what no mutation is in was compiled there already."""
    environment = dict(os.environ)
    if shutil.which("ccache"):
        environment |= {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(arguments.source),
                        "CCACHE_NOHASHDIR": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
    configure = ["cmake", "-S", arguments.source, "-B", arguments.build_dir, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DTROTTER_BUILD_TESTS=ON", "-DTROTTER_CUDA=OFF", *arguments.cmake_option]
    compile_all = ["cmake", "--build", arguments.build_dir, "-j", str(arguments.jobs), "--target", *sorted(targets)]
    for command in (configure, compile_all):
        if subprocess.run(command, env=environment).returncode != 0:
            refuse(f"failed: {' '.join(map(str, command))}")


# The tests


def ctest_tests(build_dir):
    """Name: description of each test of the build."""
    shown = subprocess.run(["ctest", "--test-dir", build_dir, "--show-only=json-v1"], capture_output=True, text=True)
    if shown.returncode != 0:
        refuse(f"ctest cannot list the tests of {build_dir}: {shown.stderr.strip()}")
    return {test["name"]: test for test in json.loads(shown.stdout)["tests"]}


def is_catch(test):
    return os.path.basename(test["command"][0]).startswith("test_")


def command_of(test, case):
    """That of CTest, or for one case. Catch2 ends at the first check that fails."""
    command = test["command"]
    if not is_catch(test):
        return [*command, case] if case else command
    if case:
        return [command[0], "--abort", re.sub(r"([,\[\\])", r"\\\1", case) + "*"]
    return [*command, "--abort"]


def run_test(test, case, number, timeout):
    """(status, output) of a test while a mutation acts; status None where it did not end in time."""
    properties = {entry["name"]: entry["value"] for entry in test.get("properties", ())}
    environment = os.environ | dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", ()))
    environment["TROTTER_MUTATION"] = str(number)
    try:
        result = subprocess.run(command_of(test, case), cwd=properties.get("WORKING_DIRECTORY"), env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, ""
    return result.returncode, result.stdout.decode(errors="replace")


def failed_case(status, output):
    """The name of the test case that failed first, as Catch2 or Python's traceback has it."""
    if status is None:
        return "did not end in time"
    head, mark, _ = output.partition("FAILED:")
    if mark:
        names = re.findall(r"^-{40,}\n(.*?)\n-{40,}$", head, re.MULTILINE | re.DOTALL)
        if names:  # sections are indented, long names go on in further lines
            lines = names[-1].split("\n")
            return " ".join([lines[0], *(line for line in lines[1:] if not line.startswith("  "))])
    functions = re.findall(r", in (test_\w+)", output)
    if functions:
        return functions[-1]
    return f"ended with signal {-status}" if status < 0 else f"ended with status {status}"


def has_passed(test, status, output):
    return status == 0 and (not is_catch(test) or "All tests passed (" in output)  # one that has no such case passes too


def check_unmutated(wanted, timeout):
    for name, (test, case) in wanted.items():
        status, output = run_test(test, case, 0, timeout)
        if status == SKIPPED:
            refuse(f"{name} was skipped: what it needs is not on this machine; leave its mutations out by --only")
        if not has_passed(test, status, output):
            print(output)
            refuse(f"{name} fails without a mutation")
        print(f"passes without a mutation: {name}", flush=True)


def what_catches(number, tests, case, timeout):
    """The first test that fails, with its case; None where all pass."""
    for test in tests:
        status, output = run_test(test, case, number, timeout)
        if status != 0:
            return f"{test['name']}: {failed_case(status, output)}"
    return None


def table_of(rows):
    lines = ["| number | family | what was broken | caught by (CTest test: test case) |", "| --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main():
    arguments = parse_arguments()
    mutations = chosen(arguments.only)
    if not arguments.skip_build:
        write_copy(mutated_sources(), arguments.source, arguments.build_dir)
        build(arguments, {TESTS[mutation.test].target for _, mutation in mutations})

    every, tests_of, wanted = ctest_tests(arguments.build_dir), {}, {}
    for number, mutation in mutations:
        names = [name for name in every if re.search(TESTS[mutation.test].name, name)]
        if not names or not all("command" in every[name] for name in names):
            refuse(f"{TESTS[mutation.test].name} is no test of this build, which mutation {number} needs")
        case = "" if arguments.whole else mutation.case
        tests_of[number] = [every[name] for name in names], case
        wanted |= {f"{name}: {case}" if case else name: (every[name], case) for name in names}
    check_unmutated(wanted, arguments.timeout)

    rows, missed = [], []
    for number, mutation in mutations:
        caught = what_catches(number, *tests_of[number], arguments.timeout)
        if not caught:
            missed.append(number)
        rows.append((number, mutation.family, mutation.broken, caught or "**nothing**"))
        print(f"mutation {number}: {'caught by ' + caught if caught else 'NOT CAUGHT'}", flush=True)
    print("\n" + table_of(rows))
    if arguments.output:
        arguments.output.write_text("# Which tests notice sources that were broken on purpose\n\n"
                                    "Made by `tests/mutations/run.py`: each mutation of `table.py` acted alone, and without"
                                    " any all these tests passed.\n\n" + table_of(rows))
    print(f"{len(rows) - len(missed)} of {len(rows)} mutations were caught"
          + (f"; not caught: {', '.join(map(str, missed))}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
