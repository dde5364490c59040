# Device compilers give no warnings for the kernels: standard error stays empty.
# SPDX-License-Identifier: MIT
from harness import *

COUNT = 12
POSITIONS = [(0.3 * (i % 3) + 0.01 * i, 0.3 * (i // 3 % 2) + 0.02 * (i % 5), 0.35 * (i // 6)) for i in range(COUNT)]


def force(kind, version, content="", **attributes):
    return element("Force", content, type=kind, name=kind, version=version, forceGroup=0, **attributes)


def rows(tag, inner, lines):
    """A list of elements without content."""
    return element(tag, "".join(element(inner, **line) for line in lines))


def for_each_particle(**numbers):
    return rows("Particles", "Particle", [numbers] * COUNT)


def term(*particles, **numbers):
    return {f"p{n + 1}": p for n, p in enumerate(particles)} | numbers


GLOBAL = rows("GlobalParameters", "Parameter", [{"name": "scale", "default": 0.5}])
DERIVATIVE = rows("EnergyParameterDerivatives", "Parameter", [{"name": "scale"}])
TABLE = element("Functions", element("Function", rows("Values", "Value", [{"v": v} for v in (1, 2, 0, 1)]), name="f",
                                     type="Continuous1DFunction", version=2, min=0, max=3, periodic=0))


def names(tag, *parameters):
    return rows(tag, "Parameter", [{"name": name} for name in parameters])


def plain_terms():
    return [
        force("HarmonicBondForce", 2, rows("Bonds", "Bond", [term(0, 1, d=0.3, k=100)]), usesPeriodic=1),
        force("HarmonicAngleForce", 2, rows("Angles", "Angle", [term(0, 1, 2, a=1.5, k=10)]), usesPeriodic=1),
        force("PeriodicTorsionForce", 2, rows("Torsions", "Torsion", [term(0, 1, 3, 4, periodicity=2, phase=1, k=3)]),
              usesPeriodic=1),
        force("RBTorsionForce", 2, rows("Torsions", "Torsion", [term(0, 1, 3, 4, c0=1, c1=2, c2=3, c3=4, c4=5, c5=6)]),
              usesPeriodic=1),
        force("CMAPTorsionForce", 2, element("Maps", element("Map", "".join(element("Energy", e=n % 3) for n in range(16)), size=4))
              + rows("Torsions", "Torsion", [{"map": 0} | {f"a{n + 1}": n for n in range(4)} | {f"b{n + 1}": n + 1 for n in range(4)}]),
              usesPeriodic=1)]


def formulas_of_terms():
    def custom(kind, version, energy, parameters, terms, **attributes):
        head = names(parameters, "k") + GLOBAL + (DERIVATIVE if version > 1 else "")
        return force(kind, version, head + terms, energy=energy, **attributes)

    groups = element("Groups", "".join(rows("Group", "Particle", [{"p": p} for p in some]) for some in ((0, 1), (5, 6))))
    return [
        custom("CustomBondForce", 3, "scale*k*(r-0.2)^2", "PerBondParameters", rows("Bonds", "Bond", [term(0, 4, param1=5)]),
               usesPeriodic=1),
        custom("CustomAngleForce", 3, "scale*k*cos(theta)", "PerAngleParameters",
               rows("Angles", "Angle", [term(0, 4, 8, param1=5)]), usesPeriodic=1),
        custom("CustomTorsionForce", 3, "scale*k*theta^2", "PerTorsionParameters",
               rows("Torsions", "Torsion", [term(0, 4, 8, 3, param1=5)]), usesPeriodic=1),
        custom("CustomExternalForce", 1, "scale*k*periodicdistance(x,y,z,0,0,0)^2", "PerParticleParameters",
               rows("Particles", "Particle", [{"index": 2, "param1": 5}])),
        custom("CustomCompoundBondForce", 3, "scale*k*distance(p1,p2)*f(angle(p1,p2,p3))", "PerBondParameters",
               rows("Bonds", "Bond", [term(1, 2, 3, param1=5)]) + TABLE, particles=3, usesPeriodic=1),
        custom("CustomCentroidBondForce", 3, "scale*k*distance(g1,g2)^2", "PerBondParameters",
               groups + rows("Bonds", "Bond", [{"g1": 0, "g2": 1, "param1": 5}]) + "<Functions/>", groups=2, usesPeriodic=1)]


def pairs():
    numbers = names("PerParticleParameters", "a") + GLOBAL
    outside = "<Exclusions/>" + TABLE
    values = rows("ComputedValues", "Value", [{"name": "v", "expression": "a"}])
    gb_values = rows("ComputedValues", "Value", [{"name": "v", "type": 2, "expression": "a1*exp(-r)*f(r)"},
                                                 {"name": "w", "type": 0, "expression": "scale*v^2"}])
    gb_terms = rows("EnergyTerms", "Term", [{"type": 0, "expression": "a*w"}, {"type": 2, "expression": "w1*w2/(r+1)"}])
    return [
        nonbonded_xml([((-1) ** i * 0.2, 0.2, 0.3) for i in range(COUNT)], method=4,
                      exceptions=element("Exception", p1=0, p2=1, q=0.01, sig=0.2, eps=0.1)),
        force("CustomNonbondedForce", 3, numbers + values + DERIVATIVE + for_each_particle(param1=0.3) + outside
              + "<InteractionGroups/>", energy="scale*v1*v2*f(r)", method=2, cutoff=0.9, useSwitchingFunction=1,
              switchingDistance=0.7, useLongRangeCorrection=0),
        force("CustomGBForce", 2, numbers + DERIVATIVE + gb_values + gb_terms + for_each_particle(param1=0.3) + outside, method=2,
              cutoff=0.9),
        force("GBSAOBCForce", 2, for_each_particle(q=0.1, r=0.15, scale=0.8), method=2, cutoff=0.9, soluteDielectric=1,
              solventDielectric=78.5, surfaceAreaEnergy=2),
        force("GayBerneForce", 1, for_each_particle(eps=0.5, sig=0.2, sx=0.2, sy=0.2, sz=0.2, ex=1, ey=1, ez=1, xparticle=-1,
                                                    yparticle=-1) + "<Exceptions/>", method=2, cutoff=0.9,
              useSwitchingFunction=0, switchingDistance=-1),
        force("CustomHbondForce", 1, "<PerDonorParameters/><PerAcceptorParameters/>" + GLOBAL
              + rows("Donors", "Donor", [term(0, 1, -1)]) + rows("Acceptors", "Acceptor", [term(6, 7, -1)])
              + "<Exclusions/><Functions/>", energy="scale*distance(a1,d1)*cos(angle(a2,a1,d1))", method=2, cutoff=0.9),
        force("CustomManyParticleForce", 1, "<PerParticleParameters/>" + GLOBAL + for_each_particle(type=0) + "<Exclusions/>"
              + rows("TypeFilters", "Filter", [{"index": n, "types": ""} for n in range(3)]) + "<Functions/>",
              energy="scale*cos(angle(p1,p2,p3))*exp(-distance(p1,p3))", method=2, cutoff=0.9, particlesPerSet=3,
              permutationMode=0)]


def others():
    places = vectors("ReferencePositions", POSITIONS, "Position")
    bond = force("CustomBondForce", 3, "<PerBondParameters/><GlobalParameters/><EnergyParameterDerivatives/>"
                 + rows("Bonds", "Bond", [term(0, 5)]), energy="r", usesPeriodic=0)
    variable = element("CollectiveVariables", element("CollectiveVariable", bond, name="d")
                       + element("CollectiveVariable", pairs()[0], name="u"))
    return [
        force("CustomCVForce", 0, GLOBAL + "<EnergyParameterDerivatives/>" + variable + "<Functions/>", energy="scale*d^2+1e-3*u"),
        force("CustomVolumeForce", 0, GLOBAL, energy="scale*v"),
        force("LCPOForce", 1, for_each_particle(r=0.2, p1=1, p2=-0.5, p3=-0.1, p4=0.01), surfaceTension=2, usesPeriodic=1),
        force("OrientationRestraintForce", 0, places + "<Particles/>", k=3),
        force("RGForce", 0, "<Particles/>"),
        force("RMSDForce", 0, places + "<Particles/>")]


def write_system(name, forces):
    write(f"{name}.system.xml", system_xml([12.0] * COUNT, forces))
    write(f"{name}.state.xml", state_xml(POSITIONS, [(0, 0, 0)] * COUNT))
    return ["--system", f"{name}.system.xml", "--state", f"{name}.state.xml"]


def test_kernels_of_every_force_compile_without_a_word():
    if "opencl" not in usable_platforms():
        print("no OpenCL device: skipped")
        return
    all_forces = [*plain_terms(), *formulas_of_terms(), *pairs(), *others(), CMM, ANDERSEN, BAROSTAT]
    inputs = write_system("all", all_forces)
    write("langevin.xml", INTEGRATORS["langevin-middle"])
    os.mkdir("kernels")
    environment = {**os.environ, "POCL_CACHE_DIR": os.path.abspath("kernels")}
    result = run("step", *inputs, "--integrator", "langevin.xml", "--steps", 10, "--platform", "opencl", env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stderr == "", result.stderr
    assert os.listdir("kernels"), "nothing was compiled"


all_tests(globals())
