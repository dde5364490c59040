// Chooses Ewald splitting parameters and mesh sizes for an error tolerance, and limits them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/box.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>

namespace trotter {

/// Parameters for choosing splitting and mesh sizes.
struct EwaldAccuracy {
    double cutoff_distance = 1;  ///< of direct space [nm]
    double tolerance = 5e-4;     ///< approximate relative error of forces
};

/// The splitting parameter [1/nm] at which erfc(alpha·cutoff) is about `tolerance`.
inline double chosen_alpha(double cutoff, double tolerance) { return std::sqrt(-std::log(2 * tolerance)) / cutoff; }

/// Returns the memory limit of this process [bytes].
double memory_of_machine();

/// Throws InputError unless alpha is positive and the mesh has as many points along each axis as a spline; `name` is
/// the mesh's name in the message.
void check_mesh(MeshSettings const& mesh, std::string const& name);
/// Throws InputError for a mesh whose indices overflow, or of more than `memory` [bytes].
void check_mesh_memory(MeshSettings const& mesh, std::string const& name, double memory);

/// Returns `given` if its alpha is set, otherwise OpenMM's choice. `box` is the System's: the choice never changes.
/// Throws InputError for sizes whose indices overflow, and for meshes of more than `memory` [bytes].
MeshSettings chosen_mesh(MeshKind kind, MeshSettings const& given, EwaldAccuracy const& accuracy, Box const& box,
                         double memory = memory_of_machine());

/// Returns OpenMM's choice for plain Ewald: the first odd number with an estimated error below the tolerance. Throws as
/// `chosen_mesh`.
EwaldSplitting chosen_waves(EwaldAccuracy const& accuracy, std::size_t particles, Box const& box,
                            double memory = memory_of_machine());

}  // namespace trotter
