# Users' files in the output folder, invalid file names, and modified trajectories.
# SPDX-License-Identifier: MIT
import re
import stat
import xml.etree.ElementTree as ElementTree

from harness import *

fluid = write_fluid()
system, state, motion = fluid[1], fluid[3], fluid[5]


def test_files_beside_an_output_are_left_alone():
    write("precious", "precious")
    os.link("precious", "a.json.partial")
    os.symlink("precious", "b.json.partial")
    os.mkfifo("c.json.partial")
    for name in "abc":
        result_file = f"{name}.json"
        good("energy", *fluid[:4], "--json", result_file, timeout=60)
        assert json.loads(read(result_file))["particles"] == 128
    assert read("precious") == b"precious" and os.stat("precious").st_nlink == 2
    assert os.path.islink("b.json.partial")
    shutil.copy(state, "z.json.partial")
    good("energy", *fluid[:2], "--state", "z.json.partial", "--json", "z.json")
    assert read("z.json.partial") == read(state)
    good("energy", *fluid[:4], "--json", "d.json", "--forces", "d.json.partial")
    assert os.path.getsize("d.json.partial") > 128 * 24 and json.loads(read("d.json"))
    assert not [name for name in os.listdir(".") if name.startswith(".trotter-")]


def test_outputs_that_are_one_file_are_refused_however_they_are_called():
    os.makedirs("one/inner")
    os.symlink("one", "other")
    os.symlink("one/inner/none", "ahead")  # leads to a file that is not there yet
    os.symlink("ahead", "further")
    os.link(state, "hard.xml")
    os.symlink(state, "soft.xml")
    for first, second in (("one/x", "other/x"), ("one/inner/../x", "one/x"), ("ahead", "one/inner/none"),
                          ("further", "other/inner/none"), ("y", "./y"), ("y", os.path.abspath("y"))):
        refused(2, "name the same file", arguments=["energy", *fluid[:4], "--json", first, "--forces", second])
        assert not os.path.exists(first)
    before = read(state)
    for name in ("hard.xml", "soft.xml"):
        refused(2, "name the same file", arguments=["energy", *fluid[:4], "--json", name])
    assert read(state) == before
    good("energy", *fluid[:4], "--json", "further", "--forces", "one/x")
    assert json.loads(read("one/inner/none")) and os.path.islink("ahead") and os.path.islink("further")


def test_pipes_where_files_are_expected_are_refused_at_once():
    os.mkfifo("pipe")
    refused(2, "pipe", arguments=["energy", "--system", "pipe", "--state", state], timeout=20)
    refused(5, "pipe", "nobody reads", arguments=["energy", *fluid[:4], "--json", "pipe"], timeout=20)
    good("run", *fluid, "--steps", 20, "--output", "pipes", *intervals(10, 10, 10))
    for name in ("log.csv", "trajectory.dcd", "run.toml"):
        shutil.rmtree("again", ignore_errors=True)
        shutil.copytree("pipes", "again")
        os.remove(f"again/{name}")
        os.mkfifo(f"again/{name}")
        result = run("run", "--resume", "--output", "again", "--steps", 40, timeout=20)
        assert result.returncode in (2, 5) and name in result.stderr, result
    shutil.rmtree("again")
    shutil.copytree("pipes", "again")
    os.remove("again/checkpoint")
    os.mkfifo("again/checkpoint")
    refused(2, "again/checkpoint", "no regular file", arguments=["run", "--resume", "--output", "again", "--steps", 40], timeout=20)
    assert stat.S_ISFIFO(os.stat("again/checkpoint").st_mode)


def test_what_is_kept_of_log_and_trajectory_is_known_to_the_last_bit():
    choose = random.Random(7)
    for kind in ("dcd", "xtc", "nc"):
        good("run", *fluid, "--seed", 5, "--steps", 40, "--output", kind, "--trajectory", kind, *intervals(10, 10, 20))
        for name in (f"trajectory.{kind}", "log.csv"):
            whole = read(f"{kind}/{name}")
            for place in [300, len(whole) - 1, *(choose.randrange(280, len(whole)) for _ in range(6))]:
                shutil.rmtree("flipped", ignore_errors=True)
                shutil.copytree(kind, "flipped")
                damaged = whole[:place] + bytes([whole[place] ^ 1 << choose.randrange(8)]) + whole[place + 1:]
                with open(f"flipped/{name}", "wb") as file:
                    file.write(damaged)
                refused(2, name, arguments=["run", "--resume", "--output", "flipped", "--steps", 60])
                assert read(f"flipped/{name}") == damaged
        good("run", "--resume", "--output", kind, "--steps", 60)
        good("run", *fluid, "--seed", 5, "--steps", 60, "--output", f"whole-{kind}", "--trajectory", kind, *intervals(10, 10, 20))
        assert read(f"{kind}/trajectory.{kind}") == read(f"whole-{kind}/trajectory.{kind}")


def test_a_checkpoint_may_be_a_link_to_elsewhere():
    good("run", *fluid, "--seed", 5, "--steps", 20, "--output", "linked", *intervals(10, 10, 10))
    elsewhere = tempfile.mkdtemp(prefix="trotter-test-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        os.rename("linked/checkpoint", "moved")
        shutil.copy("moved", f"{elsewhere}/checkpoint")
        os.symlink(f"{elsewhere}/checkpoint", "linked/checkpoint")
        good("run", "--resume", "--output", "linked", "--steps", 60)
        assert os.path.islink("linked/checkpoint") and os.path.exists(f"{elsewhere}/checkpoint.previous")
        with open(f"{elsewhere}/checkpoint", "wb") as file:
            file.write(b"damaged")
        result = run("run", "--resume", "--output", "linked", "--steps", 80)
        assert result.returncode == 0 and "checkpoint.previous" in result.stderr, result
    finally:
        shutil.rmtree(elsewhere)


NAMES = ("k[1]", "k'", 'a"b', "a<b>&", "two words", "1st", "a:b", "λ", "×", "tab\tname", "new\nline", "a/b", "x" * 300, "\u007f", "😀")


def escaped(name):
    from xml.sax.saxutils import quoteattr
    return quoteattr(name, {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def test_parameters_of_any_name_end_in_a_state_that_is_read_again():
    for name in NAMES:
        text = read(system).decode()
        assert "<GlobalParameters/>" in text
        named = write("named.xml", text.replace("<GlobalParameters/>",
                      f'<GlobalParameters><Parameter name={escaped(name)} default="0.5"/></GlobalParameters>', 1))
        inputs = ["--system", named, "--state", state, "--integrator", motion]
        good("step", *inputs, "--steps", 1, "--out-state", "end.xml", "--json", "end.json", "--set", f"{name}=0.25")
        ElementTree.fromstring(read("end.xml"))
        json.loads(read("end.json").decode())
        good("step", "--system", named, "--state", "end.xml", "--integrator", motion, "--steps", 1, "--out-state", "again.xml")
        parameters = ElementTree.fromstring(read("again.xml")).find("Parameters")
        found = dict(parameters.attrib) | {child.get("name"): child.get("value") for child in parameters}
        assert {key: float(value) for key, value in found.items()} == {name: 0.25}, (name, found)


def test_names_that_no_file_can_hold_are_refused_before_the_first_step():
    text = re.sub(rb'(<Force\b[^>]*) name="[^"]*"', rb"\1", read(system))
    force_name = re.search(rb'<Force type="NonbondedForce"', text).group()
    for bytes_of_name in (b"\x01", b"a\x1b[31m", b"\xff", b"\xed\xa0\x80", b"&#xD800;", b"&#1;", b"&#x1b;", b"\xc3"):
        with open("bad-name.xml", "wb") as file:
            file.write(text.replace(force_name, force_name + b' name="' + bytes_of_name + b'"', 1))
        result = refused(2, "bad-name.xml, line 1", arguments=["energy", "--system", "bad-name.xml", *fluid[2:4]])
        assert "\x1b" not in result.stderr
    odd = ('<Force type="CustomBondForce" version="3" forceGroup="0" usesPeriodic="0" energy="r"><PerBondParameters/>'
           '<GlobalParameters><Parameter name="\u009b\u202e&#9;\u00e9&quot;" default="1"/></GlobalParameters>'
           '<EnergyParameterDerivatives><Parameter name="\u009b\u202e&#9;\u00e9&quot;"/></EnergyParameterDerivatives>'
           '<Bonds/></Force></Forces>')
    write("good-name.xml", read(system).decode().replace("</Forces>", odd))
    answer = good("energy", "--system", "good-name.xml", *fluid[2:4])
    assert "\u009b" not in answer and "\u202e" not in answer
    assert json.loads(answer)["parameter_derivatives"] == {"\u009b\u202e\t\u00e9\"": 0}


def test_a_run_whose_inputs_cannot_be_recorded_is_refused():
    name = os.fsdecode(b"system-\xff.xml")
    shutil.copy(system, name)
    good("energy", "--system", name, *fluid[2:4])
    refused(2, 'system-?.xml"', "UTF-8", arguments=["run", "--system", name, *fluid[2:], "--steps", 1, "--output", "bytes"])
    assert not os.path.exists("bytes")
    shutil.copy(system, "new\nline\u00e9.xml")
    good("run", "--system", "new\nline\u00e9.xml", *fluid[2:], "--steps", 1, "--output", "lines")
    good("run", "--resume", "--output", "lines", "--steps", 2)


def numbers_of_frames(path, particles):
    """The steps that the frames of an XTC file of few particles state."""
    content = read(path)
    size = 56 + 12 * particles
    assert len(content) % size == 0
    return [struct.unpack_from(">i", content, at + 8)[0] for at in range(0, len(content), size)]


def test_frames_beyond_31_bits_are_numbered_in_one_way():
    masses = [10.0] * 2
    write("two.xml", system_xml(masses, []))
    end = 2**31 - 1
    for first, interval, count, expected in ((end - 9, 3, 3, "steps"), (end - 6, 1, 20, "1, 2, 3"),
                                             (end - 6, 7, 5, "intervals of 7 steps"), (end * 5, 3, 4, "1, 2, 3"),
                                             (end * 5, 10, 4, "intervals of 10 steps")):
        positions = "<Positions>" + '<Position x="0" y="0" z="0"/>' * 2 + "</Positions>"
        start = (f'<State type="State" version="1" time="0" stepCount="{first}">{box_xml(2.5)}{positions}</State>')
        write("far.xml", start)
        shutil.rmtree("far", ignore_errors=True)
        result = run("run", "--system", "two.xml", "--state", "far.xml", "--integrator", motion, "--steps", interval * count,
                     "--output", "far", "--trajectory", "xtc", *intervals(0, interval, 0))
        assert result.returncode == 0, result.stderr
        assert (expected in result.stderr) != (expected == "steps"), result.stderr
        numbers = numbers_of_frames("far/trajectory.xtc", 2)
        assert len(numbers) >= count - 1 and numbers[0] >= 0 and all(a < b for a, b in zip(numbers, numbers[1:])), numbers


all_tests(globals())
