# `trotter run --save`: the trajectory and the topology beside it hold the atoms selected, also after a resume.
# SPDX-License-Identifier: MIT
from harness import *

os.mkdir("data")
write("data/pdbNames.xml", "<Residues/>")
write("data/residues.xml", "<Residues/>")
os.environ["TROTTER_FORCEFIELDS"] = os.path.abspath("data")

FLUID = write_fluid()
ATOM = "HETATM{:5d}  {:<3} DIM A{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           {}\n"
TOPOLOGY = write("fluid.pdb", "CRYST1   25.000   25.000   25.000  90.00  90.00  90.00 P 1\n" + "".join(
    ATOM.format(i + 1, ("C1", "O2")[i % 2], i // 2 + 1, i % 10, i // 10, 0, "CO"[i % 2]) for i in range(128)))
OPTIONS = [*FLUID, "--seed", 3, *intervals(0, 5, 10)]
SAVE = ["--topology", TOPOLOGY, "--save"]


def frames(name, particles):
    """Coordinates [angstrom] of the frames of a periodic DCD file, by axis."""
    data, size = read(name)[276:], 56 + 3 * (8 + 4 * particles)
    assert len(data) % size == 0, f"{len(data)} bytes behind the head, expected a multiple of {size}"
    axes = lambda frame: [struct.unpack(f"<{particles}f", frame[60 + axis * (8 + 4 * particles):][:4 * particles]) for axis in range(3)]
    return [axes(data[at:at + size]) for at in range(0, len(data), size)]


good("run", *OPTIONS, "--steps", 20, "--output", "all")


def test_the_selected_atoms_are_those_of_the_whole_trajectory():
    for trajectory in ("none", "molecules"):
        good("run", *OPTIONS, "--steps", 20, "--output", f"all-{trajectory}", "--wrap", trajectory)
        good("run", *OPTIONS, "--steps", 20, "--output", f"some-{trajectory}", "--wrap", trajectory, *SAVE, "name O2 and resid 3:20")
        chosen = [2 * molecule + 1 for molecule in range(2, 20)]
        whole, part = frames(f"all-{trajectory}/trajectory.dcd", 128), frames(f"some-{trajectory}/trajectory.dcd", 18)
        assert len(part) == 4
        for all_atoms, some in zip(whole, part):
            assert [[axis[i] for i in chosen] for axis in all_atoms] == [list(axis) for axis in some]


def test_the_topology_has_the_same_atoms():
    good("run", *OPTIONS, "--steps", 5, "--output", "named", *SAVE, "name O2 and resid 3:20")
    rows = [line for line in read("named/fluid.pdb").decode().splitlines() if line.startswith("HETATM")]
    assert [(row[12:16].strip(), int(row[22:26])) for row in rows] == [("O2", number) for number in range(3, 21)]
    good("run", *OPTIONS, "--steps", 5, "--output", "plain", "--topology", TOPOLOGY)
    assert read("plain/fluid.pdb") == read(TOPOLOGY)


def test_masses_are_those_of_the_system():
    good("run", *OPTIONS, "--steps", 5, "--output", "heavy", *SAVE, "mass 20 and index 0:9")
    assert len(frames("heavy/trajectory.dcd", 10)) == 1


def test_a_resumed_run_keeps_its_selection():
    good("run", *OPTIONS, "--steps", 20, "--output", "whole", *SAVE, "index 3:40")
    good("run", *OPTIONS, "--steps", 13, "--output", "parts", *SAVE, "index 3:40")
    good("run", "--resume", "--output", "parts", "--steps", 20)
    assert read("parts/trajectory.dcd") == read("whole/trajectory.dcd")
    before = read("parts/trajectory.dcd")
    refused(2, "the set of atoms in the trajectory '38 atoms, ", "bit by bit",
            arguments=["run", "--resume", "--output", "parts", "--steps", 30, "--save", "index 3:41"])
    good("run", "--resume", "--output", "parts", "--steps", 25, "--save", "index 3 to 40")
    assert read("parts/trajectory.dcd")[276:].startswith(before[276:])


def test_what_cannot_be_saved_is_refused_before_the_run():
    few = write("few.pdb", "".join(read(TOPOLOGY).decode().splitlines(True)[:5]))
    for words, arguments in ((("--save needs --topology",), ["--save", "all"]),
                             (("--save: ", "column"), [*SAVE, "name O2 or"]),
                             (("selects none of the 128 atoms of fluid.pdb",), [*SAVE, "name O3"]),
                             (("few.pdb has 4 atoms", "128 particles"), ["--topology", few, "--save", "all"]),
                             (("empty.pdb",), ["--topology", write("empty.pdb", "END\n"), "--save", "all"])):
        refused(2, *words, arguments=["run", *OPTIONS, "--steps", 5, "--output", "never", *arguments])
        assert not os.path.exists("never")
    os.mkdir("same")
    write("same/fluid.pdb", read(TOPOLOGY).decode())
    refused(2, "the copy for --topology", "expected two", arguments=["run", *OPTIONS, "--steps", 5, "--output", "same", "--overwrite",
                                                                    "--topology", "same/fluid.pdb", "--save", "name O2"])
    assert read("same/fluid.pdb") == read(TOPOLOGY)


all_tests(globals())
