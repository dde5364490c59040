# `trotter analyze` and `trotter report`: tables, plots, facts, and refusals in one line that leave nothing behind.
# SPDX-License-Identifier: MIT
import csv
import json
import math
import os
import xml.etree.ElementTree as ElementTree

from harness import close, good, intervals, refused, run, write, write_fluid

ATOM = "HETATM{:5d}  {:<3} DIA A{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           {}\n"
os.mkdir("data")
write("data/pdbNames.xml", "<Residues/>")
write("data/residues.xml", '<Residues><Residue name="DIA"><Bond from="N" to="O"/></Residue></Residues>')
write("fluid.pdb", "CRYST1   25.000   25.000   25.000  90.00  90.00  90.00 P 1\n"
      + "".join(ATOM.format(2 * n + k + 1, "NO"[k], n + 1, n, k, 0, "NO"[k]) for n in range(64) for k in range(2)))
good("run", *write_fluid(), "--steps", 400, "--output", "out", "--platform", "reference", "--topology", "fluid.pdb", *intervals(4, 10, 0))
DATA = ["--forcefields", "data"]
FRAMES = 40


def table(*arguments):
    return list(csv.DictReader(good("analyze", *arguments, *DATA).splitlines()))


def wrong(*words, arguments):
    before = sorted(os.listdir())
    refused(2, *words, arguments=["analyze", *arguments, *DATA, "--output", "left.csv", "--svg", "left.svg"])
    assert sorted(os.listdir()) == before, f"{arguments}: something is left"


# a rigid molecule, cut by the box or not; times are those of the steps, in either way of naming the files
rows = table("out", "distance", "index 2", "index 3")
assert len(rows) == FRAMES and list(rows[0]) == ["Time (ps)", "Distance (nm)"], rows
for number, row in enumerate(rows):
    close(float(row["Time (ps)"]), 0.04 * (number + 1), 1e-6)
    close(float(row["Distance (nm)"]), 0.11, 2e-6)
assert table("distance", "index 2", "index 3", "--trajectory", "out/trajectory.dcd", "--topology", "fluid.pdb") == rows
assert table("out", "distance", "index 2", "index 3", "--from", "0.1 ps", "--to", "0.9 ps", "--every", 3) == rows[2:22:3]
close(float(table("out", "rg", "index 2 3")[0]["Radius of gyration (nm)"]), 0.11 * math.sqrt(14.0067 * 15.9994) / 30.0061, 1e-4)
assert set(table("out", "com", "index 0")[0]) == {"Time (ps)", "X (nm)", "Y (nm)", "Z (nm)"}
assert len(table("out", "angle", "index 0", "index 1", "index 2")) == FRAMES
assert len(table("out", "dihedral", "index 0", "index 1", "index 2", "index 3", "--unwrap")) == FRAMES

# from the reference on, the distance grows; a structure as the reference
rows = table("out", "rmsd", "all")
assert float(rows[0]["RMSD (nm)"]) < 1e-6 < float(rows[-1]["RMSD (nm)"])
assert float(table("out", "rmsd", "--of", "all", "--reference", "fluid.pdb")[0]["RMSD (nm)"]) > 1
assert len(table("out", "rmsf", "all", "--reference", "average", "--mass-weighted")) == 128

# with all partners counted there are as many as there should be
rows = table("out", "rdf", "name N", "--bin", "0.05", "--maximum", "1.2")
assert len(rows) == 24 and float(rows[0]["g"]) == 0 and 10 < float(rows[-1]["Coordination number"]) < 40, rows

# what follows from all frames goes to standard error or JSON; the table and the plot to files
answer = run("analyze", "out", "msd", *DATA, "--output", "msd.csv", "--svg", "msd.svg", "--temperature", "120")
assert answer.returncode == 0 and not answer.stdout and "diffusion coefficient: " in answer.stderr, answer
assert "at a viscosity of 1 mPa s" in answer.stderr
assert ElementTree.parse("msd.svg").getroot().find("{http://www.w3.org/2000/svg}title").text == "Mean square displacement"
assert open("msd.csv").readline() == "Lag (ps),Mean square displacement (nm²)\n"
good("analyze", "out", "msd", "all", *DATA, "--json", "msd.json", "--temperature", "120", "--viscosity", "0.3")
facts = json.load(open("msd.json"))
corrected = facts["diffusion coefficient (1e-5 cm²/s)"] + facts["correction for the size of the box (Yeh and Hummer) (1e-5 cm²/s)"]
close(facts["corrected diffusion coefficient (1e-5 cm²/s)"], corrected, 1e-12)

# of the log
log = list(csv.DictReader(open("out/log.csv")))
for kind, title in (("temperature", "Temperature (K)"), ("total", "Total Energy (kJ/mole)"), ("volume", "Box Volume (nm^3)")):
    good("analyze", "out", kind, "--json", "facts.json", "--output", "series.csv")
    values = [float(row[title]) for row in log]
    mean = next(value for name, value in json.load(open("facts.json")).items() if name.startswith("mean"))
    close(mean, sum(values) / len(values), 1e-9)
    assert len(open("series.csv").readlines()) == len(log) + 1

# refusals
wrong("the folder of a run (or --trajectory) and the name of an analysis are missing", arguments=[])
wrong("there is no analysis 'fly', expected one of rmsd, rmsf,", arguments=["out", "fly"])
wrong("nowhere is no folder, expected that of a run", arguments=["nowhere", "rmsd"])
wrong("distance has 1 selections, expected 2", arguments=["out", "distance", "all"])
wrong("rdf has 0 selections, expected 1 to 2", arguments=["out", "rdf"])
wrong("the selection `resname XYZ` has no atoms", arguments=["out", "com", "resname XYZ"])
write("two.pdb", ATOM.format(1, "N", 1, 0, 0, 0, "N") + ATOM.format(2, "O", 1, 1, 0, 0, "O"))
wrong("two.pdb: has 2 atoms, expected 128 as in the topology", arguments=["out", "rmsd", "all", "--reference", "two.pdb"])
wrong("column 1", arguments=["out", "com", "nonsense here"])
wrong("data: has no trajectory.dcd or trajectory.xtc", arguments=["data", "rmsd"])
wrong("there is no topology.cif or topology.pdb", arguments=["rmsd", "--trajectory", "out/trajectory.dcd"])
wrong("data: has no log.csv", arguments=["data", "density"])
wrong("have no donor of hydrogen bonds", arguments=["out", "hbonds", "all"])
wrong("less than twice the largest distance of 1.3 nm", arguments=["out", "rdf", "all", "--maximum", "1.3"])
wrong("fewer than two lags", arguments=["out", "msd", "--lag-from", "0.9", "--lag-to", "0.9"])
wrong("has no frame from 5 to inf ps", arguments=["out", "rg", "all", "--from", "5 ps"])
wrong("has no number in the column", arguments=["out", "density", "--from", "5 ps"])
with open("out/trajectory.dcd", "rb") as file:
    cut = file.read()[:-100]
with open("cut.dcd", "wb") as file:
    file.write(cut)
wrong("cut.dcd", arguments=["rg", "all", "--trajectory", "cut.dcd", "--topology", "fluid.pdb"])
refused(2, "--output and --trajectory name the same file",
        arguments=["analyze", "rg", "--trajectory", "cut.dcd", "--topology", "fluid.pdb", "--output", "cut.dcd"])

# the report
before = set(os.listdir("out"))
good("report", "out", *DATA)
page = open("out/report.html", encoding="utf-8").read()
assert set(os.listdir("out")) == before | {"report.html"}
for part in ("<title>Potential energy</title>", "<title>RMSD</title>", "<h2>How to cite</h2>", "trajectory_interval = 10"):
    assert part in page, part
refused(2, "the folder of a run is missing", arguments=["report"])
refused(2, "data: has no run.toml, log.csv or stages.json", arguments=["report", "data"])
