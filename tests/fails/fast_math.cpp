// Compiler options that prevent NaN checks: the error says what to do.
// SPDX-License-Identifier: MIT
// options: -ffast-math
// expect: leave -ffast-math out
#include <trotter/box.hpp>

int main() { return trotter::Box{}.volume() > 0; }
