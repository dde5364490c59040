#!/usr/bin/env python3
# Makes benchmark inputs with custom forces from those of one System.
# SPDX-License-Identifier: MIT
"""make_inputs.py FROM TO [NAME …]

FROM and each folder TO/NAME hold system.xml.gz, state.xml.gz and integrator.xml, as compare_openmm.py reads them; FROM
may be examples/dhfr, or any System with a NonbondedForce, such as a box of water. Needs openmm. The names, all of them
by default:
"""
import argparse
import gzip
import math
import pathlib
import shutil

import openmm
from openmm import unit
from openmm.mtsintegrator import MTSIntegrator


def plain(values):
    return [v.value_in_unit_system(unit.md_unit_system) if unit.is_quantity(v) else v for v in values]


def only(system, kind):
    return next(force for force in system.getForces() if isinstance(force, kind))


def particles_of(force):
    """Charge, sigma and epsilon of each particle."""
    return [plain(force.getParticleParameters(i)) for i in range(force.getNumParticles())]


def exceptions_of(force):
    return [plain(force.getExceptionParameters(n))[:2] for n in range(force.getNumExceptions())]


def replace_lennard_jones(system, formula):
    """A CustomNonbondedForce with cutoff and exclusions of the NonbondedForce, which keeps charges and exceptions."""
    force = only(system, openmm.NonbondedForce)
    custom = openmm.CustomNonbondedForce(formula)
    methods = {force.NoCutoff: custom.NoCutoff, force.CutoffNonPeriodic: custom.CutoffNonPeriodic}
    custom.setNonbondedMethod(methods.get(force.getNonbondedMethod(), custom.CutoffPeriodic))
    custom.setCutoffDistance(force.getCutoffDistance())
    custom.setUseSwitchingFunction(force.getUseSwitchingFunction())
    custom.setSwitchingDistance(force.getSwitchingDistance())
    custom.setUseLongRangeCorrection(force.getUseDispersionCorrection())
    for i, j in exceptions_of(force):
        custom.addExclusion(i, j)
    for i, (charge, _, _) in enumerate(particles_of(force)):
        force.setParticleParameters(i, charge, 1, 0)
    force.setUseDispersionCorrection(False)
    system.addForce(custom)
    return custom


def lennard_jones(system, positions):
    """Lennard-Jones interactions as a CustomNonbondedForce with a size and a depth of each particle."""
    numbers = particles_of(only(system, openmm.NonbondedForce))
    custom = replace_lennard_jones(
        system, "4*epsilon*((s/r)^12-(s/r)^6); s=0.5*(sigma1+sigma2); epsilon=sqrt(depth1*depth2)")
    custom.addPerParticleParameter("sigma")
    custom.addPerParticleParameter("depth")
    for _, sigma, epsilon in numbers:
        custom.addParticle([sigma, epsilon])


def nbfix(system, positions):
    """Lennard-Jones interactions of any two types by tables of their coefficients, as CHARMM's NBFIX needs them."""
    numbers = [(sigma, epsilon) for _, sigma, epsilon in particles_of(only(system, openmm.NonbondedForce))]
    types = sorted(set(numbers))
    pairs = [(0.5 * (a[0] + b[0]), math.sqrt(a[1] * b[1])) for a in types for b in types]
    custom = replace_lennard_jones(system, "(a/r6)^2-b/r6; r6=r^6; a=acoef(type1, type2); b=bcoef(type1, type2)")
    repulsion, attraction = [math.sqrt(4 * e) * s**6 for s, e in pairs], [4 * e * s**6 for s, e in pairs]
    for name, values in (("acoef", repulsion), ("bcoef", attraction)):
        custom.addTabulatedFunction(name, openmm.Discrete2DFunction(len(types), len(types), values))
    custom.addPerParticleParameter("type")
    for one in numbers:
        custom.addParticle([types.index(one)])


def hydrogens(system):
    """Each hydrogen that a constraint or a bond ties to an atom of 12.5 to 17 amu (N and O), and that atom."""
    masses = [plain([system.getParticleMass(i)])[0] for i in range(system.getNumParticles())]
    ties = [system.getConstraintParameters(n)[:2] for n in range(system.getNumConstraints())]
    for force in system.getForces():
        if isinstance(force, openmm.HarmonicBondForce):
            ties += [force.getBondParameters(n)[:2] for n in range(force.getNumBonds())]
    found = {}
    for pair in ties:
        light, heavy = sorted(pair, key=lambda i: masses[i])
        if 0 < masses[light] < 4.5 and 12.5 < masses[heavy] < 17:
            found[light] = heavy
    return sorted(found.items())


def hbond(system, positions):
    """Hydrogen bonds of all donors and acceptors, by distance and angle; weak, so that the motion stays what it was."""
    force = openmm.CustomHbondForce("-0.2*exp(-((distance(d1,a1)-0.19)/0.04)^2)*cos(angle(d2,d1,a1))^2")
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(0.35)
    donors = hydrogens(system)
    acceptors = sorted({heavy for _, heavy in donors})
    place = {heavy: n for n, heavy in enumerate(acceptors)}
    for heavy in acceptors:
        force.addAcceptor(heavy, -1, -1, [])
    for n, (light, heavy) in enumerate(donors):
        force.addDonor(light, heavy, -1, [])
        force.addExclusion(n, place[heavy])
    system.addForce(force)


def many_particle(system, positions):
    """Axilrod and Teller's energy of triples (J. Chem. Phys. 11, 299 (1943)) of all atoms but hydrogens."""
    force = openmm.CustomManyParticleForce(
        3, "1e-7*(1+3*cos(t1)*cos(t2)*cos(t3))/(r12*r13*r23)^3; t1=angle(p1,p2,p3); t2=angle(p2,p3,p1);"
           "t3=angle(p3,p1,p2); r12=distance(p1,p2); r13=distance(p1,p3); r23=distance(p2,p3)")
    force.setPermutationMode(force.SinglePermutation)
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(0.4)
    for i in range(system.getNumParticles()):
        force.addParticle([], 0 if plain([system.getParticleMass(i)])[0] > 4.5 else 1)
    for n in range(3):
        force.setTypeFilter(n, [0])
    for i, j in exceptions_of(only(system, openmm.NonbondedForce)):
        force.addExclusion(i, j)
    system.addForce(force)


def cross(a, b):
    return openmm.Vec3(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def dihedral(a, b, c, d):
    u, v, w = b - a, c - b, d - c
    m, n = cross(u, v), cross(v, w)
    return math.atan2(dot(cross(m, n), v) / math.sqrt(dot(v, v)), dot(m, n))


def restraints(system, positions):
    """A CustomCompoundBondForce that holds each dihedral angle, and the distance across it, near where they are."""
    torsions = only(system, openmm.PeriodicTorsionForce)
    force = openmm.CustomCompoundBondForce(
        4, "2*(1-cos(dihedral(p1,p2,p3,p4)-angle0)) + 50*(distance(p1,p4)-length0)^2")
    force.addPerBondParameter("angle0")
    force.addPerBondParameter("length0")
    for quartet in sorted({tuple(torsions.getTorsionParameters(n)[:4]) for n in range(torsions.getNumTorsions())}):
        a, b, c, d = (positions[i] for i in quartet)
        force.addBond(quartet, [dihedral(a, b, c, d), math.sqrt(dot(d - a, d - a))])
    system.addForce(force)


def multiple_steps(system, positions):
    """A CustomIntegrator whose bonded forces act twice as often as those of pairs."""
    for force in system.getForces():
        is_slow = isinstance(force, (openmm.NonbondedForce, openmm.CMMotionRemover))
        force.setForceGroup(0 if is_slow else 1)
    return MTSIntegrator(2 * unit.femtosecond, [(0, 1), (1, 2)])


INPUTS = {"nbfix": nbfix, "lennard-jones": lennard_jones, "hbond": hbond, "many-particle": many_particle,
          "restraints": restraints, "multiple-steps": multiple_steps}


def read(path):
    data = path.read_bytes()
    return openmm.XmlSerializer.deserialize((gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode())


def main():
    names = "\n".join(f"  {name:15} {make.__doc__}" for name, make in INPUTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + names, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="FROM", type=pathlib.Path)
    parser.add_argument("target", metavar="TO", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if unknown := set(options.names) - INPUTS.keys():
        parser.error(f"there is no input {', '.join(sorted(unknown))}; there are {', '.join(INPUTS)}")
    positions = read(options.source / "state.xml.gz").getPositions()._value
    for name in options.names or INPUTS:
        system = read(options.source / "system.xml.gz")
        integrator = INPUTS[name](system, positions)
        folder = options.target / name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(options.source / "state.xml.gz", folder / "state.xml.gz")
        text = openmm.XmlSerializer.serialize(system)
        (folder / "system.xml.gz").write_bytes(gzip.compress(text.encode(), 6, mtime=0))
        if integrator:
            (folder / "integrator.xml").write_text(openmm.XmlSerializer.serialize(integrator))
        else:
            shutil.copyfile(options.source / "integrator.xml", folder / "integrator.xml")
        print(folder)


if __name__ == "__main__":
    main()
