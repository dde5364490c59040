# Invalid ways to resume a run, which leave the run unchanged.
# SPDX-License-Identifier: MIT
import threading
import time

from harness import *

fluid = write_fluid()
good("run", *fluid, "--seed", 5, "--steps", 60, "--output", "done", *intervals(10, 10, 20))


def copied(name):
    shutil.rmtree(name, ignore_errors=True)
    shutil.copytree("done", name)
    return name


def contents(folder):
    """Of the regular files."""
    return {name: read(f"{folder}/{name}") for name in os.listdir(folder) if os.path.isfile(f"{folder}/{name}")}


def refused_and_unchanged(folder, *words, more=()):
    before = contents(folder)
    refused(2, *words, arguments=["run", "--resume", "--output", folder, *more], timeout=20)
    assert contents(folder) == before, f"something in {folder} changed"


def test_without_a_checkpoint_nothing_is_replaced():
    for kept in ("log.csv", "trajectory.dcd", "final-state.xml.gz"):
        folder = copied("bare")
        for name in os.listdir(folder):
            if name not in ("run.toml", kept):
                os.remove(f"{folder}/{name}")
        refused_and_unchanged(folder, "no checkpoint", kept, "--overwrite")
    os.remove("bare/final-state.xml.gz")
    good("run", "--resume", "--output", "bare")
    assert read("bare/trajectory.dcd") == read("done/trajectory.dcd")


def test_a_kill_before_the_first_checkpoint_loses_nothing():
    process = subprocess.Popen([PROGRAM, "run", *fluid, "--seed", "5", "--steps", "1000000", "--output", "early", *map(
        str, intervals(10, 10, 10**6))], stderr=subprocess.DEVNULL)
    while not os.path.exists("early/log.csv") or len(read("early/log.csv")) < 1000:
        time.sleep(0.01)
    process.kill()
    process.wait()
    good("run", "--resume", "--output", "early", "--steps", 60)
    assert read("early/trajectory.dcd") == read("done/trajectory.dcd")


def test_options_that_a_run_begins_with():
    still = write_fluid("still", velocities=False)
    other = write("other.state.xml", read(fluid[3]).decode().replace('time="0.0"', 'time="0.5"'))
    for more in (["--temperature", 300], ["--minimize"], ["--tune"]):
        refused_and_unchanged(copied("changed"), more[0], "bit by bit", more=[*more, "--steps", 70])
    refused_and_unchanged(copied("changed"), "another State", more=["--state", other, "--steps", 70])
    write("changed.toml", 'temperature = 300.0\n')
    refused_and_unchanged(copied("changed"), "--temperature", more=["changed.toml", "--steps", 70])
    # options equal to the original ones are accepted
    good("run", *still, "--steps", 5, "--temperature", 300, "--minimize", "--output", "again")
    good("run", *still, "--resume", "--steps", 9, "--temperature", "3e2", "--minimize", "--output", "again")
    os.rename("still.state.xml", "moved.state.xml")
    good("run", "--resume", "--steps", 12, "--output", "again")


def test_parameters_that_were_set_are_the_same_again():
    barostat = write_fluid("pressed", more_forces=(CMM, BAROSTAT))
    options = ["--output", "pressed", "--resume"]
    good("run", *barostat, "--steps", 5, "--set", "MonteCarloPressure=2", "--output", "pressed")
    good("run", *options, "--steps", 7, "--set", "MonteCarloPressure=2.0")
    refused(2, "--set", "bit by bit", arguments=["run", *options, "--steps", 9, "--set", "MonteCarloPressure=3"])
    write("pressed/run.toml", read("pressed/run.toml").decode().replace("MonteCarloPressure=2", "MonteCarloPressure=3"))
    refused(2, "--set", "bit by bit", arguments=["run", *options, "--steps", 9])


def test_a_run_that_is_done_says_so():
    before = contents("done")
    result = run("run", "--resume", "--output", "done", "--steps", 20)
    assert result.returncode == 0 and "done before" in result.stderr and "step 60" in result.stderr, result.stderr
    assert contents("done") == before
    result = run("run", "--resume", "--output", "done")
    assert result.returncode == 0 and "done: step 60" in result.stderr, result.stderr


def test_what_is_no_file_is_refused_at_once():
    for name in ("checkpoint", "checkpoint.previous", "log.csv", "trajectory.dcd", "run.toml", "final-state.xml.gz"):
        for make in (os.mkfifo, os.mkdir):
            folder = copied("strange")
            os.remove(f"{folder}/{name}")
            make(f"{folder}/{name}")
            refused_and_unchanged(folder, name, "regular file", more=["--steps", 70])
    folder = copied("circle")
    os.remove(f"{folder}/checkpoint")
    os.symlink("checkpoint", f"{folder}/checkpoint")
    result = run("run", "--resume", "--output", folder)
    assert result.returncode == 0 and "previous" in result.stderr, result.stderr
    assert read(f"{folder}/trajectory.dcd") == read("done/trajectory.dcd")
    os.remove(f"{folder}/run.toml")
    os.symlink("run.toml", f"{folder}/run.toml")
    refused(2, "run.toml", arguments=["run", "--resume", "--output", folder])


def test_the_slower_of_two_runs_finds_the_folder_taken():
    os.mkfifo("slow.xml")
    for folder, more in (("race", []), ("race2", ["--topology", write("race.pdb", "END\n")])):
        slow = subprocess.Popen([PROGRAM, "run", "--system", "slow.xml", *fluid[2:], "--steps", "9", "--output", folder,
                                 *more], stderr=subprocess.PIPE, text=True)
        time.sleep(0.3)
        good("run", *fluid, "--steps", 20, "--output", folder)
        before = contents(folder)
        threading.Thread(target=write, args=("slow.xml", read(fluid[1]).decode())).start()
        _, errors = slow.communicate(timeout=60)
        assert slow.returncode == 2 and "not empty" in errors, f"status {slow.returncode}: {errors}"
        assert contents(folder) == before


def test_step_counts_that_cannot_be_counted():
    for count, steps in ((2**63 - 8, 20), (2**63 - 1, 1)):
        late = write_fluid("late", steps=count)
        for command in (["run", "--output", "late"], ["step"]):
            refused(2, str(count), "2^63", arguments=[*command, *late, "--steps", steps])
        refused(2, str(count), arguments=["benchmark", *late])
        assert not os.path.exists("late")
    late = write_fluid("late", steps=2**63 - 28)
    good("run", *late, "--steps", 20, "--output", "late", "--trajectory", "none", *intervals(10**18, 0, 10**18))
    assert f'stepCount="{2**63 - 8}"' in good("step", *late, "--steps", 20, "--out-state", "/dev/stdout")


all_tests(globals())
