#!/usr/bin/env python3
# Tests the Debian packages of a build with only their dependencies installed.
# SPDX-License-Identifier: MIT
"""packages.py CPACK BUILD SOURCE WORK: makes the packages of the folder BUILD, and for each a root folder in WORK that has the
files of the package and those of all that it depends on, as this machine has them installed, and nothing else. trotter-data
is in both. In the one of trotter the program runs; in the one of libtrotter-dev, with a compiler and CMake, programs are built and run. Whatever a package
needs and does not name is missing there. Status 77: this user may not change the root folder."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

CPACK, BUILD, SOURCE, WORK = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
CHROOT = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--root"]
# Packages present without being dependencies: env, the shell, and build tools.
TOOLS = {"trotter": ["coreutils"], "libtrotter-dev": ["coreutils", "dash", "cmake", "ninja-build", "g++"]}
LEFT_OUT = re.compile(r"/usr/share/(doc|man|locale|info)/")


def output(*command):
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def alternatives(relations):
    """Lists of names, of each of which one must be installed, from a field such as `a (>= 1) | b, c:any`."""
    return [[re.match(r"[^ :(]+", name.strip())[0] for name in group.split("|")] for group in relations.split(",") if group.strip()]


def installed_packages():
    """What each installed package, or virtual one, depends on, and the name by which dpkg knows it."""
    fields = "${db:Status-Abbrev}\t${Package}\t${binary:Package}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    found = {}
    for line in output("dpkg-query", "--show", "--showformat", fields).splitlines():
        status, name, full_name, needs, provides = line.split("\t")
        if status.startswith("ii"):
            found[name] = (full_name, alternatives(needs))
            for virtual in alternatives(provides):
                found.setdefault(virtual[0], found[name])
    return found


def with_dependencies(groups, installed):
    """The names of the packages, and of all that they depend on."""
    result, open_groups = set(), list(groups)
    while open_groups:
        group = open_groups.pop()
        name = next((name for name in group if name in installed), None)
        if name is None:
            sys.exit(f"none of these packages is installed: {' '.join(group)}")
        full_name, needs = installed[name]
        if full_name not in result:
            result.add(full_name)
            open_groups += needs
    return result


def make_root(root, package, tools, installed, files):
    """A root folder with the package, what it depends on, of `files` or installed, and tools."""
    needs = alternatives(output("dpkg-deb", "--field", package, "Depends"))
    made = [files[group[0]] for group in needs if group[0] in files]
    names = with_dependencies([group for group in needs if group[0] not in files] + [[tool] for tool in tools], installed)
    for folder in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "dev", "tmp"):
        (root / folder).mkdir(parents=True)
    for folder in ("bin", "sbin", "lib", "lib64"):
        (root / folder).symlink_to(f"usr/{folder}")
    (root / "dev/null").touch()  # a file is good enough, and needs no right to make devices
    for path in output("dpkg-query", "--listfiles", *sorted(names)).splitlines():
        if not path.startswith("/") or LEFT_OUT.match(path) or not os.path.lexists(path):
            continue
        if os.path.islink(path) or os.path.isfile(path):
            target = root / os.path.relpath(os.path.realpath(os.path.dirname(path)), "/") / os.path.basename(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(target):
                shutil.copy2(path, target, follow_symlinks=False)
    for file in (package, *made):
        output("dpkg-deb", "--extract", file, root)
    print(f"{package.name} with {len(names)} other packages")


def inside(root, *command):
    return output(*CHROOT, root, "/usr/bin/env", "-i", "PATH=/usr/bin", "LC_ALL=C.UTF-8", "HOME=/tmp", *command)


def packages():
    """The files of the packages, by name."""
    output(CPACK, "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", WORK)
    return {output("dpkg-deb", "--field", file, "Package").strip(): file for file in WORK.glob("*.deb")}


def check_control(files):
    """What dpkg and people read."""
    assert sorted(files) == ["libtrotter-dev", "trotter", "trotter-data"], files
    for name, file in files.items():
        for field in ("Maintainer", "Description", "Section", "Version", *(() if name == "trotter-data" else ("Depends",))):
            assert output("dpkg-deb", "--field", file, field).strip(), f"{name} has no {field}"
        contents = output("dpkg-deb", "--contents", file)
        assert f"./usr/share/doc/{name}/copyright\n" in contents, f"{name} has no license"
        assert "/usr/local" not in contents and str(BUILD) not in contents, contents


def check_program(root):
    assert "reference" in inside(root, "trotter", "platforms")
    examples = "/usr/share/doc/trotter/examples/dhfr"
    files = ["--system", f"{examples}/system.xml.gz", "--state", f"{examples}/state.xml.gz"]
    assert "potential_energy" in inside(root, "trotter", "energy", *files)


    (root / "tmp/water.pdb").write_text("HETATM    1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n")
    (root / "tmp/water.toml").write_text('[prepare]\nstructure = "water.pdb"\nforcefield = ["amber14-all.xml", "amber14/tip3p.xml"]\n'
                                         '[[prepare.step]]\ndo = "add_hydrogens"\n[prepare.system]\n')
    assert '"particles": 3' in inside(root, "trotter", "prepare", "/tmp/water.toml")


def check_development(root):
    shutil.copytree(SOURCE / "tests/downstream/packages", root / "tmp/project")
    shutil.copy(SOURCE / "src/program/main.cpp", root / "tmp/project")
    inside(root, "cmake", "-S", "/tmp/project", "-B", "/tmp/build", "-G", "Ninja")
    inside(root, "cmake", "--build", "/tmp/build")
    assert "kJ/mol on" in inside(root, "/tmp/build/choose_platform")
    assert "reference" in inside(root, "/tmp/build/own_trotter", "platforms")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    if subprocess.run([*CHROOT, "/", "/usr/bin/true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("this user may not change the root folder")
        return 77
    files, installed = packages(), installed_packages()
    check_control(files)
    for name, check in (("trotter", check_program), ("libtrotter-dev", check_development)):
        make_root(WORK / name, files[name], TOOLS[name], installed, files)
        check(WORK / name)
        shutil.rmtree(WORK / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
