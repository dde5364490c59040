# No command reports success with an energy, a force or a derivative that is not finite.
# SPDX-License-Identifier: MIT
from harness import *


def write_bond(formula, distance, parameter="", derivative=""):
    """Two particles on a CustomBondForce, behind a HarmonicBondForce."""
    content = "<PerBondParameters/>" + element("GlobalParameters", parameter)
    content += element("EnergyParameterDerivatives", derivative) + element("Bonds", '<Bond p1="0" p2="1"/>')
    bond = element("Force", content, type="CustomBondForce", name="CustomBondForce", version=3, forceGroup=0, energy=formula,
                   usesPeriodic=0)
    write("bond.system.xml", system_xml([12.0, 12.0], [bonds_xml([(0, 1, 0.2, 1000)]), bond]))
    write("bond.state.xml", state_xml([(0, 0, 0), (distance, 0, 0)], [(0, 0, 0), (0, 0, 0)]))
    write("bond.integrator.xml", INTEGRATORS["verlet"])
    return ["--system", "bond.system.xml", "--state", "bond.state.xml", "--integrator", "bond.integrator.xml"]


def test_an_energy():
    # an open FENE bond: the force is finite, the logarithm is not
    bond = write_bond("-0.5*30*1.5^2*log(1-(r/1.5)^2)", 1.75)
    for more in ([], ["--inline"], ["--forces", "f.npy"], ["--groups", "0"], ["--terms"]):
        refused(2, "force 1 (CustomBondForce)", "finite", arguments=["energy", *bond, *more])
    refused(2, "force 1 (CustomBondForce)", arguments=["check", *bond])
    refused(2, "force 1 (CustomBondForce)", arguments=["benchmark", *bond])
    refused(2, "force 1 (CustomBondForce)", arguments=["step", *bond, "--steps", 0])
    refused(3, "force 1 (CustomBondForce)", arguments=["step", *bond, "--steps", 3])
    refused(3, "step", "force 1 (CustomBondForce)", arguments=["run", *bond, "--steps", 3, "--output", "fene", *intervals(1, 1, 1)])
    assert b"nan" not in read("fene/log.csv")
    assert not os.path.exists("f.npy")


def test_a_force():
    bond = write_bond("sqrt(r-0.5)", 0.5)
    for more in (["--inline"], ["--forces", "f.npy"]):
        refused(2, "particle 0", "force 1 (CustomBondForce)", arguments=["energy", *bond, *more])
    refused(2, "particle 0", "force 1 (CustomBondForce)", arguments=["step", *bond, "--steps", 0, "--inline"])
    assert not os.path.exists("f.npy")


def test_a_force_beyond_the_range_of_a_device():
    if "opencl" not in usable_platforms():
        print("no OpenCL device: skipped")
        return
    inputs = ["energy", *write_bond("1e12*r^3", 0.5), "--inline"]
    result = run(*inputs, "--platform", "opencl")
    assert result.returncode == 0, result.stderr
    assert "evaluated by reference" in result.stderr and "force 1 (CustomBondForce)" in result.stderr, result.stderr
    found, expected = json.loads(result.stdout), result_of(*inputs, "--platform", "reference")
    assert found["platform"] == "reference"
    assert found["potential_energy"] == expected["potential_energy"] and found["forces"] == expected["forces"]
    refused(2, "is not a finite number", arguments=["energy", *write_bond("sqrt(r-0.5)", 0.5), "--platform", "opencl", "--inline"])


def test_a_derivative():
    bond = write_bond("lam^0.5*r", 0.5, '<Parameter default="0" name="lam"/>', '<Parameter name="lam"/>')
    refused(2, "derivative", "lam", "force 1 (CustomBondForce)", arguments=["energy", *bond])
    refused(3, "derivative", "lam", arguments=["step", *bond, "--steps", 1])
    refused(3, "derivative", "lam", arguments=["minimize", *bond[:4], "--out-state", "o.xml"])
    assert not os.path.exists("o.xml")
    good("energy", *bond, "--set", "lam=0.5")


def test_a_kinetic_energy():
    spring = write_spring(name="fast")
    write("fast.state.xml", state_xml([(0, 0, 0), (0.2, 0, 0)], [(0, 0, 0), (1e200, 0, 0)]))
    refused(2, "kinetic energy", "particle is 1", arguments=["energy", *spring])


def test_constraints_that_no_minimization_satisfies():
    sides = "".join(f'<Constraint d="{d}" p1="{i}" p2="{j}"/>' for i, j, d in ((0, 1, 0.1), (1, 2, 0.1), (0, 2, 0.5)))
    write("sides.system.xml", system_xml([1.0] * 3, [bonds_xml([(0, 1, 0.1, 100)])], constraints=sides))
    write("sides.state.xml", state_xml([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0)], [(0, 0, 0)] * 3))
    write("sides.integrator.xml", INTEGRATORS["verlet"])
    inputs = ["--system", "sides.system.xml", "--state", "sides.state.xml"]
    for more in ([], ["--max-iterations", 3], ["--platform", "reference"]):
        refused(3, "constraint", arguments=["minimize", *inputs, "--out-state", "sides.out.xml", *more])
    assert not os.path.exists("sides.out.xml")
    refused(3, "constraint", arguments=["run", *inputs, "--integrator", "sides.integrator.xml", "--steps", 1, "--minimize",
                                        "--output", "sides"])


def test_constrained_particles_at_one_point_come_apart():
    write("point.system.xml", system_xml([1.0] * 2, [bonds_xml([(0, 1, 0.1, 100)])],
                                         constraints='<Constraint d="0.11" p1="0" p2="1"/>'))
    write("point.state.xml", state_xml([(0.5, 0.5, 0.5)] * 2, [(0, 0, 0)] * 2))
    write("point.integrator.xml", INTEGRATORS["verlet"])
    inputs = ["--system", "point.system.xml", "--state", "point.state.xml"]
    report = result_of("minimize", *inputs, "--out-state", "point.out.xml", "--inline")
    close(math.dist(*report["positions"]), 0.11, 1e-5)
    good("step", *inputs[:2], "--state", "point.out.xml", "--integrator", "point.integrator.xml", "--steps", 5)


def test_runs_place_virtual_sites_that_stand_elsewhere():
    """A `step` takes the State as it stands, as OpenMM does."""
    site = '<TwoParticleAverageSite p1="0" p2="1" w1="0.5" w2="0.5"/>'
    text = system_xml([10.0, 10.0, 0.0], [bonds_xml([(0, 1, 0.3, 1000), (2, 3, 0.2, 1000)])]).replace(
        '<Particle mass="0.0"/>', f'<Particle mass="0.0">{site}</Particle><Particle mass="10"/>')
    write("site.system.xml", text)
    write("site.integrator.xml", INTEGRATORS["verlet"])
    ends = []
    for name, x in (("right", 0.15), ("wrong", 0.9)):
        write(f"{name}.state.xml", state_xml([(0, 0, 0), (0.3, 0, 0), (x, 0, 0), (0.15, 0.3, 0)], [(0, 0, 0)] * 4))
        inputs = ["--system", "site.system.xml", "--state", f"{name}.state.xml", "--integrator", "site.integrator.xml"]
        result = run("run", "--output", name, *inputs, "--steps", 2)
        assert result.returncode == 0 and ("1 virtual site stood" in result.stderr) == (name == "wrong"), result.stderr
        ends.append(result_of("energy", *inputs[:2], "--state", f"{name}/final-state.xml.gz")["potential_energy"])
        start = result_of("step", *inputs, "--steps", 0, "--inline")
        close(start["positions"][2][0], x, 1e-12)
    assert ends[0] == ends[1]


all_tests(globals())
