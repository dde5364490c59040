# The same bits for any number of threads, and with or without output.
# SPDX-License-Identifier: MIT
from harness import *
from energy_drift import water
from interruptions import left_behind, models, prepare
from small_systems import barostat, integrator

COUNTS = (1, 2, 3, 4, 7)


def same_bits(name, options, steps):
    for precision in ("mixed", "double"):
        states = []
        for threads in COUNTS:
            good("step", *options, "--platform", "cpu", "--precision", precision, "--threads", threads, "--steps",
                 steps, "--seed", 7,
                 "--out-state", "end.xml", "--json", "end.json")
            states.append((read("end.xml"), json.loads(read("end.json"))["potential_energy"]))
        assert all(state == states[0] for state in states), f"{name}, {precision}: {COUNTS} threads give different bits"
        print(f"  {name}, {precision}: {steps} steps with {', '.join(map(str, COUNTS))} threads, same bits")


def test_water():
    same_bits("512 rigid waters", water(48), 100)


def test_water_under_a_barostat():
    options = water(48)
    write("water.system.xml", read(options[1]).decode().replace("</Forces>", barostat("", pressure=1) + "</Forces>"))
    write("water.integrator.xml", integrator("LangevinMiddle", stepSize=0.002))
    same_bits("512 rigid waters, LangevinMiddle, barostat",
              ["--system", "water.system.xml", *options[2:4], "--integrator", "water.integrator.xml"], 100)


def test_every_integrator():
    for name, (model, motion) in models().items():
        folder, options = prepare(name, model, motion)
        good("run", *options, "--steps", 10, "--log-interval", 0, "--trajectory", "none", "--output", folder + "/start")
        same_bits(name, [*options[:2], "--state", folder + "/start/final-state.xml.gz", *options[4:6]], 60)


def test_whoever_looks_on():
    name = "LangevinMiddle, barostat"
    folder, options = prepare("looked at", *models()[name])
    ends = []
    for interval in (1, 10, 1000):
        output = f"{folder}/{interval}"
        good("run", *options, "--log-interval", interval, "--trajectory-interval", interval, "--checkpoint-interval",
             interval,
             "--steps", 1000, "--output", output)
        ends.append(left_behind(output))
    assert all(end["final State"] == ends[0]["final State"] for end in ends), "logging changes the bits"
    assert all(end["log"][-1] == ends[0]["log"][-1] for end in ends), "logging changes the energies"
    print(f"  {name}: log, frames and checkpoints at every, every 10th and every 1000th step, same bits")


all_tests(globals())
