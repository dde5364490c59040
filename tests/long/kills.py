# Runs stopped at every step or killed at random moments end with the bits of an uninterrupted one.
# SPDX-License-Identifier: MIT
#
# kills.py PROGRAM RESULTS
from record import Record

record = Record("interruptions")

from interruptions import generator, kill_and_resume, models, prepare, stop_and_resume, timed, uninterrupted

CHOSEN, MANY, FEW = "LangevinMiddle, barostat", 200, 10
STOPS = range(1, 201)
MOST_STEPS = 8000


def killed(name, kills_wanted, seconds_wanted=2.0):
    """A run of some seconds, killed every few tenths of one, as often as it takes."""
    folder, options = prepare("killed " + name, *models()[name])
    steps = 500
    while True:
        whole, seconds = timed(uninterrupted, folder, [*options, "--overwrite"], steps)
        if seconds > seconds_wanted:
            break
        if steps == MOST_STEPS:
            break  # on a fast machine some boxes would shrink below the cutoff
        steps = min(MOST_STEPS, 10 * round(steps * min(10, 1.2 * seconds_wanted / seconds) / 10))
    kills, choose, runs = 0, generator(len(name)), 0
    while kills < kills_wanted:
        kills += kill_and_resume(name, folder, options, whole, steps, seconds / 4, choose, kills_wanted - kills)
        runs += 1
    return f"{kills} kills in {runs} runs of {steps} steps: same final State, frames and log", "same bits", True


def stopped(name, stops, steps):
    folder, options = prepare("stopped " + name, *models()[name])
    whole = uninterrupted(folder, options, steps)
    for stop in stops:
        stop_and_resume(name, folder, options, whole, [stop], steps)
    return f"stopped at {len(stops)} steps from {stops[0]} to {stops[-1]}, resumed to {steps}", "same bits", True


def holds(measure, *arguments):
    """A difference is a row that fails, not the end of the script."""
    try:
        return measure(*arguments)
    except AssertionError as difference:
        return str(difference), "same bits", False


record.together({f"{name}, killed": lambda name=name: holds(killed, name, MANY if name == CHOSEN else FEW) for name in models()}
                | {f"{name}, stopped": lambda name=name: holds(stopped, name, STOPS, 220) for name in models()})
record.finish()
