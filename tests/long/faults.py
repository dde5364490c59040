# Full disks, signals, damaged checkpoints, read-only folders: no complete output is lost, no damaged input accepted.
# SPDX-License-Identifier: MIT
#
# faults.py PROGRAM RESULTS
#
# The parts with their own file systems need the permission to mount one.
import os
import resource
import shutil
import signal
import subprocess
import time

from record import Record

record = Record("faults")

from harness import PROGRAM, good, read, run
from interruptions import INTERVALS, compare, generator, models, prepare, timed, uninterrupted

STEPS = 200
FLIPS, SIGNALS, SIZES = 2000, 200, 200
name = "LangevinMiddle, barostat"


def start(folder, *arguments, **options):
    return subprocess.Popen([PROGRAM, "run", *map(str, arguments), "--output", folder], stderr=subprocess.PIPE,
                            text=True, **options)


def count(message):
    """How many errors are told of."""
    return sum(line.startswith("trotter: ") for line in message.splitlines())


def damaged(content, prepared):
    """The message of a resumed run whose checkpoint holds this."""
    shutil.rmtree("damaged", ignore_errors=True)
    shutil.copytree(prepared, "damaged")
    with open("damaged/checkpoint", "wb") as file:
        file.write(content)
    result = run("run", "--resume", "--output", "damaged")
    assert result.returncode == 0 and "previous" in result.stderr, f"status {result.returncode}: {result.stderr}"


def checkpoints(prepared, whole_run):
    whole, choose = read(prepared + "/checkpoint"), generator(1)
    for _ in range(FLIPS):
        place, bit = choose.randrange(len(whole)), choose.randrange(8)
        damaged(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1:], prepared)
    lengths = sorted({*range(0, min(len(whole), 256)), *(choose.randrange(len(whole)) for _ in range(200))})
    for length in lengths:
        damaged(whole[:length], prepared)
    compare("a run resumed from the previous checkpoint", whole_run, "damaged")
    return (f"{FLIPS} flipped bits and {len(lengths)} truncations refused, the previous checkpoint taken, same bits",
            "all", True)


def both_damaged(prepared):
    shutil.rmtree("damaged", ignore_errors=True)
    shutil.copytree(prepared, "damaged")
    for file in ("checkpoint", "checkpoint.previous"):
        with open(f"damaged/{file}", "r+b") as out:
            out.truncate(100)
    result = run("run", "--resume", "--output", "damaged")
    assert result.returncode == 2 and count(result.stderr) == 1, result.stderr
    return "both checkpoints cut: status 2 and one line", "status 2", True


def file_sizes(options, whole, largest):
    """No file may become larger than a limit that is a different one each time, as on a disk that is full then."""
    choose, failed = generator(2), 0
    for _ in range(SIZES):
        allowed = choose.randrange(500, largest)
        shutil.rmtree("limited", ignore_errors=True)
        process = start("limited", *options, *INTERVALS, "--steps", STEPS,
                        preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                            resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, allowed))))
        _, message = process.communicate()
        assert process.returncode in (0, 5), f"{allowed} bytes: status {process.returncode}: {message}"
        if process.returncode == 0:
            continue
        failed += 1
        assert count(message) == 1, message
        resumed_or_anew("limited", options)
        compare(f"a run that could write {allowed} bytes", whole, "limited")
    return f"{failed} of {SIZES} runs ended with status 5; all went on to the same bits", "all", failed > 0


def resumed_or_anew(folder, options):
    how = ["--resume"] if os.path.exists(os.path.join(folder, "run.toml")) else [*options, *INTERVALS, "--overwrite"]
    good("run", *how, "--steps", STEPS, "--output", folder)


def full_device(options, whole):
    """A file system of 96 KB that fills up, and is then made larger."""
    os.makedirs("small", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", "small"], check=True)
    try:
        more = [part if part != 10 else 1 for part in INTERVALS]  # a frame at every step
        process = start("small/run", *options, *more, "--steps", STEPS)
        _, message = process.communicate()
        assert process.returncode == 5, f"status {process.returncode}: {message}"
        subprocess.run(["mount", "-o", "remount,size=16m", "small"], check=True)
        good("run", "--resume", "--output", "small/run")
        good("run", *options, *more, "--steps", STEPS, "--output", "not-full")
        compare("a run on a full file system", "not-full", "small/run")
        subprocess.run(["mount", "-o", "remount,ro", "small"], check=True)
        for how in (["--resume", "--output", "small/run"], [*options, "--steps", 1, "--output", "small/new"]):
            result = run("run", *how)
            assert result.returncode == 5 and count(result.stderr) == 1, (result.returncode, result.stderr)
    finally:
        subprocess.run(["umount", "small"])
    return ("status 5 when full, went on to the same bits when there was room; status 5 where it is read-only",
            "status 5", True)


def signalled(options, whole, seconds):
    """SIGINT, SIGTERM and SIGHUP at random moments: a checkpoint within a second, and the same bits."""
    choose, stopped, slowest = generator(3), 0, 0.0
    for count in range(SIGNALS):
        shutil.rmtree("signalled", ignore_errors=True)
        process = start("signalled", *options, *INTERVALS, "--steps", STEPS)
        while not os.path.exists("signalled/log.csv") and process.poll() is None:
            time.sleep(0.002)
        time.sleep(choose.uniform(0, seconds))
        number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[count % 3]
        process.send_signal(number)
        begin = time.time()
        _, message = process.communicate()
        slowest = max(slowest, time.time() - begin)
        # If the run has just finished, the signal is no longer handled, and the results are complete.
        ended = process.returncode == -number and "done: step" in message
        assert ended or process.returncode in (0, 130, 143), f"signal {number}: status {process.returncode}: {message}"
        stopped += process.returncode != 0
        resumed_or_anew("signalled", options)
        compare(f"a run after signal {number}", whole, "signalled")
    return (f"{stopped} of {SIGNALS} runs stopped, the slowest after {slowest:.2f} s; all went on to the same bits",
            "1 s", slowest <= 1)


def holds(measure, *arguments):
    try:
        return measure(*arguments)
    except (AssertionError, subprocess.CalledProcessError) as fault:
        return str(fault), "", False


folder, options = prepare("faults", *models()[name])
whole, seconds = timed(uninterrupted, folder, options, STEPS)
good("run", *options, *INTERVALS, "--steps", STEPS - 20, "--output", "stopped")
good("run", "--resume", "--steps", STEPS, "--output", "stopped")
largest = max(os.path.getsize(f"{whole}/{file}") for file in os.listdir(whole))
record.once("damaged checkpoints", lambda: holds(checkpoints, "stopped", whole))
record.once("both checkpoints damaged", lambda: holds(both_damaged, "stopped"))
record.once("limits on the size of files", lambda: holds(file_sizes, options, whole, largest))
record.once("a full and a read-only file system", lambda: holds(full_device, options, whole))
record.once("signals", lambda: holds(signalled, options, whole, seconds))
record.finish()
