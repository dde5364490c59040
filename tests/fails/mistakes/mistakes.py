#!/usr/bin/env python3
# Makes one mistake at a time in program.cpp: the compiler must give exactly one error, with the message given here.
# SPDX-License-Identifier: MIT
#
#     mistakes.py COMPILER FOLDER INCLUDE_FOLDER…      FOLDER is for the precompiled headers
import concurrent.futures
import os
import pathlib
import subprocess
import sys

# Name: (text in program.cpp, its replacement, text of the error).
MISTAKES = {
    "name forgotten": ('static constexpr std::string_view name = "SpringForce";', "", "this force or integrator has no name"),
    "force group forgotten": ("std::vector<Spring> springs;\n    int force_group = 0;", "std::vector<Spring> springs;",
                              "this force has no group: add a member `int force_group = 0;`"),
    "terms forgotten": ("static constexpr auto terms = &SpringForce::springs;", "", "but no list of these"),
    "particles forgotten": ("static constexpr auto particles = std::array{&Spring::particle1, &Spring::particle2};", "",
                            "the terms of this force have no particles"),
    "particles of another type": ("int particle1 = 0, particle2 = 0;", "double particle1 = 0, particle2 = 0;",
                                  "points to members that are no int"),
    "variables forgotten": ('static constexpr auto variables = std::array{Distance{"r", {0, 1}}};', "",
                            "the terms of this force have no variables"),
    "fields of terms forgotten": ('static constexpr auto fields = std::array{Field{"length", &Spring::length}, Field{"k", &Spring::k}};',
                                  "", "does not say which numbers its terms or particles have"),
    "formula of terms forgotten": ('static constexpr Expression<"k/2*(r - length)^2"> energy{};', "", "this force has no formula"),
    "variable of a particle beyond the term": ('{"r", {0, 1}}', '{"r", {0, 2}}',
                                               "a variable of this force names a particle that its terms do not have"),
    "angle of two particles": ('Distance{"r"', 'Angle{"r"', "a variable of this force names one particle twice"),
    "sites forgotten": ("static constexpr auto sites = &ChargeForce::charges;", "",
                        "no list of what each particle brings"),
    "settings of pairs forgotten": ("    PairSettings pairs;\n", "", "add a member `PairSettings pairs{};`"),
    "fields of pairs forgotten": ('static constexpr auto fields = std::array{Field{"q", &Particle::q}};', "",
                                  "does not say which numbers its terms or particles have"),
    "formula of pairs forgotten": ('static constexpr Expression<"q1*q2/r"> energy{};', "", "this force has no formula"),
    "argument of terms forgotten": (', Expression<"strength*d^2">{}', "", "a part of this force lacks arguments"),
    "argument of pairs forgotten": ("&ChainForce::near, ", "", "a part of this force lacks arguments"),
    "argument of a mesh forgotten": ("&Bead::charge, ", "", "a part of this force lacks arguments"),
    "part names a particle beyond the term": ('{"d", {0, 1}}', '{"d", {0, 2}}',
                                              "a variable of this force names a particle that its terms do not have"),
    "kernel forgotten": ("Kernel<PullForce, Reference, Double>", "Kernel<PullForce, Reference, Mixed>", "there is no kernel for this force or integrator"),
    "argument of a kernel forgotten": (", Registration)", ")", "cannot be made from (Force const&"),
    "hook misspelt": ("double compute(", "double compute_forces(", "nearly that of a hook"),
    "hook of another name": ("double compute(", "double work(", "the Kernel of this force does nothing"),
    "update misspelt": ("void update(", "void updates(", "nearly that of a hook"),
    "update of other arguments": ("void update(PullForce const& force, Engine<Reference, Double>&)", "void update(PullForce const& force)",
                                  "does not take (Force const&, Engine&)"),
    "load forgotten": ("void load(Archive& archive) { strength = archive.get<double>(); }", "", "without the other"),
    "step size forgotten": ("double step_size = 0.001;", "", "this integrator has no step size"),
    "tolerance forgotten": ("double constraint_tolerance = 1e-5;", "", "this integrator has no tolerance of constraints"),
    "force groups forgotten": ("    ForceGroups force_groups{};\n", "", "this integrator does not say which forces act"),
    "temperature forgotten": ("double temperature = 300;", "", "the splitting of this integrator has an O"),
    "splitting forgotten": ('static constexpr Splitting splitting{"V R O R"};', "", "there is no kernel for this force or integrator"),
    "letter that is no operator": ("V R O R", "V R X R", "a splitting has a letter that is no operator"),
    "no blanks": ("V R O R", "VROR", "separated by one blank"),
    "no drift": ("V R O R", "V O", "a splitting needs at least one V and one R"),
    "parenthesis left open": ("V0)^4", "V0^4", "a nested splitting has a parenthesis without the other"),
    "number forgotten": ("(V0 R", "(V R", "a nested splitting needs the number of a force group behind V"),
    "interval forgotten": ("    std::int64_t interval = 10;\n", "", "this reporter does not say how often it reports"),
    "report misspelt": ("void report(auto& context)", "void reports(auto& context)",
                        "this reporter has no `report` that takes the Context"),
    "report takes something else": ("void report(auto& context)", "void report(Box& box, auto& context)",
                                    "this reporter has no `report` that takes the Context"),
    "arguments of a launch exchanged": ("numbers, chosen, std::int32_t{1}", "chosen, numbers, std::int32_t{1}",
                                        "an argument of a launch does not have the type of the kernel's parameter"),
    "number of another type": ("chosen, std::int32_t{1}", "chosen, 1.0f", "an argument of a launch does not have the type"),
    "argument of a launch forgotten": ("chosen, std::int32_t{1}", "chosen", "as many arguments as the kernel has parameters"),
    "kernel misspelt": ('launch<"scale">', 'launch<"scales">', "the source has no kernel of this name"),
    "precision that a backend lacks": ("MyIntegrator{}, Reference{}, Double{}", "MyIntegrator{}, Reference{}, Mixed{}",
                                       "Reference computes in Double alone"),
}


def main():
    compiler, folder, includes = sys.argv[1], pathlib.Path(sys.argv[2]), [f"-I{path}" for path in sys.argv[3:]]
    program = pathlib.Path(__file__).with_name("program.cpp").read_text()
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "headers.hpp"
    header.write_text("".join(line + "\n" for line in program.splitlines() if line.startswith("#include")))
    command = [compiler, "-std=c++20", *includes]
    subprocess.run([*command, "-x", "c++-header", str(header), "-o", f"{header}.gch"], check=True)
    precompiled = ["-include-pch", f"{header}.gch"] if "clang" in compiler else ["-include", str(header)]

    def compile(text):
        result = subprocess.run([*command, *precompiled, "-fsyntax-only", "-x", "c++", "-"], input=text, capture_output=True, text=True)
        return result.stderr

    def check(item):
        name, (there, instead, expected) = item
        if there not in program:
            return f"{name}: program.cpp has no '{there}'"
        text = compile(program.replace(there, instead))
        errors = text.count("error:")
        if errors != 1 or expected not in text:
            return f"{name}: {errors} errors, expected one that says '{expected}':\n{text}"
        return None

    if text := compile(program):
        sys.exit("program.cpp does not compile, or with warnings:\n" + text)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(check, MISTAKES.items()) if failure]
    print(f"{len(MISTAKES) - len(failures)} of {len(MISTAKES)} mistakes are told of in one sentence")
    if failures:
        sys.exit("\n".join(failures))


main()
