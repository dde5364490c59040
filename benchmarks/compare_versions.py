#!/usr/bin/env python3
# Speed of one build of Trotter against another, round by round.
# SPDX-License-Identifier: MIT
"""Times `trotter benchmark` of two builds on the same files, in turns.

compare_versions.py --trotter build/release/trotter --before old/trotter [--platform cpu] [--precision mixed]
                    [--threads 2] [--rounds 3] [--seconds 5] FOLDER …

A FOLDER holds system.xml.gz, state.xml.gz and integrator.xml. The energies of both must agree to 1e-6, or to
--tolerance. ratio: the time a step of the build before over that of the other, the median of the rounds with the
lowest and highest; above 1 the build of --trotter is faster. Errors of forces (peers.py says what is computed) are
against Reference of the build of --trotter. --before may be the same program: --before-precision then tells what
another precision costs.
"""
import argparse
import tempfile

import peers


def errors_of(options, before, folder, work):
    """Lines of errors, once the energies agree."""
    meshed = peers.meshed_system(folder, work)
    (energy, forces), (energy_before, forces_before) = (
        peers.energy_and_forces(build, folder, work, system=meshed) for build in (options, before))
    peers.refuse_other_energies(folder, energy, energy_before, options.tolerance)
    return peers.errors_lines(peers.reference_forces(options, folder, work, meshed), peers.masses(folder),
                              {"trotter": forces, "before": forces_before})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser, ["cpu", "reference", "opencl", "cuda"])
    parser.add_argument("--before", required=True, help="the other build's program")
    parser.add_argument("--before-precision", choices=["single", "mixed", "double"], help="default: --precision")
    parser.add_argument("--tolerance", type=float, default=1e-6, help="relative difference of the energies")
    options = parser.parse_args()
    before = argparse.Namespace(**{**vars(options), "trotter": options.before,
                                   "precision": options.before_precision or options.precision})
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as work:
            errors = errors_of(options, before, folder, work)
        ours, theirs = peers.alternate(options.rounds, lambda: peers.benchmark(options, folder),
                                       lambda: peers.benchmark(before, folder))
        peers.show(folder, peers.row(ours, theirs, "before"), errors)


if __name__ == "__main__":
    main()
