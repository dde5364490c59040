#!/usr/bin/env python3
# Makes the folder of force fields that Trotter ships again, from an installed OpenMM.
# SPDX-License-Identifier: MIT
"""make_forcefields.py [--check] [DATA]: DATA is the folder of OpenMM's data, by default that of the `openmm` which this Python
imports. Writes the files listed here, unchanged but for gzip, to trotter/forcefields beside this script; what is there and not
listed is removed, except NOTICE. With --check nothing is written, and the status is 1 if a file would change."""
import gzip
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parent / "trotter" / "forcefields"
# What OpenMM's documentation recommends, with what it needs: the parameter sets of AMBER are in the public domain, and
# the files that OpenMM made of them are under the MIT license. Parameters of CHARMM have terms of their own.
PATTERNS = ("amber14-all.xml", "amber14/*.xml", "amber19-all.xml", "amber19/*.xml", "implicit/*.xml", "hydrogens.xml",
            "glycam-hydrogens.xml", "residues.xml", "pdbNames.xml", "tip3p.pdb", "spce.pdb", "tip4pew.pdb", "tip5p.pdb",
            "tip3p.xml", "tip3pfb.xml", "spce.xml", "tip4pew.xml", "tip4pfb.xml", "tip5p.xml", "opc.xml", "opc3.xml")


def source_folder(arguments):
    if arguments:
        return pathlib.Path(arguments[0])
    import openmm.app
    return pathlib.Path(openmm.app.__file__).parent / "data"


def expected_files(source):
    """Contents by name; those of each pattern must be there."""
    files = {}
    for pattern in PATTERNS:
        found = sorted(source.glob(pattern))
        if not found:
            sys.exit(f"{source}: has no {pattern}")
        files.update({f"{path.relative_to(source)}.gz": path.read_bytes() for path in found})
    return files


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    files = expected_files(source_folder(arguments))
    present = {str(path.relative_to(TARGET)): path for path in TARGET.rglob("*") if path.is_file() and path.name != "NOTICE"}
    changed = [name for name, text in files.items() if name not in present or gzip.decompress(present[name].read_bytes()) != text]
    extra = sorted(present.keys() - files.keys())
    if "--check" in sys.argv:
        print("\n".join(changed + extra) or f"{len(files)} files are those of OpenMM")
        return bool(changed or extra)
    for name in extra:
        present[name].unlink()
    for name in changed:
        path = TARGET / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(files[name], 9, mtime=0))
    print(f"{len(changed)} of {len(files)} files were written, {len(extra)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
