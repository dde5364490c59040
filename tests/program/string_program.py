# The program with a user's list of forces, examples/string_program.cpp, on every platform with a device.
# SPDX-License-Identifier: MIT
import gzip

from harness import *


def strings_xml(strings, group=1):
    rows = "".join(element("String", p1=i, p2=j, tension=tension, restEnergy=rest) for i, j, tension, rest in strings)
    return element("Force", element("Strings", rows), type="StringForce", name="StringForce", version=2,
                   forceGroup=group, usesPeriodic=0)


# A string of 5 kJ/mol, which pulls with 6 kJ/mol/nm, and a bond of 1.25 kJ/mol.
POSITIONS = [(0, 0, 0), (0.3, 0, 0), (0.3, 0.25, 0)]
BONDS = bonds_xml([(1, 2, 0.2, 1000)])
SYSTEM = write("system.xml", system_xml([12, 12, 12], [BONDS, strings_xml([(0, 1, 10, 4)])]))
STATE = write("state.xml", state_xml(POSITIONS, [(0, 0, 0), (0, 0, 1), (0, 0, 0)]))
INTEGRATOR = write("integrator.xml", INTEGRATORS["langevin-middle"])
FILES = ["--system", SYSTEM, "--state", STATE]
PLATFORMS = usable_platforms()


def test_the_force_has_a_kernel_everywhere():
    kernels = json.loads(good("platforms", "--json"))["kernels"]
    forces = {kernel["operation"] for kernel in kernels if kernel["kind"] == "force"}
    assert forces == {"HarmonicBondForce", "StringForce"}, forces
    assert all(kernel["available"] for kernel in kernels)
    assert "StringForce (group 1): 1 terms" in good("check", *FILES)


def test_the_force_is_read_and_evaluated_on_every_platform():
    print("platforms:", *PLATFORMS)
    for platform in PLATFORMS:
        for precision in ("single", "mixed", "double"):
            tolerance = 1e-6 if precision == "single" else 1e-9
            options = ["--inline", "--groups", "0x2", "--platform", platform, "--precision", precision]
            result = result_of("energy", *FILES, *options)
            close(result["potential_energy"], 6.25, tolerance)
            close(result["energy_by_force"][1]["energy"], 5, tolerance)
            close(result["group_energies"]["0x2"], 5, tolerance)
            close(result["forces"][0][0], 6, tolerance)
            assert result["platform"] == platform and result["energy_by_force"][1]["name"] == "StringForce"


def test_the_force_is_written():
    good("check", "--system", SYSTEM, "--out-system", "copy.xml")
    assert '<String p1="0" p2="1" tension="10" restEnergy="4"/>' in read("copy.xml").decode()
    good("check", "--system", "copy.xml", "--out-system", "again.xml.gz")
    assert gzip.decompress(read("again.xml.gz")) == read("copy.xml")
    first, second = (result_of("energy", "--system", system, "--state", STATE) for system in (SYSTEM, "copy.xml"))
    assert first["energy_by_force"] == second["energy_by_force"]


def test_what_makes_no_sense_is_refused():
    def refuse(forces, *words):
        system = write("bad.xml", system_xml([1, 1], [forces]))
        refused(2, "bad.xml", *words, arguments=["check", "--system", system])
    refuse(strings_xml([(0, 1, 10, 4), (0, 1, 10, 0)]), "String[1]", "restEnergy", "a positive number")
    refuse(strings_xml([(0, 2, 10, 4)]), "Strings/String", "p2")
    refuse(strings_xml([(0, 1, 10, 4)]).replace("tension", "tensoin"), "tensoin")
    refuse(nonbonded_xml([(0, 1, 0)] * 2), "NonbondedForce", "HarmonicBondForce, StringForce")


def test_a_run_is_resumed_with_the_same_bits():
    options = [*FILES, "--integrator", INTEGRATOR, "--seed", 5, "--checkpoint-interval", 10]
    for platform in PLATFORMS:
        whole, parts = f"whole-{platform}", f"parts-{platform}"
        good("run", *options, "--platform", platform, "--steps", 60, "--output", whole)
        good("run", *options, "--platform", platform, "--steps", 30, "--output", parts)
        good("run", *options, "--platform", platform, "--steps", 60, "--output", parts, "--resume")
        states = [gzip.decompress(read(f"{folder}/final-state.xml.gz")) for folder in (whole, parts)]
        assert states[0] == states[1], platform


all_tests(globals())
