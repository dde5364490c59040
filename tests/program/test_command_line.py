# The command line: accepted and rejected arguments, status and messages.
# SPDX-License-Identifier: MIT
import gzip

from harness import *

fluid = write_fluid()


def test_version_and_help_go_to_standard_output():
    version = good("--version")
    assert version.startswith("trotter ") and "Fourier transforms" in version
    assert "--place-virtual-sites" in good("help", "energy") and "--max-hours" in good("run", "--help")
    for command in ("run", "energy", "step", "check", "minimize", "platforms", "benchmark"):
        assert command in good("help")


def test_wrong_command_lines_are_refused():
    refused(2, arguments=[])
    refused(2, "frobnicate", arguments=["frobnicate"])
    refused(2, "--bad", arguments=["energy", "--bad"])
    refused(2, "--platform", "gpu", arguments=["energy", *fluid, "--platform", "gpu"])
    refused(2, "--precision", "half", arguments=["energy", *fluid, "--precision", "half"])
    refused(2, "--steps", "'-1'", arguments=["step", *fluid, "--steps", "-1"])
    refused(2, "--steps", "'1e6'", arguments=["step", *fluid, "--steps", "1e6"])
    refused(2, "--steps", arguments=["step", *fluid])
    refused(2, "--threads", "'0'", arguments=["energy", *fluid, "--threads", "0"])
    refused(2, "--seed", "'-1'", arguments=["energy", *fluid, "--seed", "-1"])
    refused(2, "--groups", "'1,x'", arguments=["energy", *fluid, "--groups", "1,x"])
    refused(2, "--groups", "'0x1ffffffff'", arguments=["energy", *fluid, "--groups", "0x1ffffffff"])
    refused(2, "--set", "'lambda'", arguments=["energy", *fluid, "--set", "lambda"])
    refused(2, "--set", "lambda", arguments=["energy", *fluid, "--set", "lambda=1"])
    refused(2, "--time", "'10'", "ns", arguments=["run", *fluid, "--time", "10"])
    refused(2, "--steps", "--time", arguments=["run", *fluid, "--time", "1 ps", "--steps", 5])
    refused(2, "--steps or --time", arguments=["run", *fluid])


def test_missing_inputs_are_named():
    refused(2, "--system", arguments=["energy"])
    refused(2, "--state", arguments=["energy", *fluid[:2]])
    refused(2, "--integrator", arguments=["step", *fluid[:4], "--steps", 1])
    refused(2, "nowhere.xml", arguments=["check", "--system", "nowhere.xml"])


def test_backends_without_build_or_device_are_unsupported():
    table = good("platforms").splitlines()
    for name in ("opencl", "cuda"):
        arguments = ["energy", *fluid, "--platform", name]
        lines = [line for line in table if line.startswith(name + " ")]
        assert lines, table
        if "not in this build" in lines[0]:
            refused(4, name, "this build", arguments=arguments)
        elif "no device found" in lines[0]:
            refused(4, "there is no", "device", arguments=arguments)
        else:
            good(*arguments)


def test_the_limit_on_input_counts_expanded_bytes():
    refused(2, "fluid.system.xml", arguments=["check", *fluid, "--max-input", 1000])
    good("check", *fluid, "--max-input", 1000000)


def test_states_that_do_not_fit_are_refused():
    nothing = write("nothing.xml", state_xml([]).replace("<Positions></Positions>", ""))
    refused(2, "nothing.xml", "no positions", arguments=["energy", *fluid[:2], "--state", nothing])
    few = write("few.xml", state_xml([(0, 0, 0)] * 5))
    refused(2, "few.xml", "5 positions", "128", arguments=["energy", *fluid[:2], "--state", few])
    bad = write("bad.xml", state_xml([(0, 0, 0)] * 127 + [(0, float("nan"), 0)]).replace("nan", "NaN"))
    refused(2, "bad.xml", "127", arguments=["energy", *fluid[:2], "--state", bad])
    slow = write("slow.xml", state_xml([(n, 0, 0) for n in range(128)], [(0, 0, 0)]))
    refused(2, "slow.xml", "1 velocities", arguments=["energy", *fluid[:2], "--state", slow])


def test_toml_speaks_the_language_of_the_command_line():
    values = dict(zip((name[2:] for name in fluid[::2]), fluid[1::2]))
    text = "".join(f"{key} = '{value}'\n" for key, value in values.items())
    more = "steps = 10\noutput = 'toml-out'\nlog_interval = 5\nminimize = false\nseed = 3\ntrajectory = 'none'\n"
    write("good.toml", text + more)
    good("run", "good.toml", "--log-interval", 2)
    assert len(read("toml-out/log.csv").splitlines()) == 1 + 5, "the command line wins"
    for line, word in (("stepz = 1", "stepz"), ("log-interval = 5", "log-interval"), ("steps = 'many'", "many"),
                       ("minimize = 3", "minimize"), ("[run]\nsteps = 5", "run"), ("steps = ", "line 4"),
                       ("steps = [1, 2]", "steps")):
        write("bad.toml", text + line + "\n")
        refused(2, "bad.toml", "line 4", word, arguments=["run", "bad.toml", "--output", "never"])
    assert not os.path.exists("never"), "nothing is written for bad input"


def test_platforms_shows_every_kernel_of_the_build():
    table = good("platforms")
    for word in ("NonbondedForce", "LangevinMiddleIntegrator", "reference/double", "cuda"):
        assert word in table
    kernels = json.loads(good("platforms", "--json"))["kernels"]
    bond = {"operation": "HarmonicBondForce", "kind": "force", "platform": "reference", "precision": "double"}
    assert {**bond, "available": True, "fallback": False} in kernels
    borrowed = {"operation": "RMSDForce", "kind": "force", "platform": "cpu", "precision": "mixed"}
    assert {**borrowed, "available": True, "fallback": True} in kernels
    assert "fallback: the reference platform's, borrowed" in table


def test_check_tells_what_the_files_hold():
    text = good("check", *fluid)
    # 128 particles with 3 each, 32 constraints, 3 for the CMMotionRemover
    for words in ("particles            128", "degrees of freedom   349", "molecules            64", "PME",
                  "LangevinMiddleIntegrator"):
        assert words in text, text
    good("check", *fluid[:2])


def test_check_writes_the_system_as_it_was_understood():
    good("check", *fluid[:2], "--out-system", "understood.xml.gz")
    systems = fluid[1], "understood.xml.gz"
    first, second = (result_of("energy", "--system", system, *fluid[2:4]) for system in systems)
    assert first["energy_by_force"] == second["energy_by_force"]
    good("check", "--system", "understood.xml.gz", "--out-system", "again.xml.gz")
    assert gzip.decompress(read("again.xml.gz")) == gzip.decompress(read("understood.xml.gz"))
    refused(2, "--out-system", "--system", arguments=["check", *fluid, "--out-system", fluid[1]])


all_tests(globals())
