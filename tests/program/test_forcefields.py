# `trotter forcefields`: the files that are found, and the residues of one.
# SPDX-License-Identifier: MIT
from harness import *


def test_what_is_shipped_is_listed():
    folders = result_of("forcefields", "--json")["folders"]
    files = {file["name"]: file for folder in folders if folder["origin"] == "Trotter" for file in folder["files"]}
    protein = files["amber14/protein.ff14SB.xml"]
    assert protein["family"] == "AMBER" and protein["residues"] > 50 and protein["description"] == "leaprc.protein.ff14SB", protein
    assert "amber14/lipid17.xml" in files["amber14-all.xml"]["includes"]
    assert files["implicit/obc2.xml"]["family"] == "implicit solvent"
    assert "hydrogens.xml" not in files
    table = good("forcefields")
    for name in files:
        assert f"  {name} " in table, name


def test_folders_that_are_given_come_first_with_what_cannot_be_read():
    os.mkdir("given")
    write("given/a.xml", "<ForceField><AtomTypes><Type/></AtomTypes></ForceField>")
    write("given/b.xml", "<ForceField>")
    first = result_of("forcefields", "--json", "--forcefields", "given")["folders"][0]
    assert (first["path"], first["origin"]) == ("given", "given") and [file["name"] for file in first["files"]] == ["a.xml", "b.xml"]
    assert first["files"][0]["atom_types"] == 1 and first["files"][1]["description"].startswith("cannot be read: given/b.xml")


def test_residues_of_a_file_and_of_those_that_it_includes():
    files = result_of("forcefields", "amber14-all.xml", "--json")["files"]
    assert len(files) > 3 and files[0]["residues"] == []
    residues = {residue["name"]: residue for file in files for residue in file["residues"]}
    close(residues["ARG"]["charge"], 1, 1e-6)
    assert residues["ALA"]["external_bonds"] == 2 and residues["ALA"]["atoms"] == 10
    close(residues["NALA"]["charge"], 1, 1e-6)
    lines = [line.split() for line in good("forcefields", "amber14/tip4pew.xml").splitlines()]
    assert ["HOH", "4", "0.0000", "0", "1"] in lines


def test_what_is_not_found_or_no_force_field():
    refused(2, "nothing.xml was not found", arguments=["forcefields", "nothing.xml"])
    refused(2, "hydrogens.xml", "is no force field", arguments=["forcefields", "hydrogens.xml"])
    for name in ([], ["amber14-all.xml"]):
        refused(2, "--forcefields missing is no folder", arguments=["forcefields", *name, "--forcefields", "missing"])


all_tests(globals())
