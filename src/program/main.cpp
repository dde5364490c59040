// The trotter program, defined by its list of forces.
// SPDX-License-Identifier: MIT
#include <trotter/program.hpp>

int main(int argc, char** argv) { return trotter::run_program<trotter::StandardForces>(argc, argv); }
