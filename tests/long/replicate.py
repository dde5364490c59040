# Makes a large input from a small one by replicating its periodic box in the XML text.
# SPDX-License-Identifier: MIT
#
# replicate.py FOLDER OUT 4x4x3
#
# FOLDER holds system.xml.gz, state.xml.gz and integrator.xml of a System in a rectangular box.
import gzip
import os
import re
import shutil
import sys

PARTICLE = re.compile(r'\b(p\d|particle\d?)="(\d+)"')
LISTS = ("Particles", "Constraints", "Bonds", "Angles", "Torsions", "Exceptions")


def box_edges(text):
    return [float(re.search(rf'<{row} [^>]*\b{axis}="([^"]*)"', text)[1]) for row, axis in zip("ABC", "xyz")]


def larger_box(text, counts):
    for row, axis, edge, count in zip("ABC", "xyz", box_edges(text), counts):
        text = re.sub(rf'(<{row} [^>]*\b{axis}=")[^"]*"', rf'\g<1>{edge * count!r}"', text, count=1)
    return text


def repeated_rows(rows, copies, particles):
    for copy in range(copies):
        shift = copy * particles
        yield rows if shift == 0 else PARTICLE.sub(lambda m: f'{m[1]}="{int(m[2]) + shift}"', rows)


def replicate_system(text, out, counts):
    copies = counts[0] * counts[1] * counts[2]
    text = larger_box(text, counts)
    particles = text.count("<Particle mass=")
    lists = re.compile(r"(<(" + "|".join(LISTS) + r")>)(.*?)(</\2>)", re.DOTALL)
    end = 0
    for found in lists.finditer(text):
        out.write(text[end:found.start(3)])
        for rows in repeated_rows(found[3], copies, particles):
            out.write(rows)
        end = found.end(3)
    out.write(text[end:])
    return particles


def replicate_state(text, out, counts):
    """Positions are shifted from box to box, velocities are repeated."""
    edges = box_edges(text)
    places = [(i, j, k) for i in range(counts[0]) for j in range(counts[1]) for k in range(counts[2])]
    positions = [tuple(map(float, p)) for p in re.findall(r'<Position x="([^"]*)" y="([^"]*)" z="([^"]*)"', text)]
    velocities = re.search(r"<Velocities>(.*?)</Velocities>", text, re.DOTALL)
    head = larger_box(text[:text.index("<Positions>")], counts)
    out.write(head + "<Positions>\n")
    for place in places:
        x0, y0, z0 = (edge * n for edge, n in zip(edges, place))
        out.writelines(f'<Position x="{x + x0!r}" y="{y + y0!r}" z="{z + z0!r}"/>\n' for x, y, z in positions)
    out.write("</Positions>\n<Velocities>")
    out.writelines(velocities[1] for _ in places)
    out.write("</Velocities>\n</State>\n")


def replicate(folder, destination, counts):
    os.makedirs(destination, exist_ok=True)
    for name, write in (("system.xml.gz", replicate_system), ("state.xml.gz", replicate_state)):
        with gzip.open(os.path.join(folder, name), "rt") as file:
            text = file.read()
        with gzip.open(os.path.join(destination, name), "wt", compresslevel=1) as out:
            write(text, out, counts)
    shutil.copy(os.path.join(folder, "integrator.xml"), destination)


if __name__ == "__main__":
    replicate(sys.argv[1], sys.argv[2], [int(n) for n in sys.argv[3].split("x")])
