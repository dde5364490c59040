# Force fields that come with the program are found wherever it is, and whether or not the folder can be written.
# SPDX-License-Identifier: MIT
from harness import *

SHARE = os.path.join(os.path.dirname(PROGRAM), "share", "trotter")
ATOM = "HETATM{:5d}  {:<3} {} A{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           {}\n"
write("waters.pdb", "".join(ATOM.format(n, "O", "HOH", n, 4 * n, 0, 0, "O") for n in (1, 2)))
write("waters.toml", """[prepare]
structure = "waters.pdb"
forcefield = ["amber14-all.xml", "amber14/tip3p.xml"]
[[prepare.step]]
do = "add_hydrogens"
[[prepare.step]]
do = "add_solvent"
box = [2.0, 2.0, 2.0]
[prepare.system]
nonbonded_method = "PME"
cutoff = 0.9
""")


def prepared(program, **options):
    result = subprocess.run([program, "prepare", "waters.toml"], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["particles"] % 3 == 0 and report["particles"] > 600, report["particles"]
    return report


def test_without_an_option():
    prepared(PROGRAM)


def test_the_installation_may_be_moved_and_need_not_be_writable():
    os.makedirs("prefix/bin")
    shutil.copy(PROGRAM, "prefix/bin/trotter")
    shutil.copytree(SHARE, "prefix/share/trotter")
    os.rename("prefix", "moved")
    for folder, _, _ in os.walk("moved"):
        os.chmod(folder, 0o555)
    try:
        assert prepared(os.path.abspath("moved/bin/trotter")) == prepared(PROGRAM)
    finally:
        for folder, _, _ in os.walk("moved"):
            os.chmod(folder, 0o755)


def test_folders_that_are_named_come_first():
    for name, option in (("by-option", True), ("by-environment", False)):
        os.makedirs(f"{name}/amber14")
        write(f"{name}/amber14/tip3p.xml", "<ForceField><AtomTypes/><Residues/></ForceField>")
        environment = {**os.environ, **({} if option else {"TROTTER_FORCEFIELDS": os.path.abspath(name)})}
        refused(2, "HOH", arguments=["prepare", "waters.toml", *(["--forcefields", name] if option else [])], env=environment)


def test_a_name_that_no_folder_has():
    write("none.toml", read("waters.toml").decode().replace("amber14-all.xml", "amber13-all.xml"))
    refused(2, "amber13-all.xml was not found", "share/trotter/forcefields", "--forcefields", arguments=["prepare", "none.toml"])


all_tests(globals())
