# The output of `trotter run`, and bitwise continuation after any interruption.
# SPDX-License-Identifier: MIT
import gzip
import re
import signal
import time

from harness import *


def start(*arguments):
    return subprocess.Popen([PROGRAM, "run", *map(str, arguments)], stderr=subprocess.PIPE, text=True)


def numbers(log):
    """The log without the columns that tell of wall time."""
    lines = read(log).decode().splitlines()
    return [line.split(",")[:-2] for line in lines]


def same_end(first, second, trajectory="trajectory.dcd"):
    for name in ("final-state.xml.gz", trajectory):
        a, b = read(f"{first}/{name}"), read(f"{second}/{name}")
        if name.endswith(".gz"):
            a, b = gzip.decompress(a), gzip.decompress(b)
        assert a == b, f"{name} of {first} and {second} differ"
    # the first column is progress, which depends on the length given for each part of an interrupted run
    assert [row[1:] for row in numbers(f"{first}/log.csv")] == [row[1:] for row in numbers(f"{second}/log.csv")]


def test_files_of_a_run():
    fluid = write_fluid()
    topology = write("fluid.pdb", "REMARK nothing\nEND\n")
    good("run", *fluid, "--steps", 50, "--output", "files", *intervals(10, 20, 25), "--topology", topology)
    names = "checkpoint checkpoint.previous final-state.xml.gz fluid.pdb log.csv run.toml trajectory.dcd"
    assert sorted(os.listdir("files")) == names.split()
    rows = numbers("files/log.csv")
    assert [row[1] for row in rows[1:]] == ["10", "20", "30", "40", "50"]
    assert rows[0][:3] == ['#"Progress (%)"', '"Step"', '"Time (ps)"'] and rows[1][0] == "20.0%"
    for row in rows[1:]:
        close(float(row[3]) + float(row[4]), float(row[5]), 1e-12)
        close(float(row[7]), 2.5**3, 1e-9)
        close(float(row[8]), 128 * 20 * 1.66053906660e-3 / 2.5**3, 1e-8)
        close(float(row[6]), 2 * float(row[4]) / (349 * 8.31446261815324e-3), 1e-10)
    header = read("files/trajectory.dcd")
    assert struct.unpack("<i4s3i", header[:20])[1:4] == (b"CORD", 2, 20), "two frames, the first at step 20"
    state = gzip.decompress(read("files/final-state.xml.gz")).decode()
    assert 'stepCount="50"' in state
    text = read("files/run.toml").decode()
    assert os.path.abspath(fluid[1]) in text and re.search(r"seed = '\d+'", text)


def test_a_folder_with_something_in_it_is_refused():
    fluid = write_fluid()
    os.mkdir("occupied")
    write("occupied/mine.txt", "mine")
    refused(2, "occupied", "--overwrite", arguments=["run", *fluid, "--steps", 1, "--output", "occupied"])
    refused(2, "occupied", "resume", arguments=["run", "--resume", "--output", "occupied"])
    refused(2, "missing", "resume", arguments=["run", "--resume", "--output", "missing"])
    assert os.listdir("occupied") == ["mine.txt"] and not os.path.exists("missing")
    good("run", *fluid, "--steps", 1, "--output", "occupied", "--overwrite")
    assert read("occupied/mine.txt") == b"mine"


def test_reports_count_by_the_step_count_of_the_state():
    fluid = write_fluid("late", steps=7)
    good("run", *fluid, "--steps", 20, "--output", "late", "--log-interval", 10, "--trajectory", "none")
    assert [row[1] for row in numbers("late/log.csv")[1:]] == ["10", "20"]
    assert not os.path.exists("late/trajectory.dcd")


def test_time_is_turned_into_steps():
    good("run", *write_fluid(), "--time", "0.08 ps", "--output", "time", "--log-interval", 20, "--trajectory", "none")
    assert [row[1] for row in numbers("time/log.csv")[1:]] == ["20"]


def test_velocities_are_drawn_only_where_the_state_has_none():
    still = write_fluid("still", integrator="verlet", velocities=False)
    good("run", *still, "--steps", 1, "--output", "drawn", "--log-interval", 1, "--temperature", 500, "--seed", 1)
    cold = run("run", *still, "--steps", 1, "--output", "cold", "--log-interval", 1)
    assert "no velocities" in cold.stderr
    hot, cold = (float(numbers(f"{name}/log.csv")[1][6]) for name in ("drawn", "cold"))
    assert 350 < hot < 650 and cold < 100, f"{hot} K and {cold} K"


def test_molecules_are_written_whole_in_the_box():
    fluid = write_fluid("moved")
    text = read("moved.state.xml").decode()
    write("moved.state.xml", re.sub(r'<Position x="([^"]*)"', lambda m: f'<Position x="{float(m[1]) + 25!r}"', text))
    for wrap, low, high in (("molecules", -2, 27), ("none", 240, 290)):
        good("run", *fluid, "--steps", 1, "--output", wrap, "--trajectory-interval", 1, "--wrap", wrap)
        data = read(f"{wrap}/trajectory.dcd")
        xs = struct.unpack("<128f", data[-3 * 520 + 4:-2 * 520 - 4])
        assert low < min(xs) and max(xs) < high, f"{wrap}: {min(xs)} to {max(xs)} Å"
        assert all(abs(a - b) < 2 for a, b in zip(xs[::2], xs[1::2])), "a molecule was torn apart"


def test_reporting_changes_no_bit():
    fluid = write_fluid(more_forces=(CMM, BAROSTAT))
    for name, interval in (("often", 1), ("seldom", 30), ("never", 0)):
        good("run", *fluid, "--steps", 60, "--seed", 4, "--output", name, *intervals(interval, interval, interval))
    states = [gzip.decompress(read(f"{name}/final-state.xml.gz")) for name in ("often", "seldom", "never")]
    assert states[0] == states[1] == states[2]


def interrupted_run(name, options, steps, stop_at):
    """A run cut into pieces: each has the length that `--steps` gives it, and the last goes to the end."""
    good("run", *options, "--steps", stop_at[0], "--output", name)
    for end in (*stop_at[1:], steps):
        good("run", "--resume", "--steps", end, "--output", name)


def test_a_resumed_run_has_the_bits_of_an_uninterrupted_one():
    moves = {"none": (CMM,), "barostat": (CMM, BAROSTAT), "andersen": (ANDERSEN, CMM)}
    for integrator in INTEGRATORS:
        for move, forces in moves.items():
            fluid = write_fluid(integrator=integrator, more_forces=forces)
            name = f"{integrator}-{move}"
            options = [*fluid, "--seed", 9, *intervals(7, 10, 15)]
            good("run", *options, "--steps", 60, "--output", f"{name}-whole")
            interrupted_run(f"{name}-cut", options, 60, (1, 17, 18, 41))
            same_end(f"{name}-whole", f"{name}-cut")


def test_precisions_and_platforms_resume():
    for platform, precision, kind in (("reference", "double", "nc"), ("cpu", "single", "xtc"), ("cpu", "double", "xtc")):
        options = [*write_fluid(), "--seed", 9, "--platform", platform, "--precision", precision, "--trajectory", kind,
                   *intervals(10, 10, 10000)]
        name = f"{platform}-{precision}"
        good("run", *options, "--steps", 40, "--output", f"{name}-whole")
        interrupted_run(f"{name}-cut", options, 40, (13, 25))
        same_end(f"{name}-whole", f"{name}-cut", f"trajectory.{kind}")


def test_signals_stop_with_a_checkpoint():
    fluid = write_fluid()
    options = [*fluid, "--seed", 2, *intervals(100, 100, 0)]
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        name = f"signal-{status}"
        process = start(*options, "--steps", 10**9, "--output", name)
        while not os.path.exists(f"{name}/log.csv") or len(read(f"{name}/log.csv").splitlines()) < 3:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == status, f"status {process.returncode}: {errors}"
        assert "interrupted at step" in errors and os.path.exists(f"{name}/checkpoint")
        reached = int(re.search(r"interrupted at step (\d+)", errors)[1])
        end = reached + 57
        good("run", "--resume", "--steps", end, "--output", name)
        good("run", *options, "--steps", end, "--output", f"{name}-whole")
        same_end(f"{name}-whole", name)


def test_kill_loses_nothing_before_the_last_checkpoint():
    fluid = write_fluid(more_forces=(CMM, BAROSTAT))
    options = [*fluid, "--seed", 2, "--steps", 600, *intervals(10, 10, 10)]
    good("run", *options, "--output", "unharmed")
    noise = random.Random(3)
    kills = 0
    process = start(*options, "--output", "killed")
    for _ in range(20):
        try:
            process.wait(noise.uniform(0.02, 0.12))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
        again = ["--resume"] if os.path.exists("killed/run.toml") else [*options, "--overwrite"]
        process = start(*again, "--output", "killed")
    process.communicate()
    if process.returncode != 0:
        good("run", "--resume", "--output", "killed")
    assert kills > 0
    same_end("unharmed", "killed")


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere():
    fluid = write_fluid()
    master, slave = os.openpty()
    process = subprocess.Popen([PROGRAM, "run", *fluid, "--steps", "50", "--output", "bar"], stderr=slave)
    os.close(slave)
    text = b""
    try:
        while chunk := os.read(master, 4096):
            text += chunk
    except OSError:  # how a terminal ends
        pass
    os.close(master)
    assert process.wait() == 0 and b"\r100 %" in text and b"ns/day" in text, text
    lines = run("run", *fluid, "--steps", 50, "--output", "lines").stderr
    assert "\r" not in lines and "100 %  step 50/50" in lines, lines


def test_max_hours_stops_in_order():
    result = run("run", *write_fluid(), "--steps", 10**9, "--max-hours", 0.0001, "--output", "hours")
    assert result.returncode == 0 and "out of time" in result.stderr
    assert os.path.exists("hours/checkpoint") and os.path.exists("hours/final-state.xml.gz")


def test_resuming_something_else_is_refused():
    fluid = write_fluid("first", integrator="verlet")
    good("run", *fluid, "--steps", 20, "--seed", 1, "--output", "first")
    other = write_fluid("other", integrator="brownian")
    for more, word in ((["--seed", 2], "seed"), (["--precision", "double"], "precision"),
                       (["--platform", "reference"], "platform"), (["--trajectory", "xtc"], "trajectory"),
                       (other, "input files")):
        refused(2, "checkpoint", word, arguments=["run", "--resume", "--output", "first", "--steps", 30, *more])


def test_a_second_run_in_the_same_folder_is_refused():
    process = start(*write_fluid(), "--steps", 10**9, "--output", "shared", "--log-interval", 100)
    while not os.path.exists("shared/log.csv"):
        time.sleep(0.01)
    refused(2, "another run", arguments=["run", *write_fluid(), "--steps", 1, "--output", "shared", "--overwrite"])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130


all_tests(globals())
