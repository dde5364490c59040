# Invalid and unusual input: one line that names the error, the right status, and no output files.
# SPDX-License-Identifier: MIT
import gzip
import re
import signal
import threading
import time

import small_systems
from harness import *

fluid = write_fluid()
system, state, motion = fluid[1], fluid[3], fluid[5]


def changed(name, old, new, file):
    """A copy of an input file in which a text is another."""
    text = read(file).decode()
    assert old in text, f"'{old}' is not in {file}"
    return write(name, text.replace(old, new, 1))


def test_files_that_are_no_inputs():
    os.mkdir("folder")
    write("empty.xml", "")
    write("zeros.xml", "\0" * 100)
    with open("cut.xml.gz", "wb") as file:
        file.write(gzip.compress(read(system))[:-20])
    for name, word in (("folder", "is a folder"), ("empty.xml", "is empty"), ("/dev/null", "is empty"),
                       ("zeros.xml", "not XML"), ("cut.xml.gz", "too early"), ("missing.xml", "No such file"),
                       (state, 'type is "State", expected "System"')):
        refused(2, name, word, arguments=["check", "--system", name])
    if os.geteuid() != 0:  # root may read everything
        os.chmod(write("secret.xml", "<System/>"), 0)
        refused(2, "secret.xml", "Permission", arguments=["check", "--system", "secret.xml"])


def test_pipes_are_read_to_their_end():
    os.mkfifo("pipe")
    feed = threading.Thread(target=lambda: write("pipe", read(system).decode()))
    feed.start()
    good("check", "--system", "pipe")
    feed.join()


def test_texts_that_mean_the_same_are_read_the_same():
    whole = read(system).decode()
    expected = result_of("energy", *fluid[:4])["potential_energy"]
    texts = (whole.replace(">", ">\r\n"), "\ufeff" + whole, '<?xml version="1.0" encoding="utf-8"?>\n' + whole,
             whole.replace("<Particles>", "<!-- Teilchen: äöü --><Particles>"), whole.replace('"20.0"', "'20'"),
             whole.replace('mass="20.0"', 'mass="&#50;0."'), whole.replace('eps="0.5"', 'eps=" +.5 "'),
             whole.replace('eps="0.5"', 'eps="5e-1"'), whole.replace('q="0.1" sig="0.3"', 'sig="0.3" q="0.1"'))
    for n, text in enumerate(texts):
        assert text != whole
        with open("same.xml", "wb") as file:
            file.write(gzip.compress(text.encode()) if n % 2 else text.encode())
        close(result_of("energy", "--system", "same.xml", *fluid[2:4])["potential_energy"], expected, 1e-13)


# The file, the change, and words of the error message.
BROKEN = (
    (system, 'mass="20.0"', 'mass="Infinity"', "Particle[0]", "Infinity"),
    (system, 'mass="20.0"', "", "Particle[0]", "mass is missing"),
    (system, '<A x="2.5"', '<A x="0"', "a.x, b.y, c.z must be positive"),
    (system, '<B x="0"', '<B x="2"', "|b.x| = 2", "exceeds half"),
    (system, '<C x="0" y="0"', '<C x="0" y="-2"', "|c.y| = 2", "exceeds half"),
    (system, 'd="0.11" p1="2"', 'd="0" p1="2"', "constraint 0", "0.0", "positive"),
    (system, 'd="0.11" p1="2" p2="3"', 'd="0.11" p1="2" p2="2"', "constraint 0", "itself"),
    (system, 'd="0.11" p1="6" p2="7"', 'd="0.11" p1="3" p2="2"', "constraint 1", "repeats"),
    (system, 'd="0.11" p1="2"', 'd="0.11" p1="1000000000"', "Constraint[0]", "1000000000", "0 to 127"),
    (system, 'p1="0" p2="1"', 'p1="0" p2="-1"', "Bond[0]", "-1", "0 to 127"),
    (system, 'eps="0.5"', 'eps="-0.5"', "particle 0", "-0.5", "not negative"),
    (system, 'method="4"', 'method="7"', "method", "7", "0 to 5"),
    (system, 'cutoff="0.9"', 'cutoff="1.26"', "cutoff", "1.26", "1.25"),
    (system, 'cutoff="0.9"', 'cutoff="0"', "cutoff", "0.0", "positive"),
    (system, 'ewaldTolerance="0.0005"', 'ewaldTolerance="0.5"', "tolerance", "0.5"),
    (system, 'forceGroup="0"', 'forceGroup="32"', "forceGroup", "32", "0 to 31"),
    (system, 'frequency="1"', 'frequency="0"', "frequency", "0"),
    (system, "<Forces>", '<Forces><Force type="SpringForce" version="1"/>', "SpringForce", "HarmonicBondForce"),
    (system, "<Exceptions>", "<Exceptions spare='1'>", "spare", "unknown attribute"),
    (system, "<Exceptions>", "<Exceptions><Spare/>", "Spare", "unknown element"),
    (state, "<Positions>", "<Positions>text", "unexpected text"),
    (state, '<Position x="', '<Position x="1e9999', "Position[0]", "finite"),
    (motion, 'stepSize="0.004"', 'stepSize="-1"', "stepSize", "-1"),
    (motion, 'temperature="120"', 'temperature="-1"', "temperature", "-1"),
    (motion, 'friction="1"', 'friction="nan"', "friction", "nan"),
    (motion, 'constraintTolerance="1e-05"', 'constraintTolerance="0"', "constraintTolerance", "positive"),
    (motion, 'randomSeed="0"', 'randomSeed="4294967296"', "randomSeed", "4294967296"),
    (motion, "LangevinMiddleIntegrator", "MagicIntegrator", "MagicIntegrator", "VerletIntegrator"),
)


def test_wrong_values_are_named():
    for file, old, new, *words in BROKEN:
        arguments = [changed("broken.xml", old, new, file) if part == file else part for part in fluid]
        refused(2, *words, arguments=["step", *arguments, "--steps", 1, "--out-state", "never.xml"])
    assert not os.path.exists("never.xml")


def test_wrong_integrators_are_named():
    for kind, old, new, *words in (("brownian", 'friction="20"', 'friction="0"', "friction", "positive"),
                                   ("nose-hoover", 'numYS="7"', 'numYS="2"', "numYS", "1, 3, 5 or 7"),
                                   ("nose-hoover", 'chainLength="3"', 'chainLength="0"', "chainLength", "0"),
                                   ("variable-verlet", 'errorTol="0.001"', 'errorTol="0"', "errorTol", "positive"),
                                   ("variable-verlet", 'maxStepSize="0"', 'maxStepSize="-1"', "maxStepSize", "-1")):
        write_fluid("kind", integrator=kind)
        wrong = changed("wrong.xml", old, new, "kind.integrator.xml")
        refused(2, "wrong.xml", *words, arguments=["check", *fluid[:4], "--integrator", wrong])


def test_a_box_of_the_state_that_is_too_small():
    small = write("small.xml", state_xml([(0.3 * n, 0.3, 0.3) for n in range(128)], edge=1.0))
    refused(3, "1.0", "cutoff", arguments=["energy", *fluid[:2], "--state", small])
    refused(3, "1.0", "cutoff", arguments=["step", *fluid[:2], "--state", small, *fluid[4:], "--steps", 1])


def test_two_particles_at_one_point():
    pair = write("pair.xml", system_xml([1, 1], [nonbonded_xml([(1, 0.3, 1)] * 2, method=0)]))
    point = write("point.xml", state_xml([(1, 1, 1)] * 2))
    refused(2, "point.xml", "NonbondedForce", arguments=["energy", "--system", pair, "--state", point])
    refused(3, "step 0", "particle 0", "NonbondedForce", "the nearest particle is 1",
            arguments=["step", "--system", pair, "--state", point, "--integrator", motion, "--steps", 1])


def test_no_output_replaces_an_input_or_another_output():
    for options in (["--json", system], ["--forces", state], ["--json", f"../{os.path.basename(WORK)}/{system}"],
                    ["--json", "twice", "--forces", "twice"]):
        before = read(system), read(state)
        refused(2, "name the same file", arguments=["energy", *fluid[:4], *options])
        assert (read(system), read(state)) == before and not os.path.exists("twice")
    copy = write("in-place.xml", read(state).decode())
    good("step", *fluid[:2], "--state", copy, *fluid[4:], "--steps", 2, "--out-state", copy, "--json", "/dev/null")
    assert 'stepCount="2"' in read(copy).decode()
    good("run", *fluid, "--steps", 1, "--output", "earlier")
    from_there = ["--state", "earlier/final-state.xml.gz", "--output", "earlier", "--overwrite"]
    refused(2, "final-state.xml.gz", arguments=["run", *fluid[:2], *fluid[4:], *from_there, "--steps", 1])
    write("log.csv", "not a topology")
    refused(2, "log.csv", arguments=["run", *fluid, "--topology", "log.csv", "--steps", 1, "--output", "copies"])
    assert not os.path.exists("copies")


def test_lengths_and_intervals_of_nothing():
    result = result_of("step", *fluid, "--steps", 0)
    assert result["steps"] == 0 and result["time"] == 0
    good("run", *fluid, "--steps", 0, "--output", "none")
    assert os.path.exists("none/final-state.xml.gz")
    good("run", *fluid, "--steps", 3, "--output", "silent", *intervals(0, 0, 0))
    assert not os.path.exists("silent/log.csv") and not os.path.exists("silent/trajectory.dcd")
    good("run", "--resume", "--output", "silent", "--steps", 5)
    refused(2, "step size", arguments=["run", *fluid[:4], "--integrator",
                                       changed("still.xml", "0.004", "0", motion), "--steps", 1, "--output", "still"])


def test_toml_values_of_wrong_types():
    for line, word in (("steps = 1.5", "1.5"), ("steps = -3", "-3"), ("steps = 1979-05-27", "steps"),
                       ("system = ['a', 'b']", "system"), ("platform = 7", "7"), ("temperature = 'hot'", "hot"),
                       ("set = [3]", "3"), ("set = [{a = 1}]", "set"), ("steps = 1\nsteps = 2", "line 2")):
        write("wrong.toml", line + "\n")
        refused(2, "wrong.toml" if "set" not in line or "{" in line else "--set", word,
                arguments=["run", "wrong.toml", "--output", "never"])
    assert not os.path.exists("never")


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_again():
    options = ["run", *fluid, "--steps", 30, "--seed", 5, *intervals(10, 10, 0)]
    good(*options, "--output", "whole")
    os.mkdir("begun")
    shutil.copy("whole/run.toml", "begun")
    good("run", "--resume", "--output", "begun", "--seed", 5)
    assert read("begun/trajectory.dcd") == read("whole/trajectory.dcd")


def end_of(folder):
    return gzip.decompress(read(f"{folder}/final-state.xml.gz")), read(f"{folder}/trajectory.dcd")


def test_a_signal_during_minimization_leaves_a_run_that_goes_on():
    files = small_systems.write("lattice", small_systems.water(27, cutoff=0.45), small_systems.integrator("Verlet"))
    options = [*files, "--minimize", "--temperature", 120, "--steps", 30, "--seed", 5, *intervals(10, 10, 0)]
    choose = random.Random(5)
    begin = time.time()
    good("run", *options, "--output", "minimized")
    longest, during = time.time() - begin, 0
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)) * 3:
        shutil.rmtree("stopped", ignore_errors=True)
        process = subprocess.Popen([PROGRAM, "run", *map(str, options), "--output", "stopped"],
                                   stderr=subprocess.PIPE, text=True)
        while not os.path.exists("stopped/checkpoint") and process.poll() is None:
            time.sleep(0.001)
        time.sleep(choose.uniform(0, 0.7) * longest)
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
        assert process.returncode in (status, 0), f"status {process.returncode}: {errors}"
        during += "before the first step" in errors
        assert os.path.exists("stopped/checkpoint"), "interrupted without a checkpoint"
        good("run", "--resume", "--output", "stopped")
        assert end_of("stopped") == end_of("minimized"), "another end after an interruption"
    assert during > 0, "no signal came during the minimization"


all_tests(globals())
