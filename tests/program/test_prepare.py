# `trotter prepare`: keys of [prepare], refusals in one line that leave nothing behind, outputs.
# SPDX-License-Identifier: MIT
import gzip
import json
import os

from harness import good, refused, write

NAMES = '<Residues><Residue name="ALA" type="Protein"/><Residue name="HOH" alt1="WAT"/></Residues>'
BONDS = '<Residues><Residue name="HOH"><Bond from="O" to="H1"/><Bond from="O" to="H2"/></Residue></Residues>'
ATOM = "HETATM{:5d} {:<4} {:>3} {}{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          {:>2}\n"
WATERS = "".join(ATOM.format(3 * i + j, " " + name, "WAT", "W", i + 1, 3 * i, j, 0, name[0])
                 for i in range(3) for j, name in enumerate(("O", "H1", "H2")))

os.mkdir("data")
write("data/pdbNames.xml", NAMES)
write("data/residues.xml", BONDS)
write("waters.pdb", "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1\n" + WATERS)
DATA = ["--forcefields", "data"]


def prepared(text, *arguments):
    return json.loads(good("prepare", write("input.toml", text), *DATA, *arguments))


def wrong(text, *words, arguments=()):
    before = sorted(os.listdir())
    refused(2, *words, arguments=["prepare", write("input.toml", text), *DATA, "--out-topology", "left.json", "--out-state", "left.xml", *arguments])
    assert "left.json" not in os.listdir() and "left.xml" not in os.listdir(), f"{text}: {sorted(set(os.listdir()) - set(before))} is left"


# what is read is reported and written
report = prepared('[prepare]\nstructure = "waters.pdb"\n', "--out-topology", "a.json", "--out-topology", "a.pdb", "--out-topology", "a.cif", "--out-state", "a.xml.gz")
assert report["particles"] == 9 and report["bonds"] == 6 and report["warnings"] == [], report
topology = json.load(open("a.json"))
assert topology["chains"][0]["residues"][0]["name"] == "HOH" and topology["box"] == [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
assert "<Position" in gzip.open("a.xml.gz", "rt").read()
for again in ("a.pdb", "a.cif"):
    prepared(f'[prepare]\nstructure = "{again}"\n', "--out-topology", "b.json")
    assert json.load(open("b.json")) == topology, again

# other tables are not its business; a box in the table takes the place of the file's
prepared('steps = 10\n[prepare]\nstructure = "waters.pdb"\nbox = [[4, 0, 0], [-2, 5, 0], [1, 1, 6]]\n[[stage]]\nsteps = 1\n', "--out-topology", "b.json")
assert json.load(open("b.json"))["box"] == [[4, 0, 0], [-2, 5, 0], [1, 1, 6]]

# steps
report = prepared('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "delete"\nresidues = ["W:2", "#0"]\n')
assert report["residues"] == 1 and report["changes"], report
report = prepared('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "delete_water"\n')
assert report["particles"] == 0, report
report = prepared('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "find_missing"\n')
assert report["missing_residues"] == [] and report["missing_atoms"] == {} and report["nonstandard"] == {}, report

# what is kept and removed, and how changes are told
step = '[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\n'
report = prepared(step + 'do = "keep"\nselect = "resid 2"\n')
assert report["changes"][0] == {
    "step": "read_structure", "object": "3 waters", "what": "were called otherwise", "why": "names are made standard", "kind": "renamed",
    "chain": "", "residue": "", "icode": "", "name": "HOH", "atoms": [], "from": "", "to": "HOH", "reason": "names are made standard"}, report
assert report["residues"] == 1 and report["changes"][1:] == [{
    "step": "keep", "object": "2 waters", "what": "were deleted", "why": "asked for", "kind": "dropped", "chain": "", "residue": "",
    "icode": "", "name": "HOH", "atoms": [], "from": "", "to": "", "reason": "asked for"}], report
report = prepared(step + 'do = "remove"\nselect = "resid 2 and name O"\n')
assert report["particles"] == 8 and report["changes"][1]["atoms"] == ["O"] and report["changes"][1]["residue"] == "2", report
report = prepared(step + 'do = "repair"\ngaps = "break"\nnonstandard = "replace"\n')
assert report["particles"] == 9 and len(report["changes"]) == 1 and report["warnings"] == [], report
write("more.pdb", ATOM.format(1, " SG", "CYS", "A", 1, 0, 0, 0, "S") + ATOM.format(2, " SG", "CYS", "A", 2, 2.03, 0, 0, "S")
      + "HETATM    3  O  AHOH A   3      9.000   0.000   0.000  0.30  0.00           O\n"
      + "HETATM    4  O  BHOH A   3     10.000   0.000   0.000  0.70  0.00           O\n")
report = prepared('[prepare]\nstructure = "more.pdb"\n')
assert [change["kind"] for change in report["changes"]] == ["altloc", "bonded"], report
assert report["changes"][1]["object"] == "CYS A:2" and report["changes"][1]["reason"] == "the sulfurs are 0.203 nm apart", report
assert len(report["warnings"]) == 1 and report["warnings"][0].startswith("1 atoms have alternate locations"), report
assert prepared('[prepare]\nstructure = "more.pdb"\naltloc = "occupancy"\n')["warnings"] == []
for key in ('bonds = "all"', 'names = "all"', 'ends = "polymer"', 'bonds = "openmm"', 'ends = "chain"'):
    assert prepared(f'[prepare]\nstructure = "waters.pdb"\n{key}\n')["particles"] == 9

# refusals: file, line, key, value and what was expected
refused(2, "[prepare] is missing", arguments=["prepare"])
refused(2, "nothing.toml", arguments=["prepare", "nothing.toml"])
refused(2, "input.toml", "--out-topology", arguments=["prepare", "input.toml", "--out-topology", "input.toml"])
wrong("a = 1\n", "input.toml: has no table [prepare]")
wrong("[prepare]\n", "line 1: [prepare] names 0 inputs, expected one of structure, prmtop, top and psf")
wrong('[prepare]\nstructure = "waters.pdb"\npsf = "x.psf"\n', "names 2 inputs")
wrong('[prepare]\nstructure = "nothing.pdb"\n', "nothing.pdb")
wrong('[prepare]\nstructure = "waters.pdb"\nno_such_key = 1\n', "input.toml, line 3: [prepare] no_such_key is no key of this table, which has altloc, bonds, box,")
wrong('[prepare]\nstructure = 3\n', "line 2: [prepare] structure is 3, expected a text")
wrong('[prepare]\nstructure = "waters.pdb"\nmodel = 0\n', "[prepare] model is 0, expected a whole number from 1 on")
wrong('[prepare]\nstructure = "waters.pdb"\nmodel = 2\n', "waters.pdb: model 2 is wanted, expected 1 to 1")
wrong('[prepare]\nstructure = "waters.pdb"\naltloc = "last"\n', 'altloc is \'last\', expected one of first, occupancy')
wrong('[prepare]\nstructure = "waters.pdb"\nbox = [1, 2]\n', "box is [ 1, 2 ], expected three lengths")
wrong('[prepare]\nstructure = "waters.pdb"\nbox = [1, 2, -3]\n', "line 3: [prepare] box is wrong")
wrong('[prepare]\nstructure = "waters.pdb"\nbox = [[4, 0, 0], [3, 5, 0], [1, 1, 6]]\n', "box is wrong: the box vectors are not in reduced form")
wrong('[prepare]\nstructure = "waters.pdb"\ncoordinates = "x"\n', "coordinates does not go with structure, expected it only with prmtop, top, psf")
wrong('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\n', "line 3: [prepare.step] do is missing")
wrong('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "fly"\n', "do is 'fly', expected one of delete_water,")
wrong('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "delete_water"\nresidues = []\n', "line 5: [prepare.step] residues is no key")
wrong('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "delete"\nresidues = ["W:9"]\n', 'line 3: [prepare.step]: there is no residue "W:9"')
wrong('[prepare]\nstructure = "waters.pdb"\n[[prepare.step]]\ndo = "add_solvent"\npadding = 1.0\ncount = 3\n', "padding is not alone")
wrong('[prepare]\nstructure = "waters.pdb"\n[prepare.system]\nnonbonded_method = "Cutoff"\n', "nonbonded_method is 'Cutoff', expected one of NoCutoff, CutoffNonPeriodic,")
wrong('[prepare]\nstructure = "waters.pdb"\n[prepare.system]\nimplicit_solvent = "OBC2"\n', "implicit_solvent does not go with structure")
wrong('[prepare]\nstructure = "waters.pdb"\n', "has no table [prepare.system], expected one for --out-system", arguments=["--out-system", "left2.xml"])
wrong('[prepare]\nstructure = "waters.pdb"\n', "the end of the name tells no format", arguments=["--out-topology", "x.xyz"])
wrong('[prepare]\nstructure = "waters.pdb"\n', "--forcefields nowhere is no folder", arguments=["--forcefields", "nowhere"])
assert json.loads(good("prepare", write("input.toml", '[prepare]\nstructure = "waters.pdb"\n')))["particles"] == 9  # with the tables that are shipped
wrong(step + 'do = "keep"\n', "[prepare.step] select is missing, expected a selection")
wrong(step + 'do = "remove"\nselect = "resid"\n', "line 3: [prepare.step]: ", "column")
wrong(step + 'do = "repair"\ngaps = "fill"\n', "gaps is 'fill', expected one of cap, break, refuse")
wrong(step + 'do = "repair"\nnonstandard = "yes"\n', "nonstandard is 'yes', expected one of keep, replace")
wrong(step + 'do = "mutate"\n', "[prepare.step] changes is missing, expected a list of changes")
wrong(step + 'do = "mutate"\nchanges = ["W:2:ALA>GLY"]\n', 'mutate: HOH W:2 is to become "GLY", but is no "ALA"')
wrong(step + 'do = "mutate"\nchanges = ["W:2"]\n', "expected CHAIN:NUMBER:FROM>TO")
wrong(step + 'do = "add_solvent"\nseed = -1\n', "seed is -1, expected a whole number from 0 on")
wrong('[prepare]\nstructure = "waters.pdb"\nbonds = "some"\n', "bonds is 'some', expected one of openmm, all")
wrong('[prepare]\nstructure = "waters.pdb"\npairs = "listed"\n', "pairs does not go with structure, expected it only with top")
wrong("[prepare\n", "input.toml, line 1: ")
