#!/usr/bin/env python3
# Records the time and memory of each compiler call, and writes the table tests/times.md of compile and test times.
# SPDX-License-Identifier: MIT
#
# times.py [launch] COMPILER ARGUMENT…
#   runs the compiler and appends a line to the file that TROTTER_TIMES names, relative to the checkout: processor seconds,
#   wall seconds, peak memory in MB, current folder, output file. For CMAKE_CXX_COMPILER_LAUNCHER; or, without "launch",
#   for CCACHE_PREFIX, which takes no arguments and records only what ccache does not find.
# times.py report --record FILE [--ninja BUILD/.ninja_log …] [--junit FILE.xml …] [--title TEXT] [--output FILE]
#   writes the table.
import os
import signal
import sys
import time

LONG_UNIT, LARGE_UNIT, LONG_COMMAND, LONG_TEST = 5, 800, 2, 1  # s, MB, s, s: what gets a row of its own
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def launch(command):
    """As if the compiler had been called itself; the modules of the report are not imported, for they take time."""
    for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored_by_python, signal.SIG_DFL)
    try:
        if not os.environ.get("TROTTER_TIMES"):
            os.execvp(command[0], command)
        start = time.monotonic()
        child = os.posix_spawnp(command[0], command, os.environ)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127)
    for forwarded in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(forwarded, lambda number, _: os.kill(child, number))
    _, status, usage = os.wait4(child, 0)
    if status == 0 and "-o" in command[:-1] and "-E" not in command:
        record(usage, time.monotonic() - start, command[command.index("-o") + 1])
    if os.WIFSIGNALED(status):
        die_of(os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


def die_of(number):
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def record(usage, wall, output):
    """One write for the line, so that compilers side by side do not mix theirs."""
    line = f"{usage.ru_utime + usage.ru_stime:.2f}\t{wall:.2f}\t{usage.ru_maxrss * 1024 / 1e6:.0f}\t{os.getcwd()}\t{output}\n"
    try:
        file = os.open(os.path.join(ROOT, os.environ["TROTTER_TIMES"]), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(file, line.encode(errors="surrogateescape"))
        os.close(file)
    except OSError as error:
        print(f"{os.environ['TROTTER_TIMES']}: not recorded: {error.strerror}", file=sys.stderr)


if __name__ == "__main__" and sys.argv[1:2] not in ([], ["report"], ["-h"], ["--help"]):
    launch(sys.argv[2:] if sys.argv[1] == "launch" and len(sys.argv) > 2 else sys.argv[1:])

import argparse
import datetime
import re
import shlex
import subprocess
import xml.sax
from typing import NamedTuple


class BadInput(Exception):
    def __init__(self, file, line, what):
        super().__init__(f"{file}:{line}: {what}")


class Unit(NamedTuple):
    seconds: float
    wall: float
    megabytes: float
    folder: str
    target: str
    name: str


class Command(NamedTuple):
    seconds: float
    folder: str
    name: str


class Test(NamedTuple):
    seconds: float
    name: str
    result: str


def in_checkout(path):
    """Relative to the checkout, or its last component alone: the page is for all machines."""
    relative = os.path.relpath(path, ROOT)
    return os.path.basename(os.path.abspath(path)) if relative.startswith("..") else relative


def rows_of(path, columns, what):
    """Lines with their numbers; those that begin with # are comments."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split("\t")
            if line.startswith("#"):
                continue
            if len(fields) != columns:
                raise BadInput(path, number, f"not {columns} columns between tabs: {what}")
            yield number, fields


def number_of(kind, text, path, line):
    try:
        return kind(text)
    except ValueError:
        raise BadInput(path, line, f'not a number: "{text}"') from None


def read_record(path):
    """The last compilation of each output; what CMake tries while it configures is left out."""
    units = {}
    for line, (*numbers, folder, output) in rows_of(path, 5, "processor s, wall s, MB, folder, output"):
        numbers = [number_of(float, number, path, line) for number in numbers]
        output = os.path.relpath(os.path.join(folder, output), folder)
        _, _, inner = output.rpartition("CMakeFiles/")
        target, found, name = inner.partition(".dir/")
        if "/CMakeFiles/CMakeScratch/" in folder or "/CMakeFiles/CMakeTmp" in folder:
            continue
        name = re.sub(r"\.(o|gch|pch)$", "", name if found else output)
        units[folder, output] = Unit(*numbers, in_checkout(folder), target if found else "no target", name)
    if not units:
        raise BadInput(path, 1, "no compilation is recorded")
    return sorted(units.values(), reverse=True)


def read_ninja(path):
    """The last run of each link step and custom command; those of several outputs stand there once for each of them."""
    folder, commands = os.path.dirname(os.path.abspath(path)), {}
    with open(path, encoding="utf-8", errors="replace") as file:
        if not re.match(r"# ninja log v[567]$", file.readline()):
            raise BadInput(path, 1, "not a log of Ninja of version 5, 6 or 7")
    for line, (start, end, _, output, hash_) in rows_of(path, 5, "start ms, end ms, time of the output, output, hash"):
        seconds = (number_of(int, end, path, line) - number_of(int, start, path, line)) / 1000
        output = os.path.relpath(os.path.join(folder, output), folder)
        if not output.endswith((".o", ".gch", ".pch")):
            commands[output] = (hash_, Command(seconds, in_checkout(folder), output))
    return sorted({hash_: command for hash_, command in commands.values()}.values(), reverse=True)


class Junit(xml.sax.ContentHandler):
    """Tests of a JUnit file as CTest and Catch2 write it; read by SAX, which knows the lines."""

    def __init__(self, path):
        super().__init__()
        self.path, self.tests = path, []
        xml.sax.parse(path, self)

    def startElement(self, name, attributes):
        if name == "testcase":
            line = self._locator.getLineNumber()
            for needed in {"name", "time"} - set(attributes.keys()):
                raise BadInput(self.path, line, f"a test without {needed}")
            self.tests.append(Test(number_of(float, attributes["time"], self.path, line), attributes["name"], "passed"))
        elif name in ("failure", "error", "skipped", "disabled") and self.tests:
            result = "skipped" if name in ("skipped", "disabled") else "failed"
            self.tests[-1] = self.tests[-1]._replace(result=result)


def read_junit(path):
    try:
        return sorted(Junit(path).tests, reverse=True)
    except xml.sax.SAXParseException as error:
        raise BadInput(path, error.getLineNumber(), error.getMessage()) from None


def output_of(*command):
    """What a command prints, or nothing where it is absent or fails."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*:\s*(.*)", file.read())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    compilers = [output_of(name, "--version").partition("\n")[0] for name in ("g++", "clang++")]
    return ", ".join([model[1] if model else "unknown processor", f"{len(os.sched_getaffinity(0))} cores",
                      f"{memory:.0f} GB of memory", *filter(None, compilers)])


def commit(page):
    """The page itself may differ: it is what is being made."""
    name = output_of("git", "rev-parse", "--short", "HEAD")
    changes = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", ".", f":(exclude){in_checkout(page)}")
    return f"commit {name}{' with changes' if changes else ''}" if name else "unknown commit"


def table(header, rows):
    """Markdown; nothing where there are no rows."""
    lines = [header, ["---"] * len(header), *rows] if rows else []
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines) + "\n" * bool(rows)


def introduction(options):
    record_file = shlex.quote(in_checkout(options.record))
    inputs = [f" --{kind} {shlex.quote(in_checkout(path))}"
              for kind, paths in (("ninja", options.ninja), ("junit", options.junit)) for path in paths]
    return f"""# {options.title}

What each file takes to compile and each test to run: processor seconds and peak memory of the compiler, seconds of the
tests on the clock. From empty build folders and without a compiler cache, this makes it again:

```sh
rm -f {record_file}
CCACHE_DISABLE=1 TROTTER_TIMES={record_file} tests/run.sh  # or tests/run.sh all
tests/times.py report --record {record_file}{"".join(inputs)}
```

{machine()};
{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC; {commit(options.output)}.

"""


def summary_row(what, units):
    longest = max(units)
    return [what, len(units), f"{sum(unit.seconds for unit in units):.1f}", f"{max(unit.megabytes for unit in units) / 1000:.2f}",
            f"{longest.seconds:.1f}", longest.name]


def summary(units):
    """A row for each build folder and, below it, one for each of its targets: those that take longest first."""
    def groups(units, key):
        found = {}
        for unit in units:
            found.setdefault(key(unit), []).append(unit)
        return sorted(found.items(), key=lambda group: -sum(unit.seconds for unit in group[1]))

    rows = []
    for folder, in_folder in groups(units, lambda unit: unit.folder):
        rows.append([f"**{cell}**" for cell in summary_row(folder, in_folder)])
        rows += [summary_row(target, of_target) for target, of_target in groups(in_folder, lambda unit: unit.target)]
    return "## Compiling\n\n" + table(["build folder, target", "units", "processor s", "largest, GB", "longest, s", "longest unit"], rows)


def long_units(units):
    own_row = [unit for unit in units if unit.seconds >= LONG_UNIT or unit.megabytes >= LARGE_UNIT]
    rest = [unit for unit in units if unit not in own_row]
    rows = [[f"{unit.target}/{unit.name}", unit.folder, f"{unit.seconds:.1f}", f"{unit.wall:.1f}", f"{unit.megabytes / 1000:.2f}"]
            for unit in own_row]
    return (f"Units that take at least {LONG_UNIT} s or {LARGE_UNIT / 1000} GB:\n\n"
            + table(["unit", "build folder", "processor s", "wall s", "GB"], rows)
            + f"Other units: {len(rest)}, together {sum(unit.seconds for unit in rest):.1f} s.\n\n")


def long_commands(commands):
    own_row = [command for command in commands if command.seconds >= LONG_COMMAND]
    rest = [command for command in commands if command.seconds < LONG_COMMAND]
    return (f"Link steps and custom commands that take at least {LONG_COMMAND} s on the clock:\n\n"
            + table(["output", "build folder", "wall s"], [[c.name, c.folder, f"{c.seconds:.1f}"] for c in own_row])
            + f"Others: {len(rest)}, together {sum(command.seconds for command in rest):.1f} s.\n\n")


def long_tests(path, tests):
    own_row = [test for test in tests if test.seconds >= LONG_TEST]
    rest = [test for test in tests if test.seconds < LONG_TEST]
    failed, skipped = (sum(test.result == result for test in tests) for result in ("failed", "skipped"))
    return (f"### {in_checkout(path)}\n\n"
            f"{len(tests)} tests, {sum(test.seconds for test in tests):.1f} s; {failed} failed, {skipped} skipped.\n\n"
            + table(["test", "s"], [[test.name if test.result == "passed" else f"{test.name} ({test.result})", f"{test.seconds:.1f}"]
                                    for test in own_row])
            + f"Other tests, each under {LONG_TEST} s: {len(rest)}, together {sum(test.seconds for test in rest):.1f} s.\n\n")


def report(options):
    units = read_record(options.record)
    commands = sorted((command for path in options.ninja for command in read_ninja(path)), reverse=True)
    tests = {path: read_junit(path) for path in options.junit}
    page = introduction(options) + summary(units) + long_units(units)
    if commands:
        page += long_commands(commands)
    if tests:
        page += "## Tests\n\n" + "".join(long_tests(path, of_file) for path, of_file in tests.items())
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(page.rstrip("\n") + "\n")


def main():
    parser = argparse.ArgumentParser(description="Writes the table of compile times and run times.")
    parser.add_argument("action", choices=["report"])
    parser.add_argument("--record", required=True)
    parser.add_argument("--ninja", nargs="+", action="extend", default=[])
    parser.add_argument("--junit", nargs="+", action="extend", default=[])
    parser.add_argument("--title", default="Compile times and run times")
    parser.add_argument("--output", default=os.path.join(ROOT, "tests/times.md"))
    try:
        report(parser.parse_args())
    except BadInput as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
