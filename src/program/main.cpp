// The trotter program: a list of forces is all that it is made of.
// SPDX-License-Identifier: MIT
#include <trotter/program.hpp>

int main(int argc, char** argv) { return trotter::run_program<trotter::StandardForces>(argc, argv); }
