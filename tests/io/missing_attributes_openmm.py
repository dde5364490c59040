#!/usr/bin/env python3
"""What a file may leave out, and what it then means, is as in OpenMM: missing_attributes_openmm.py PROGRAM.

From files that hold every class, attribute and list, each is taken out once, with the newest version of its class and
with every older one. OpenMM and Trotter both read the rest, as the same thing, or both refuse it.
"""
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from round_trip_openmm import as_openmm_sees, everything, kind_of, openmm, run, states, text_of, write

# Errors of Trotter where OpenMM ignores unknown input, or reports it only when a Context is created.
STRICTER = ("is newer than", "of this element, only in newer ones", "of the force", "a version from", "unknown attribute",
            "unknown element", "unknown function", "there is nothing that it could refer to", "expected an integer from 0 to",
            "expected a Value for all particles", "as in the System", "the attribute c0 is missing",
            "the attribute c1 is missing", "expected 360 degrees from the first to the last")
# A State without box vectors is valid.
LOOSER = ("/State of version None without <PeriodicBoxVectors>",)


def kinds(root):
    """The first element of each kind, told by its place, type and attributes: more of them say nothing new."""
    seen = {}

    def visit(element, place):
        place = f"{place}/{element.get('type', '') if element.tag in ('Force', 'Integrator', 'Function') else element.tag}"
        names = sorted(element.attrib)
        seen.setdefault((place, *names), element)
        for child in element:
            visit(child, place)

    visit(root, "")
    return seen


def variants(text):
    """Each file with one thing taken out, and what that is."""
    root = ElementTree.fromstring(text)
    for (place, *_), element in kinds(root).items():
        attributes = dict(element.attrib)
        versions = [None]
        if "version" in attributes:
            versions += [str(n) for n in range(int(attributes["version"]))]
        for version in versions:
            if version:
                element.set("version", version)
                yield f"{place} of version {version}", ElementTree.tostring(root, encoding="unicode")
            for name in attributes:
                value = element.attrib.pop(name)
                yield f"{place} of version {version} without {name}", ElementTree.tostring(root, encoding="unicode")
                element.set(name, value)
            for child in [c for n, c in enumerate(element) if c.tag not in [other.tag for other in element[:n]]]:
                if version or len(child) or len([c for c in element if c.tag == child.tag]) == 1:
                    at = list(element).index(child)
                    element.remove(child)
                    yield f"{place} of version {version} without <{child.tag}>", ElementTree.tostring(root, encoding="unicode")
                    element.insert(at, child)
        if "version" in attributes:
            element.set("version", attributes["version"])


def seen_by_openmm(text):
    """What OpenMM makes of it; None where it refuses it, or crashes, which must not end this program."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(sink, "wb") as out:
                seen = as_openmm_sees(text)
                seen = seen if isinstance(seen, str) else seen.decode()
                # OpenMM writes no version where an integrator has no variables.
                out.write(re.sub(r'(<IntegratorParameters\b[^>]*?) version="1"', r"\1", seen).encode())
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as result:
        seen = result.read()
    os.waitpid(child, 0)
    return seen or None


def custom_forces(folder):
    """Forces of formulas, with tables, that `everything` does not have, so that each list holds something."""
    system = openmm.System()
    for _ in range(4):
        system.addParticle(1)
    force = openmm.CustomNonbondedForce("scale*v1*v2*table(r)")
    force.addComputedValue("v", "q^2")
    force.addInteractionGroup({0, 1}, {2, 3})
    for i in range(4):
        force.addPerParticleParameter("q") if i == 0 else None
        force.addParticle([i / 3])
    forces = [force]
    for kind, formula in (("Bond", "r"), ("Angle", "theta"), ("Torsion", "theta")):
        force = getattr(openmm, f"Custom{kind}Force")(f"k*scale*{formula}")
        getattr(force, f"addPer{kind}Parameter")("k")
        getattr(force, f"add{kind}")(*range({"Bond": 2, "Angle": 3, "Torsion": 4}[kind]), [1 / 3])
        forces.append(force)
    external = openmm.CustomExternalForce("k*scale*x")
    external.addPerParticleParameter("k")
    external.addParticle(2, [1 / 3])
    compound = openmm.CustomCompoundBondForce(2, "k*scale*table(distance(p1, p2))")
    compound.addPerBondParameter("k")
    compound.addBond([3, 1], [1 / 3])
    centroid = openmm.CustomCentroidBondForce(2, "k*scale*table(distance(g1, g2))")
    centroid.addPerBondParameter("k")
    centroid.addGroup([0, 1], [1, 2])
    centroid.addGroup([2, 3])
    centroid.addBond([1, 0], [1 / 3])
    hbonds = openmm.CustomHbondForce("scale*table(distance(d1, a1))")
    hbonds.addDonor(0, 1, 2)
    hbonds.addAcceptor(3, 2, 1)
    sets = openmm.CustomManyParticleForce(2, "scale*table(distance(p1, p2))")
    for i in range(4):
        sets.addParticle([], i)
    for force in forces + [external, compound, centroid, hbonds, sets]:
        force.addGlobalParameter("scale", 0.5)
        if hasattr(force, "addEnergyParameterDerivative"):
            force.addEnergyParameterDerivative("scale")
        if hasattr(force, "addTabulatedFunction"):
            force.addTabulatedFunction("table", openmm.Continuous1DFunction([0, 1 / 3, 2], 0, 2))
            for name, table in (("two", openmm.Continuous2DFunction(2, 2, [1, 2, 3, 4], 0, 1, 0, 1)),
                                ("three", openmm.Continuous3DFunction(2, 2, 2, range(8), 0, 1, 0, 1, 0, 1)),
                                ("one", openmm.Discrete1DFunction([1, 2])), ("four", openmm.Discrete2DFunction(2, 1, [1, 2])),
                                ("six", openmm.Discrete3DFunction(1, 2, 1, [1, 2]))):
                force.addTabulatedFunction(name, table)
        if hasattr(force, "setUsesPeriodicBoundaryConditions") and force is not external:
            force.setUsesPeriodicBoundaryConditions(True)
        system.addForce(force)
    write(folder / "custom.xml", system)
    integrator = openmm.CustomIntegrator(0.001)
    integrator.addTabulatedFunction("table", openmm.Continuous1DFunction([0, 1 / 3, 2], 0, 2))
    integrator.addGlobalVariable("limit", 2)
    text = openmm.XmlSerializer.serialize(integrator)
    (folder / "integrator-tables.xml").write_text(text)
    # Early versions spelled the variables in another way.
    early = re.sub(r"<GlobalVariables>.*</GlobalVariables>", '<GlobalVariables b="2" a="-.5" limit="Infinity"/>', text, flags=re.S)
    (folder / "integrator-early.xml").write_text(early.replace('type="CustomIntegrator" version="3"', 'type="CustomIntegrator" version="2"'))


def compare(what, text, answer, target):
    seen = seen_by_openmm(text)
    if answer != "written":
        return None if not seen or any(words in answer for words in STRICTER) else f"{what}: OpenMM reads it, {answer}"
    if not seen:
        return None if what.endswith(LOOSER) else f"{what}: OpenMM refuses it"
    if seen_by_openmm(target.read_text()) != seen:
        return f"{what}: OpenMM reads something else"
    return None


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        everything(folder)
        states(folder)
        custom_forces(folder)
        cases = []
        for path in sorted(folder.glob("*.xml")):
            cases += [(f"{path.name}: {what}", text) for what, text in variants(text_of(path))]
        jobs = []
        for n, (_, text) in enumerate(cases):
            source = folder / f"case-{n}"
            source.write_text(text)
            jobs.append((kind_of(text), source, folder / f"out-{n}"))
        answers = run(sys.argv[1], jobs)
        problems = [compare(*case, answer, job[2]) for case, answer, job in zip(cases, answers, jobs)]
    problems = [problem for problem in problems if problem]
    print("\n".join(problems))
    print(f"{len(cases)} files with something left out, {len(problems)} problems")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
