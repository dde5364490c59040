# Messages are safe to print and short, and report a bug only if there is one.
# SPDX-License-Identifier: MIT
from harness import *

STEERING = "s\033[31m\r\x7f\x9b\u202e\u200f\ufeffzz"


def told(*arguments, status=2):
    result = subprocess.run([PROGRAM, *map(os.fsencode, map(str, arguments))], capture_output=True, timeout=60)
    text = result.stderr.decode()  # fails where it is no UTF-8
    assert result.returncode == status, f"{arguments}: status {result.returncode}: {text}"
    assert text.endswith("\n") and text.count("\n") == 1 and len(text) < 1300, text
    assert all(c == "\n" or (c.isprintable() and c not in "\u202e") for c in text), repr(text)
    assert "defect" not in text, text
    return text


def test_characters_that_steer_a_terminal_are_not_shown():
    inputs = write_fluid()
    broken = b"\xff\xfe\xc3(".decode("utf-8", "surrogateescape")
    for value in (STEERING, broken):
        told("energy", "--system", value, "--state", inputs[3])
        told("check", *inputs[:2], "--platform", value)
        told("check", *inputs, "--set", value)
        told("check", *inputs, "--set", value + "=1")
        told("energy", *inputs, "--groups", value)
        told("run", *inputs, "--time", value)
        told("run", "--resume", "--output", value)
        told("run", value + ".toml")
        told(value)
        told("energy", "--" + value, "1")
        told("step", *inputs, "--steps", value)
        told("energy", *inputs, "--json", f"nowhere/{value}", status=5)
    result = run("run", *inputs, "--steps", 1, "--output", STEERING)
    assert result.returncode == 0 and "\033" not in result.stderr and "\r" not in result.stderr, result.stderr


def test_names_in_files_are_shown_as_those_of_files():
    inputs = write_fluid()
    system, integrator = (read(inputs[n]).decode() for n in (1, 5))
    for name in ("s\x7f\x9b\u202e\u200f\ufeffzz", "x" * 100000):
        reference = "".join(f"&#{ord(c)};" for c in name)
        for text in (name, reference):
            write("named.xml", system.replace('type="HarmonicBondForce"', f'type="{text}"'))
            told("check", "--system", "named.xml")
            write("named.xml", system.replace('mass="20.0"', f'mass="{text}"', 1))
            told("check", "--system", "named.xml")
            write("named.xml", system.replace('name="HarmonicBondForce"', f'name="{text}"'))
            output = good("energy", "--system", "named.xml", *inputs[2:4])
            assert json.loads(output)["energy_by_force"][0]["label"] == name
            assert all(c == "\n" or (c.isprintable() and c not in "\u202e") for c in output)
        write("named.xml", integrator.replace("friction=", f"{name}="))
        told("step", *inputs[:4], "--integrator", "named.xml", "--steps", 1)
        for text in (f'platform = "{name}"\n', f'"{name}" = 1\n', f'["{name}"]\na = 1\n', f"{name} = 1\n"):
            write("named.toml", text)
            told("run", "named.toml")


def test_a_run_whose_inputs_run_toml_cannot_name_is_refused():
    inputs = write_fluid()
    name = b"latin-\xe9.xml"
    shutil.copy(inputs[1], name)
    assert "UTF-8" in told("run", "--system", os.fsdecode(name), *inputs[2:], "--steps", 1, "--output", "unnamed")
    assert not os.path.exists("unnamed")
    result_of("energy", "--system", os.fsdecode(name), *inputs[2:4])


def test_long_values_are_cut():
    inputs = write_fluid()
    for value in ("x" * 100000, "x y " * 25000, "é" * 60000):
        told("energy", "--platform", value)
        told("check", *inputs, "--set", value)
        told("check", *inputs, "--set", value + "=1")
        told("energy", *inputs, "--groups", value)
        told("run", *inputs, "--time", value)
        told("check", "--system", value)
        told("run", value)
        told(value)
        told("step", *inputs, "--steps", value)
    assert told("check", *inputs, "--set", "x" * 100000).endswith("expected NAME=VALUE with a finite number\n")
    path = "/".join(["a folder's name of usual length"] * 6) + "/system.xml"
    assert path in told("check", "--system", path)


def test_a_folder_that_is_gone_is_no_defect():
    inputs = [os.path.abspath(name) if not name.startswith("--") else name for name in write_fluid()]
    os.mkdir("gone")
    script = f'cd gone && rmdir ../gone && exec "{PROGRAM}" "$@"'
    result = subprocess.run(["sh", "-c", script, "sh", "run", *inputs, "--steps", "1", "--output", "out"],
                            capture_output=True, text=True)
    assert result.returncode in (2, 5) and "defect" not in result.stderr, result.stderr
    os.symlink("circle", "circle")
    for arguments in (["check", "--system", "circle"], ["run", *inputs, "--steps", 1, "--output", "circle"],
                      ["run", "--resume", "--output", "circle"], ["run", "circle"],
                      ["run", *inputs, "--steps", 1, "--topology", "circle"]):
        result = run(*arguments)
        assert result.returncode in (2, 5) and "defect" not in result.stderr, f"{arguments}: {result.stderr}"


all_tests(globals())
