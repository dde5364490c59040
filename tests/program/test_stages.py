# Staged runs: what stages write, restraints, ramps, kills and resumption, refusals.
# SPDX-License-Identifier: MIT
import csv
import gzip
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

SCRIPT = os.path.abspath(__file__)  # before the harness changes the folder

from harness import *

ATOM = "HETATM{:5d}  {:<3} MOL A{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           {}\n"
PLATFORM = ["--platform", "cpu", "--threads", 1]

write_fluid(velocities=False)
places = [[float(x) for x in position] for position in re.findall(
    r'<Position x="([^"]*)" y="([^"]*)" z="([^"]*)"', read("fluid.state.xml").decode())]
write("fluid.pdb", "CRYST1   25.000   25.000   25.000  90.00  90.00  90.00 P 1\n" + "".join(
    ATOM.format(n + 1, "C1" if n % 2 == 0 else "N2", n // 2 + 1, *(10 * x for x in place), "CN"[n % 2])
    for n, place in enumerate(places)))

HEAD = ('system = "fluid.system.xml"\nstate = "fluid.state.xml"\ntopology = "fluid.pdb"\noutput = "OUT"\nseed = 3\n'
        'log_interval = 10\ntrajectory_interval = 20\ncheckpoint_interval = 25\n')
STAGES = """
[[restraint]]
name = "first"
atoms = "resid 1:4 and name C1"
k = "1 kcal/mol/A^2"
reference = "start"

[[restraint]]
name = "pair"
between = ["resid 1", "resid 2"]
k = 100
distance = 0.7

[[stage]]
name = "min"
minimize = true
max_iterations = 30

[[stage]]
name = "heat"
time = 0.6
timestep = "4 fs"
temperature = [[0, 20], [0.4, 120]]
restraints = { pair = 0 }

[[stage]]
name = "press"
time = "0.8 ps"
timestep = "4 fs"
temperature = 120
pressure = [[0, 1], [0.5, 50]]
barostat_interval = 5
restraints = { first = [[0, 1], [0.6, 0]] }

[[stage]]
name = "flat"
time = 0.6
timestep = "4 fs"
temperature = 120
pressure = 50
until = "plateau"
blocks = 2
must_be_flat = false
restraints = { first = 0, pair = 0 }
"""
FOLDERS = ["00-prepared", "01-min", "02-heat", "03-press", "04-flat.1", "04-flat.2"]


def staged(output, stages=STAGES, head=HEAD):
    return write(f"{output}.toml", head.replace("OUT", output) + stages)


def manifest(output):
    return json.load(open(os.path.join(output, "stages.json")))


def stages_of(output):
    return {stage["name"]: stage for stage in manifest(output)["stages"]}


def statuses(output):
    return [stage["status"] for stage in manifest(output)["stages"]]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def bits(output):
    """All that stages computed: final States, trajectories, logs but for progress and wall times."""
    result = {}
    for folder in sorted(os.listdir(output)):
        for name in ("final-state.xml.gz", "trajectory.dcd", "system.xml.gz", "start-state.xml.gz"):
            path = os.path.join(output, folder, name)
            if os.path.exists(path):
                result[folder, name] = gzip.decompress(read(path)) if path.endswith(".gz") else read(path)
        path = os.path.join(output, folder, "log.csv")
        if os.path.exists(path):
            with open(path, newline="") as file:
                result[folder, "log"] = [row[1:-2] for row in csv.reader(file)]
    return result


def same(whole, other, name):
    expected, got = bits(whole), bits(other)
    assert expected.keys() == got.keys(), f"{name}: {sorted(expected.keys() ^ got.keys())}"
    for key in expected:
        assert expected[key] == got[key], f"{name}: {key} differs"


def test_folders_of_all_stages():
    good("run", staged("whole"), *PLATFORM)
    assert sorted(name for name in os.listdir("whole") if name[0].isdigit()) == FOLDERS, os.listdir("whole")
    known = stages_of("whole")
    assert list(known) == ["prepared", "min", "heat", "press", "flat.1", "flat.2"], list(known)
    assert all(stage["status"] == "done" for stage in known.values()), known
    assert [stage["kind"] for stage in known.values()] == ["prepare", "minimize"] + 4 * ["simulate"]
    assert known["heat"]["steps"] == 150 and known["heat"]["timestep"] == 0.004 and known["heat"]["temperature"] == 120
    assert known["heat"]["pressure"] is None and known["press"]["pressure"] == 50
    for entry in manifest("whole")["inputs"]:
        assert entry["sha256"] == hashlib.sha256(read(entry["path"])).hexdigest(), entry
        assert entry["bytes"] == len(read(entry["path"])), entry
    assert len(manifest("whole")["inputs"]) == 3
    for folder in FOLDERS[2:]:
        for name in ("log.csv", "trajectory.dcd", "topology.pdb", "checkpoint", "final-state.xml.gz", "run.toml", "system.xml.gz"):
            assert os.path.exists(os.path.join("whole", folder, name)), f"{folder}/{name}"
    assert "flat.2" in read("whole/report.html").decode()
    joined = rows("whole/log.csv")
    assert next(iter(joined[0])) == '#"Stage"' or next(iter(joined[0])) == "#Stage", joined[0]
    heat = rows("whole/02-heat/log.csv")
    stage = next(iter(joined[0]))
    assert [row["Step"] for row in joined if row[stage] == "heat"] == [row["Step"] for row in heat]
    assert {row[stage] for row in joined} == {"heat", "press", "flat.1", "flat.2"}
    # a block of 15 lines is too short to be judged; blocks go on in time, stages begin at 0
    assert heat[0]["Step"] == "10" and rows("whole/04-flat.2/log.csv")[0]["Step"] == "160"
    refused(2, "not empty", arguments=["run", "whole.toml"])


def forces_of(folder, kind):
    root = xml.etree.ElementTree.fromstring(gzip.decompress(read(f"{folder}/system.xml.gz")))
    return [force for force in root.iter("Force") if force.get("type") == kind]


def state_positions(path):
    root = xml.etree.ElementTree.fromstring(gzip.decompress(read(path)))
    return [[float(p.get(axis)) for axis in "xyz"] for p in root.iter("Position")]


def test_energies_of_restraints():
    """Against their formulas, at the end of the stage that ramps one of them to zero."""
    end = result_of("energy", "--system", "whole/03-press/system.xml.gz", "--state", "whole/03-press/final-state.xml.gz",
                    "--platform", "reference", "--set", "restraint_first=0.5")
    energies = {force.get("label"): force["energy"] for force in end["energy_by_force"]}
    start, now = state_positions("whole/03-press/start-state.xml.gz"), state_positions("whole/03-press/final-state.xml.gz")
    edge = float(re.search(r'<A x="([^"]*)"', gzip.decompress(read("whole/03-press/final-state.xml.gz")).decode()).group(1))
    squares = sum((d - edge * round(d / edge)) ** 2 for n in (0, 2, 4, 6) for d in (a - b for a, b in zip(now[n], start[n])))
    assert squares > 1e-6, "the restrained atoms have not moved"
    close(energies["restraint first"], 0.5 * 418.4 / 2 * squares, 1e-9)
    middle = [[(now[n][axis] + now[n + 1][axis]) / 2 for axis in range(3)] for n in (0, 2)]
    distance = math.sqrt(sum((d - edge * round(d / edge)) ** 2 for d in (a - b for a, b in zip(*middle))))
    close(energies["restraint pair"], 100 / 2 * (distance - 0.7) ** 2, 1e-6)
    # left out where the factor is 0
    assert [force.get("name") for force in forces_of("whole/02-heat", "CustomExternalForce")] == ["restraint first"]
    assert forces_of("whole/02-heat", "CustomCentroidBondForce") == []
    assert forces_of("whole/04-flat.1", "CustomExternalForce") == [] and len(forces_of("whole/03-press", "MonteCarloBarostat")) == 1
    assert forces_of("whole/02-heat", "MonteCarloBarostat") == []


def test_ramps_reach_their_ends():
    text = gzip.decompress(read("whole/03-press/final-state.xml.gz")).decode()
    assert 'restraint_first="0"' in text and 'MonteCarloPressure="50"' in text, text[:1500]
    # the same ramps as options of an ordinary run give the same bits
    run = ["--system", "whole/02-heat/system.xml.gz", "--state", "whole/02-heat/start-state.xml.gz", "--integrator",
           "whole/02-heat/integrator.xml", "--ramp", "temperature=0:20,0.4:120", "--temperature", 20, "--seed",
           re.search(r"seed = '?\"?(\d+)", read("whole/02-heat/run.toml").decode()).group(1)]
    good("run", *run, *PLATFORM, *intervals(10, 20, 25), "--steps", 150, "--output", "by-hand")
    assert gzip.decompress(read("by-hand/final-state.xml.gz")) == gzip.decompress(read("whole/02-heat/final-state.xml.gz"))
    # and without them others
    good("run", *run[:6], *run[8:], *PLATFORM, *intervals(10, 20, 25), "--steps", 150, "--output", "no-ramp")
    assert gzip.decompress(read("no-ramp/final-state.xml.gz")) != gzip.decompress(read("whole/02-heat/final-state.xml.gz"))
    refused(2, "--ramp: there is no parameter 'x'", arguments=["run", *run[:6], "--ramp", "x=0:1", "--steps", 5, *PLATFORM, "--output", "no"])
    refused(2, "has no barostat", arguments=["run", *run[:6], "--ramp", "pressure=0:1", "--steps", 5, *PLATFORM, "--output", "no"])
    refused(2, "is no ramp", arguments=["run", *run[:6], "--ramp", "temperature=0:1;2", "--steps", 5, *PLATFORM, "--output", "no"])
    refused(2, "and would not go on bit by bit", "--ramp", arguments=["run", "--resume", "--output", "no-ramp", "--ramp", "temperature=5", "--steps", 160])
    assert not os.path.exists("no")


def test_killed_at_random_moments():
    choose = random.Random(5)
    begin = time.time()
    good("run", staged("timed"), *PLATFORM)
    seconds = time.time() - begin
    same("whole", "timed", "another run")
    file = staged("killed")
    kills = 0
    for attempt in range(100):
        how = ["--resume", "--output", "killed"] if os.path.exists("killed/run.toml") else [file, "--overwrite", *PLATFORM]
        process = subprocess.Popen([PROGRAM, "run", *map(str, how)], stderr=subprocess.PIPE, text=True)
        if kills < 8:
            time.sleep(choose.uniform(0, seconds / 5))
            process.send_signal(signal.SIGKILL if kills % 3 else signal.SIGINT)
        _, message = process.communicate(timeout=600)
        if process.returncode == 0:
            break
        assert process.returncode in (-9, -2, 130), f"after {kills} kills: status {process.returncode}: {message}"
        kills += 1
    same("whole", "killed", f"killed {kills} times")
    assert kills > 0 and all(stage["status"] == "done" for stage in stages_of("killed").values())
    print(f"  killed {kills} times, same bits")


def test_stages_one_by_one():
    good("run", staged("pieces"), "--until", "heat", *PLATFORM)
    assert statuses("pieces") == ["done"] * 3 + ["waiting"] * 2, statuses("pieces")
    good("run", "pieces.toml", "--resume", "--until", "flat")
    same("whole", "pieces", "in pieces")
    good("run", "--resume", "--output", "pieces")
    same("whole", "pieces", "after a resumption without work")
    # a changed stage that has begun is refused by name, unless it begins anew
    changed = STAGES.replace("[0.4, 120]", "[0.4, 110]")
    staged("pieces", changed)
    refused(2, "stage heat has begun, but its temperature was 0:20,0.4:120, and is 0:20,0.4:110; --from heat",
            arguments=["run", "pieces.toml", "--resume"])
    same("whole", "pieces", "after a refusal")
    good("run", "pieces.toml", "--resume", "--from", "heat", "--until", "heat")
    assert statuses("pieces") == ["done"] * 3 + ["waiting"] * 2, statuses("pieces")
    assert not os.path.exists("pieces/03-press") and not os.path.exists("pieces/04-flat.2")
    assert bits("pieces")["01-min", "final-state.xml.gz"] == bits("whole")["01-min", "final-state.xml.gz"]
    assert bits("pieces")["02-heat", "final-state.xml.gz"] != bits("whole")["02-heat", "final-state.xml.gz"]
    staged("pieces")
    good("run", "pieces.toml", "--resume", "--from", "heat")
    same("whole", "pieces", "begun anew")
    # so is a changed input
    shutil.copy("fluid.pdb", "kept.pdb")
    write("fluid.pdb", "REMARK\n" + read("kept.pdb").decode())
    refused(2, "stage prepared has begun, but its input", "fluid.pdb has changed; --from prepared", arguments=["run", "--resume", "--output", "pieces"])
    shutil.move("kept.pdb", "fluid.pdb")
    refused(2, "--from nothing is no stage, expected one of prepared, min", arguments=["run", "pieces.toml", "--resume", "--from", "nothing"])
    refused(2, "--from needs --resume", arguments=["run", "pieces.toml", "--from", "heat"])


def test_dry_run_writes_nothing():
    before = sorted(os.listdir())
    table = good("run", staged("dry"), "--dry-run")
    assert sorted(os.listdir()) == sorted([*before, "dry.toml"])
    assert "02-heat" in table and "0:20,0.4:120" in table and "waiting" in table and "fluid.pdb" in table, table


def test_example_is_understood():
    example = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(SCRIPT)))), "examples", "staged_run.toml")
    shutil.copy(example, "example.toml")
    shutil.copy("fluid.pdb", "protein.pdb")
    table = good("run", "example.toml", "--dry-run")
    assert "08-npt-3" in table and "11-release" in table and "backbone=0:1,400:0" in table, table
    assert re.search(r"12-production +simulate +25000000 +0.004 +100000 ", table), table


def test_saved_atoms():
    stages = '[[stage]]\nname = "a"\ntime = 0.08\ntimestep = 0.004\ntemperature = 100\nsave = "name C1"\n'
    good("run", staged("saved", stages), *PLATFORM)
    lines = read("saved/01-a/topology.pdb").decode().splitlines()
    assert sum(line.startswith(("ATOM", "HETATM")) for line in lines) == 64
    assert len(read("saved/01-a/trajectory.dcd")) < 0.6 * len(read("whole/02-heat/trajectory.dcd"))


def test_failures_name_the_stage():
    blow = '[[stage]]\nname = "wild"\ntime = 200\ntimestep = 2\ntemperature = 300\n'
    refused(3, "stage wild: ", arguments=["run", staged("blown", blow), *PLATFORM])
    known = stages_of("blown")["wild"]
    assert known["status"] == "failed" and known["message"].startswith("stage wild: "), known
    # a failed stage may be changed
    good("run", staged("blown", blow.replace("200", "0.2").replace("= 2\n", "= 0.002\n")), "--resume")
    assert stages_of("blown")["wild"]["status"] == "done"
    never = STAGES.replace("must_be_flat = false", "").replace("blocks = 2", "blocks = 1")
    refused(3, "stage flat.1: after 1 blocks", "`blocks` would go on", arguments=["run", staged("never", never), *PLATFORM])
    assert stages_of("never")["flat.1"]["status"] == "failed"


def wrong(stages, *words, head=HEAD, arguments=()):
    before = sorted(os.listdir())
    refused(2, *words, arguments=["run", staged("wrong", stages, head), *PLATFORM, *arguments])
    assert sorted(set(os.listdir()) - {"wrong.toml"}) == sorted(set(before) - {"wrong.toml"}), f"{stages} leaves something"


def test_refusals():
    stage = '[[stage]]\nname = "a"\ntime = 1\ntemperature = 300\n'
    wrong('[[stage]]\ntime = 1\n', "wrong.toml, line ", "name is missing, expected a name")
    wrong('[[stage]]\nname = "a/b"\n', 'name is "a/b", expected up to 64 letters')
    wrong('[[stage]]\nname = "a"\n', "[stage a] time is missing, expected minimize = true or a time")
    wrong('[[stage]]\nname = "a"\ntime = 1\n', "[stage a] temperature is missing")
    wrong(stage + "no_such_key = 1\n", "[stage a] no_such_key is no key of this table")
    wrong(stage + 'timestep = "2 min"\n', "[stage a] timestep is '2 min', expected a number, or a text of a number, a space and one of fs")
    wrong(stage + "timestep = 0\n", "timestep is wrong, expected a number above 0")
    wrong(stage.replace("= 1\n", "= 1e-9\n"), "[stage a] time is wrong: stage a: a time of 1e-09 ps")
    wrong(stage.replace("300", "[[0, 1], [0, 2]]"), "[stage a] temperature is wrong: point 1 of a ramp is 2 at 0 ps")
    wrong(stage.replace("300", "[1, 2]"), "expected a number, or a list of pairs")
    wrong(stage.replace("300", "-5"), "temperature is wrong")
    wrong(stage + stage, 'there are two stages of the name "a"')
    wrong(stage + 'until = "plateau"\n', "until needs a pressure")
    wrong(stage + 'save = "nam C"\n', "[stage a] save is no selection:")
    wrong(stage + "restraints = { b = 1 }\n", '[stage a] restraints names "b", expected the name of a table [[restraint]]')
    wrong('[[stage]]\nname = "a"\nminimize = true\ntime = 3\n', "[stage a] time does not go with minimize")
    wrong('[[restraint]]\nname = "r"\natoms = "all"\n' + stage, "[restraint r] k is missing")
    wrong('[[restraint]]\nname = "r"\natoms = "all"\nk = "2 kcal"\n' + stage, "[restraint r] k is '2 kcal'")
    wrong('[[restraint]]\nname = "scale"\natoms = "all"\nk = 1\n' + stage, 'name is "scale"')
    wrong('[[restraint]]\nname = "r"\nbetween = ["all"]\ndistance = 1\nk = 1\n' + stage, "expected a list of two selections")
    wrong('[equilibrate]\nprotocol = "fast"\n', "[equilibrate] protocol is \"fast\", expected roe-brooks or simple")
    wrong('[equilibrate]\npresure = 1\n', "[equilibrate] presure is no key")
    wrong(stage, "--steps does not go with stages", arguments=["--steps", 5])
    wrong(stage, "--temperature does not go with stages", head=HEAD + "temperature = 3\n")
    wrong(stage, "has no [prepare], expected it, or system and state", head='output = "OUT"\n')
    wrong('[prepare]\nstructure = "fluid.pdb"\n' + stage, "has [prepare] and also system or state")
    wrong('[prepare]\nstructure = "fluid.pdb"\n' + stage, "[prepare] has no forcefield", head='output = "OUT"\n', arguments=["--dry-run"])
    wrong('[[restraint]]\nname = "r"\natoms = "all"\nk = 1\n' + stage.replace("300", "[[0, 0], [1, 300]]") + "pressure = 1\n", "temperature is wrong, expected a number above 0")
    keep = staged("keep", stage + 'velocities = "keep"\n')
    refused(2, "stage a: velocities is", "nothing has moved before it, expected", arguments=["run", keep, *PLATFORM])
    # what can only be seen when a stage begins leaves what was done before, and names the stage
    nobody = '[[restraint]]\nname = "r"\natoms = "resname XYZ"\nk = 1\n' + stage
    refused(2, "stage a: restraint r: the selection 'resname XYZ' selects no atom", arguments=["run", staged("nobody", nobody), *PLATFORM])
    bare = HEAD.replace('topology = "fluid.pdb"\n', "")
    refused(2, "selects atoms by what they are, expected `topology`", arguments=["run", staged("bare", nobody, bare), *PLATFORM])


def test_files_without_stages_mean_what_they_meant():
    write("plain.toml", 'system = "fluid.system.xml"\nstate = "fluid.state.xml"\nintegrator = "fluid.integrator.xml"\nsteps = 10\noutput = "plain"\n')
    good("run", "plain.toml", *PLATFORM)
    assert not os.path.exists("plain/stages.json")
    write("odd.toml", "[other]\na = 1\n")
    refused(2, "other is neither a number", arguments=["run", "odd.toml"])
    write("odd.toml", "stage = 3\n")
    refused(2, "stage is no option that a file can hold", arguments=["run", "odd.toml"])


all_tests(globals())
