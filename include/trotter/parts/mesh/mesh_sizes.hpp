// Chooses Ewald splitting parameters and mesh sizes for an error tolerance, and limits them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/box.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter {

/// What splitting and sizes are chosen by.
struct EwaldAccuracy {
    double cutoff_distance = 1;  ///< of direct space [nm]
    double tolerance = 5e-4;     ///< of forces, relative, about
};

/// The splitting parameter [1/nm] at which erfc(alpha·cutoff) is about `tolerance`.
inline double chosen_alpha(double cutoff, double tolerance) { return std::sqrt(-std::log(2 * tolerance)) / cutoff; }

/// What this process may take at most [bytes].
double memory_of_machine();

/// Throws InputError unless alpha is positive and the mesh has as many points along each axis as a spline; `name` is
/// what the message calls the mesh.
void check_mesh(MeshSettings const& mesh, std::string const& name);
/// Throws InputError for a mesh beyond what can be numbered, or of more than `memory` [bytes].
void check_mesh_memory(MeshSettings const& mesh, std::string const& name, double memory);

/// `given` where it states alpha, otherwise OpenMM's choice. `box` is the System's: the choice stands for good. Throws
/// InputError for sizes beyond what can be numbered, and for meshes that take more than `memory` [bytes].
MeshSettings chosen_mesh(MeshKind kind, MeshSettings const& given, EwaldAccuracy const& accuracy, Box const& box,
                         double memory = memory_of_machine());

/// OpenMM's choice: the first odd number at which the estimated error has fallen below the tolerance. Throws as
/// `chosen_mesh`.
EwaldSplitting chosen_waves(EwaldAccuracy const& accuracy, std::size_t particles, Box const& box,
                            double memory = memory_of_machine());

}  // namespace trotter
