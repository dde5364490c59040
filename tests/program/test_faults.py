# Damaged files, full disks and failing simulations: one line, the right status, and nothing lost.
# SPDX-License-Identifier: MIT
import resource

from harness import *


def limited(bytes_allowed):
    """Writes of a process beyond this file size fail, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_allowed, bytes_allowed))


def finished_run(name, steps=40):
    options = [*write_fluid(), "--seed", 5, *intervals(10, 10, 20)]
    good("run", *options, "--steps", steps, "--output", name)
    return options


def test_a_damaged_checkpoint_is_refused_and_the_previous_one_taken():
    finished_run("pristine")
    whole = read("pristine/checkpoint")
    noise = random.Random(1)
    bits = [(noise.randrange(len(whole)), noise.randrange(8)) for _ in range(10)]
    damaged = [whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1:] for place, bit in bits]
    for content in (*damaged, whole[:-1], whole[:100], b""):
        shutil.rmtree("damaged", ignore_errors=True)
        shutil.copytree("pristine", "damaged")
        with open("damaged/checkpoint", "wb") as file:
            file.write(content)
        result = run("run", "--resume", "--output", "damaged")
        assert result.returncode == 0 and "previous" in result.stderr and "step 20/40" in result.stderr, result.stderr
        assert read("damaged/trajectory.dcd") == read("pristine/trajectory.dcd")
    with open("damaged/checkpoint", "wb") as file:
        file.write(whole[:100])
    os.remove("damaged/checkpoint.previous")
    refused(2, "checkpoint", arguments=["run", "--resume", "--output", "damaged"])


def test_outputs_that_cannot_be_written():
    fluid = write_fluid()
    refused(5, "/dev/full", arguments=["energy", *fluid, "--json", "/dev/full"])
    refused(5, "nowhere", arguments=["energy", *fluid, "--forces", "nowhere/forces.npy"])
    with open("/dev/full", "w") as full:
        result = subprocess.run([PROGRAM, "energy", *fluid], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 5 and result.stderr.startswith("trotter: standard output"), result.stderr
    write("file", "")
    refused(2, "file", arguments=["run", *fluid, "--steps", 1, "--output", "file"])
    refused(5, "file/folder", arguments=["run", *fluid, "--steps", 1, "--output", "file/folder"])


def test_a_full_disk_leaves_what_was_complete():
    options = finished_run("full")
    refused(5, arguments=["run", "--resume", "--output", "full", "--steps", 1000], preexec_fn=limited(40000))
    rows = read("full/log.csv").decode().splitlines()
    assert all(row.count(",") == rows[0].count(",") for row in rows), "a line was cut"
    good("run", "--resume", "--output", "full", "--steps", 1000)
    good("run", *options, "--output", "not-full", "--steps", 1000)
    assert read("full/trajectory.dcd") == read("not-full/trajectory.dcd")


def test_a_simulation_that_explodes_names_step_and_particle():
    fluid = write_fluid("hot", integrator="verlet")
    cold = read("hot.state.xml").decode().split("<Velocities>")[0]
    speeds = vectors("Velocities", [(1e5 * (-1) ** n, 0, 0) for n in range(128)], "Velocity")
    write("hot.state.xml", cold + speeds + "</State>")
    refused(3, "step", "particle", arguments=["run", *fluid, "--steps", 1000, "--output", "hot", *intervals(1, 1, 0)])
    rows = read("hot/log.csv").decode().splitlines()
    assert all("nan" not in row for row in rows)


def test_a_cutoff_that_does_not_fit_the_box_is_refused():
    system = write("small.xml", system_xml([1, 1], [nonbonded_xml([(0, 0.3, 1)] * 2, cutoff=1.5)]))
    refused(2, "cutoff", "1.5", arguments=["check", "--system", system])


def test_broken_files_give_one_sentence():
    whole = read(write_fluid()[1]).decode()
    replacements = (('mass="20.0"', 'mass="1abc"', "1abc"), ('mass="20.0"', 'mass="nan"', "nan"),
                    ('mass="20.0"', 'mass="-5"', "-5"), ('p1="0"', 'p1="1000"', "1000"),
                    ("HarmonicBondForce", "SpringForce", "SpringForce"),
                    ('version="4"', 'version="99"', "99"), ("System", "Sistem", "Sistem"))
    broken = [(whole.replace(old, new), word) for old, new, word in replacements]
    broken += [(whole[:2000], "broken.xml"), ("", "broken.xml"), ("<a>" * 100000 + "</a>" * 100000, "128 elements")]
    for text, word in broken:
        write("broken.xml", text)
        refused(2, "broken.xml", word, arguments=["check", "--system", "broken.xml"])


all_tests(globals())
