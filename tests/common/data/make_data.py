#!/usr/bin/env python3
"""Writes constraints*.txt and virtual_sites.txt beside this script: what OpenMM's Reference platform does.

    make_data.py REFERENCE_DATA      (the folder that holds oracle/; virtual_sites.txt needs the package openmm)
"""
import gzip
import json
import pathlib
import random
import sys
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).parent


def vectors(element):
    return [[float(v.get(k)) for k in "xyz"] for v in element]


def line(*numbers):
    return " ".join(repr(n) for n in numbers) + "\n"


def constraints(case, name, particles):
    """Masses, positions and velocities before, positions and velocities after; then pairs and distances."""
    system = xml.fromstring(gzip.open(case / "system.xml.gz").read())
    state = xml.fromstring(gzip.open(case / "state.xml.gz").read())
    extras = json.loads((case / "reference.json").read_text())["extras"]
    columns = (vectors(state.find("Positions")), vectors(state.find("Velocities")),
               extras["positions_after_applyConstraints"], extras["velocities_after_applyVelocityConstraints"])
    masses = [float(p.get("mass")) for p in system.find("Particles")][:particles]
    pairs = [(int(c.get("p1")), int(c.get("p2")), float(c.get("d"))) for c in system.find("Constraints")]
    pairs = [p for p in pairs if max(p[:2]) < len(masses)]
    with open(HERE / f"{name}.txt", "w") as out:
        out.write(line(len(masses), len(pairs)))
        for i, mass in enumerate(masses):
            out.write(line(mass, *(x for column in columns for x in column[i])))
        for pair in pairs:
            out.write(line(*pair))


def virtual_sites():
    """Positions as placed, the force on each particle alone, and the total after sites have passed theirs on."""
    import openmm as mm
    V, random_ = mm.Vec3, random.Random(5)
    half, root = 0.5, 0.75 ** 0.5
    turn = V(-half, -root, 0), V(root, -half, 0), V(0, 0, 1)
    sites = {
        4: mm.TwoParticleAverageSite(0, 1, .3, .7),
        5: mm.ThreeParticleAverageSite(0, 1, 2, .5, .2, .3),
        6: mm.OutOfPlaneSite(0, 1, 2, .4, .3, 2.5),
        7: mm.LocalCoordinatesSite(0, 1, 2, V(.2, .3, .5), V(-1, .5, .5), V(0, -1, 1), V(.06, -.04, .08)),
        8: mm.LocalCoordinatesSite([0, 1, 2, 3], [.1, .2, .3, .4],
                                   [-1, .3, .3, .4], [.2, -1, .4, .4], V(-.05, .07, .03)),
        9: mm.LocalCoordinatesSite([3, 1], [.5, .5], [1, -1], [0, 0], V(.1, .2, .3)),
        10: mm.SymmetrySite(3, *turn, V(.1, .25, -.3), False),
        11: mm.SymmetrySite(2, V(-1, 0, 0), V(0, -1, 0), V(0, 0, 1), V(0, 0, .5), True),
        12: mm.OutOfPlaneSite(7, 13, 2, -.4, .6, 1.5),
        13: mm.TwoParticleAverageSite(8, 10, .25, .75),
    }
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(V(1.8, 0, 0), V(0, 1.7, 0), V(0, 0, 1.9))  # SymmetrySite forces: see the test
    force = mm.CustomExternalForce("-(a*x+b*y+c*z)")
    for parameter in "abc":
        force.addPerParticleParameter(parameter)
    own = [[random_.uniform(-5, 5) for _ in range(3)] for _ in range(14)]
    for i in range(14):
        system.addParticle(0 if i in sites else 12)
        force.addParticle(i, own[i])
    for i, site in sites.items():
        system.setVirtualSite(i, site)
    system.addForce(force)
    context = mm.Context(system, mm.VerletIntegrator(.001), mm.Platform.getPlatformByName("Reference"))
    context.setPositions([[random_.uniform(-.4, .4) for _ in range(3)] for _ in range(14)])
    context.computeVirtualSites()
    state = context.getState(positions=True, forces=True)
    with open(HERE / "virtual_sites.txt", "w") as out:
        for x, f, total in zip(state.getPositions(asNumpy=True)._value, own, state.getForces(asNumpy=True)._value):
            out.write(line(*map(float, x), *f, *map(float, total)))


if len(sys.argv) != 2:
    sys.exit(__doc__)
oracle = pathlib.Path(sys.argv[1]) / "oracle"
constraints(oracle / "constraints-apply", "constraints_dipeptide", 22)
constraints(oracle / "constraints-apply-water", "constraints_water", 45)
virtual_sites()
