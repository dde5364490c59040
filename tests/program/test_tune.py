# --tune determines the fastest number of threads and pair lists and prints them; a resumed run keeps them.
# SPDX-License-Identifier: MIT
from harness import *
from energy_drift import water


def start(output, *more):
    return run("run", *water(24), "--platform", "cpu", "--seed", 5, "--log-interval", 0, "--trajectory", "none",
               "--checkpoint-interval", 20, "--output", output, *more)


def effective(output):
    lines = read(output + "/run.toml").decode().splitlines()
    return dict(line.split(" = ") for line in lines if " = " in line)


def test_what_is_found_is_told_and_kept():
    begun = start("tuned", "--tune", "--threads", 2, "--steps", 20)
    assert begun.returncode == 0, begun.stderr
    told = [line for line in begun.stderr.splitlines() if line.startswith("tuned: ")]
    assert len(told) == 1 and "ms a step" in told[0] and "choices tried" in told[0], begun.stderr
    threads = effective("tuned")["threads"]
    assert told[0].startswith(f"tuned: {threads} thread"), told
    resumed = run("run", "--resume", "--output", "tuned", "--steps", 40)
    assert resumed.returncode == 0 and "tuned: " not in resumed.stderr, resumed.stderr
    assert effective("tuned")["threads"] == threads
    print("  " + told[0])


def test_a_resumed_run_has_the_bits_of_the_lists_it_began_with():
    assert start("whole", "--list-buffer", 0.1, "--steps", 60).returncode == 0
    assert start("parts", "--list-buffer", 0.1, "--steps", 30).returncode == 0
    good("run", "--resume", "--output", "parts", "--steps", 60)
    assert read("whole/final-state.xml.gz") == read("parts/final-state.xml.gz"), "other bits after --resume"
    refused(2, "the list buffer", "0.1", "0.2", arguments=["run", "--resume", "--output", "parts", "--steps", 70,
                                                           "--list-buffer", 0.2])


def test_lists_of_any_width_give_the_same_forces():
    options = [*water(24), "--platform", "cpu", "--steps", 20, "--seed", 5, "--precision", "double", "--inline"]
    usual = result_of("step", *options)
    for buffer in (0.02, 0.1, 0.5, 1):
        other = result_of("step", *options, "--list-buffer", buffer)
        farthest = max(abs(x - y) for a, b in zip(usual["positions"], other["positions"]) for x, y in zip(a, b))
        # in 20 steps of 2 fs rounding of 1e-16 nm grows to far less than this
        assert farthest < 1e-10, f"lists {buffer} nm wider: positions differ by {farthest}"


def test_what_cannot_be():
    refused(2, "--list-buffer", "1.5", arguments=["benchmark", *water(24), "--list-buffer", 1.5])
    refused(4, "--tune is for the platform cpu", arguments=["benchmark", *water(24), "--platform", "reference", "--tune"])


all_tests(globals())
