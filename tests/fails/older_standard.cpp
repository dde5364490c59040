// A C++ standard before C++20: the first error says so.
// SPDX-License-Identifier: MIT
// options: -std=c++17
// options: -Wfatal-errors
// expect: Trotter needs C++20
#include <trotter/trotter.hpp>

int main() {}
