// The trotter program with your own list of forces: StringForce from a file, on every platform.
// SPDX-License-Identifier: MIT
#include <trotter/contexts.hpp>
#include <trotter/program.hpp>

#include "string_force.hpp"

using Forces = trotter::ForceList<trotter::HarmonicBondForce, string_theory::StringForce>;

int main(int argc, char** argv) { return trotter::run_program<Forces>(argc, argv); }
