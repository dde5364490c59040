# A run that was stopped or killed resumes to the same bits, with every integrator, thermostat and barostat.
# SPDX-License-Identifier: MIT
from harness import *
from interruptions import generator, kill_and_resume, models, prepare, stop_and_resume, timed, uninterrupted

STEPS = 90


def test_stopped_at_any_step():
    choose = generator(2)
    for name, (model, motion) in models().items():
        folder, options = prepare(name, model, motion)
        whole = uninterrupted(folder, options, STEPS)
        stops = sorted(choose.sample(range(1, STEPS), 2))
        stop_and_resume(name, folder, options, whole, stops, STEPS)
        print(f"  {name}: stopped at steps {stops[0]} and {stops[1]}, same bits at {STEPS}")


def test_killed_at_random_moments():
    name = "LangevinMiddle, barostat"
    folder, options = prepare("killed " + name, *models()[name])
    whole, seconds = timed(uninterrupted, folder, options, 4000)
    kills = kill_and_resume(name, folder, options, whole, 4000, seconds / 2, generator(1), limit=5)
    print(f"  {name}: killed {kills} times, same bits")
    assert kills > 0


all_tests(globals())
