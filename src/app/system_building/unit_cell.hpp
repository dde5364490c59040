// Periodic boxes from what files have.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/box.hpp>

namespace trotter::app {

/// The box of these edges [nm] and angles [degree], in reduced form; components below 1e-6 become 0. Vectors are not
/// finite if no cell has these angles.
Box box_of_cell(double a, double b, double c, double alpha, double beta, double gamma);
/// The same lattice in reduced form: multiples of a and b are subtracted from c, then of a from b.
Box reduced_box(Box box);

}  // namespace trotter::app
