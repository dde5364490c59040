# `trotter convert` and `trotter select`: every direction that can be said, and what is lost on the way.
# SPDX-License-Identifier: MIT
import gzip
import re

from harness import *

ATOM = "{:<6}{:5d} {:<4} {:>3} {}{:4d}{}   {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          {:>2}{}\n"


def atom(serial, name, residue, chain, number, code, x, element, charge="  ", record="ATOM"):
    return ATOM.format(record, serial, f" {name}", residue, chain, number, code, x, 0.5 * serial, -1.25, element, charge)


# two amino acids with an insertion code, a charged ligand with a bond of its own, two waters
PDB = write("a.pdb", "CRYST1   30.000   31.000   32.000  90.00  90.00  90.00 P 1\n" + "".join([
    *(atom(i + 1, name, "ALA", "A", 5, " ", 1.5 * i, name[0]) for i, name in enumerate(("N", "CA", "C", "O", "CB"))),
    *(atom(i + 6, name, "GLY", "A", 5, "B", 1.5 * i + 3, name[0]) for i, name in enumerate(("N", "CA", "C", "O"))),
    "TER\n", atom(11, "N1", "LIG", "B", 1, " ", 9, "N", "1+", "HETATM"), atom(12, "C1", "LIG", "B", 1, " ", 10.5, "C", "  ", "HETATM"),
    *(atom(13 + i, "O", "HOH", "C", 7 + i, " ", 12 + 3 * i, "O", "  ", "HETATM") for i in range(2)), "CONECT   11   12\n", "END\n"]))


def converted(*arguments):
    """The warnings."""
    result = run("convert", *arguments)
    assert result.returncode == 0 and result.stdout == "", f"{arguments}: {result.stderr}"
    for line in result.stderr.splitlines():
        assert line.startswith("trotter: warning: "), line
    return result.stderr


def topology(name):
    good("convert", name, "topology.json")
    return json.load(open("topology.json"))


def test_pdb_mmcif_and_json_say_the_same():
    first = topology(PDB)
    assert len(first["bonds"]) == 8 + 1 and first["chains"][0]["residues"][1]["icode"] == "B"
    for before, name in (("a.pdb", "b.cif"), ("b.cif", "b.json"), ("b.json", "b.pdb"), ("b.pdb", "b.cif.gz"), ("b.cif.gz", "c.json.gz")):
        assert converted(before, name) == "", name
        found = topology(name)
        assert sorted(map(tuple, found.pop("bonds"))) == sorted(map(tuple, first["bonds"])), name
        for place, right in zip(found["positions"], first["positions"]):
            assert max(abs(a - b) for a, b in zip(place, right)) < 1e-9, name
        assert {**found, "positions": 0} == {**{key: first[key] for key in found}, "positions": 0}, name


def test_a_gro_file_and_what_it_cannot_hold():
    warnings = converted("a.pdb", "a.gro")
    for lost in ("9 bonds", "formal charges", "names of chains", "elements", "insertion codes"):
        assert f"a.gro cannot hold {lost}, which are lost" in warnings, lost
    lines = read("a.gro").decode().splitlines()
    assert lines[1] == "   13" and lines[2] == "    5ALA      N    1   0.000   0.050  -0.125"
    assert lines[-1] == "   3.00000   3.10000   3.20000"
    assert converted("a.gro", "from-gro.pdb") == ""
    found = topology("from-gro.pdb")
    assert [residue["name"] for chain in found["chains"] for residue in chain["residues"]] == ["ALA", "GLY", "LIG", "HOH", "HOH"]
    assert [atom["element"] for chain in found["chains"] for residue in chain["residues"] for atom in residue["atoms"]] == list("NCCOCNCCONCOO")


def test_positions_velocities_and_box_of_a_state():
    assert "a.xml.gz cannot hold names of atoms, residues and chains, which are lost" in converted("a.pdb", "a.xml.gz")
    text = gzip.decompress(read("a.xml.gz")).decode()
    assert text.count("<Position ") == 13 and "<Velocit" not in text
    speeds = [(0.1 * i, 0.25, -0.5) for i in range(13)]
    write("moving.xml", state_xml([(0.1 * i, 1, 2) for i in range(13)], speeds, edge=2.75))
    assert "velocities" not in converted("moving.xml", "moving.gro", "--topology", PDB)
    assert read("moving.gro").decode().splitlines()[4].endswith("0.200   1.000   2.000  0.2000  0.2500 -0.5000")
    assert "moving.pdb cannot hold velocities, which are lost" in converted("moving.xml", "moving.pdb", "--topology", PDB)
    assert topology("moving.pdb")["box"] == [[2.75, 0, 0], [0, 2.75, 0], [0, 0, 2.75]]
    converted("moving.gro", "again.xml")
    again = re.findall(r'<(Position|Velocity) x="([^"]*)" y="([^"]*)"', read("again.xml").decode())
    assert len(again) == 26 and [float(number) for number in again[2][1:]] == [0.2, 1] and float(again[15][2]) == 0.25, again
    refused(2, "moving.xml: does not name its atoms, expected --topology", arguments=["convert", "moving.xml", "x.pdb"])
    write("few.xml", state_xml([(0, 0, 0)]))
    refused(2, "few.xml: has 1 positions, expected 13 as a.pdb has atoms", arguments=["convert", "few.xml", "x.pdb", "--topology", PDB])
    write("open.pdb", read(PDB).decode().split("\n", 1)[1])
    assert "has a box of 2 nm" in converted("open.pdb", "open.xml")
    assert not os.path.exists("x.pdb")


def test_a_selection_of_a_structure():
    converted("a.pdb", "ligand.pdb", "--save", "resname LIG")
    assert [line[12:16].strip() for line in read("ligand.pdb").decode().splitlines() if line.startswith("HETATM")] == ["N1", "C1"]
    refused(2, "selects none of the 13 atoms of a.pdb", arguments=["convert", "a.pdb", "x.pdb", "--save", "resname DNA"])
    refused(2, "--save needs --topology", arguments=["convert", write("bare.xml", state_xml([(0, 0, 0)])), "x.xml", "--save", "all"])


def trajectory(name, *options):
    """Four frames of 128 atoms."""
    good("run", *write_fluid(), "--seed", 3, "--steps", 20, "--output", name, *intervals(0, 5, 0), *options)


def test_trajectories_become_each_other():
    for kind in ("dcd", "nc", "xtc"):
        trajectory(f"run-{kind}", "--trajectory", kind)
        for other in ("dcd", "nc", "xtc"):
            converted(f"run-{kind}/trajectory.{kind}", f"{kind}-to.{other}")
    # the numbers of DCD and NetCDF are the same floats in angstrom
    assert read("nc-to.dcd") == read("run-dcd/trajectory.dcd") == read("dcd-to.dcd")
    assert read("nc-to.xtc") == read("run-xtc/trajectory.xtc") == read("xtc-to.xtc")
    assert read("nc-to.nc") == read("run-nc/trajectory.nc")
    assert not [name for name in os.listdir() if "partial" in name]


def test_a_selection_of_a_trajectory():
    rows = "".join(atom(i + 1, "O", "HOH", "W", i + 1, " ", 0, "O", "  ", "HETATM") for i in range(128))
    named = write("fluid.pdb", rows)
    trajectory("part", "--topology", named, "--save", "index 3 5 7")
    trajectory("whole")
    converted("whole/trajectory.dcd", "part.dcd", "--topology", named, "--save", "index 3 5 7")
    assert read("part.dcd") == read("part/trajectory.dcd")
    refused(2, "--save needs --topology", arguments=["convert", "whole/trajectory.dcd", "x.dcd", "--save", "all"])
    refused(2, "a.pdb has 13 atoms, expected 128", arguments=["convert", "whole/trajectory.dcd", "x.dcd", "--topology", PDB, "--save", "all"])


def test_times_that_a_dcd_file_cannot_hold():
    variable = write_fluid("variable", integrator="variable-verlet")
    good("run", *variable, "--steps", 20, "--output", "variable", "--trajectory", "nc", *intervals(0, 5, 0))
    assert converted("variable/trajectory.nc", "variable.xtc") == ""
    warnings = converted("variable/trajectory.nc", "variable.dcd")
    assert "variable.dcd cannot hold the times of the frames" in warnings, warnings


def test_what_cannot_be_converted():
    trajectory("whole-again")
    for text, words in (("%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n", "is a prmtop file of AMBER"),
                        ("[ defaults ]\n1 2\n", "is a top file of GROMACS"), ("PSF\n\n 1 !NTITLE\n", "is a psf file of CHARMM")):
        refused(2, words, "trotter prepare", arguments=["convert", write("other", text), "x.pdb"])
    refused(2, "is no file of a known format", arguments=["convert", write("other", "nothing\n"), "x.pdb"])
    refused(2, "is XML of another kind than a State", arguments=["convert", write("other", "<System/>"), "x.pdb"])
    refused(2, "x.pdb: is a DCD trajectory, expected a name that ends in .dcd, .xtc or .nc", arguments=["convert", "whole-again/trajectory.dcd", "x.pdb"])
    refused(2, "a.pdb: is not a trajectory", arguments=["convert", PDB, "x.dcd"])
    refused(2, "expected .pdb, .cif, .gro or .json", arguments=["convert", PDB, "x.mol2"])
    refused(2, "two files are needed", arguments=["convert", PDB])
    refused(2, "name the same file", arguments=["convert", PDB, "./a.pdb"])
    refused(2, "names its own atoms", arguments=["convert", PDB, "x.pdb", "--topology", PDB])
    damaged = read("whole-again/trajectory.dcd")[:-5]
    with open("cut.dcd", "wb") as file:
        file.write(damaged)
    refused(2, "cut.dcd: ends inside", arguments=["convert", "cut.dcd", "x.xtc"])
    assert not [name for name in os.listdir() if name.startswith("x.")]


def test_json_that_is_damaged():
    good("convert", PDB, "whole.json")
    bond = re.search(r'"bonds": \[\s*(\[\d+, \d+, null\])', read("whole.json").decode())[1]
    for before, after, words in (('"chains"', '"chain"', 'has no member "chains"'), ('"name": "ALA"', '"name": 5', "chains[0].residues[0].name is"),
                                 ('"element": "N"', '"element": "Qq"', "expected a chemical symbol"), (bond, "[0, 99, null]", "bonds[0] is"),
                                 (bond, "[0, 1]", "expected a list of 3"), ("[3, 0, 0]", "[3, 1, 0]", "not in reduced form"),
                                 ("[3, 0, 0]", '[3, "0", 0]', "expected three numbers"), ("{", "{,", "is no JSON")):
        text = read("whole.json").decode()
        assert before in text, before
        refused(2, "broken.json: ", words, arguments=["convert", write("broken.json", text.replace(before, after, 1)), "x.pdb"])
    refused(2, "is no JSON", arguments=["convert", write("broken.json", "{" + '"a":[' * 100000), "x.pdb"])
    cut = read("whole.json").decode().split('"positions"')[0] + '"positions": []}'
    refused(2, "has 0 positions", arguments=["convert", write("broken.json", cut), "x.pdb"])


def test_select_shows_how_an_expression_was_understood():
    text = good("select", PDB, "name CA or resname LIG and element N")
    assert text.splitlines()[0] == "3 of 13 atoms, of 3 residues in 2 chains", text
    assert "parsed as (name CA or (resname LIG and element N))" in text, text
    assert [line.split()[:2] for line in text.splitlines()[3:]] == [["1", "CA"], ["6", "CA"], ["9", "N1"]]
    found = json.loads(good("select", PDB, "not water", "--json"))
    assert (found["atoms"], found["selected"], found["residues"], found["chains"]) == (13, 11, 3, 2) and found["indices"] == list(range(11))
    assert "and 1 more" in good("select", PDB, "not water") and good("select", PDB, "none").startswith("0 of 13 atoms")
    for name in ("selected.json", "selected.gro"):
        converted(PDB, name)
        assert good("select", name, "resname LIG").startswith("2 of 13 atoms"), name
    refused(2, "column", arguments=["select", PDB, "name CA or"])
    refused(2, "a file and an expression are needed", arguments=["select", PDB])


all_tests(globals())
