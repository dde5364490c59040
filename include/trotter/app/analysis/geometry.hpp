// Distances, angles, dihedrals and extents of groups of atoms.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Atoms that stand for one point, their center of mass.
struct AtomGroup {
    std::vector<int> atoms;      ///< indices
    std::vector<double> masses;  ///< of these atoms [amu]

    /// Throws InputError if there is no atom with mass. Masses are those of all atoms of the topology.
    static AtomGroup of(std::vector<int> atoms, std::span<double const> masses);
    /// Center of mass [nm].
    Vec3<> center(std::span<Vec3<> const> positions) const;
};

/// The shortest of all images of a difference vector; Box::minimum_image may give a longer one where that is more than half
/// of the shortest width of a triclinic box. The box is in reduced form.
Vec3<> nearest_image(Vec3<> const& difference, Box const& box);

/// Distance of two points, or of the nearest images in a box in reduced form [nm].
double distance(Vec3<> const& p1, Vec3<> const& p2, std::optional<Box> const& box);
/// Angle at p2, from 0 to pi [radian].
double angle(Vec3<> const& p1, Vec3<> const& p2, Vec3<> const& p3, std::optional<Box> const& box);
/// Angle between the planes p1 p2 p3 and p2 p3 p4 from -pi to pi [radian]; positive if p4, seen along p2 p3, is clockwise
/// from p1 (IUPAC).
double dihedral(Vec3<> const& p1, Vec3<> const& p2, Vec3<> const& p3, Vec3<> const& p4, std::optional<Box> const& box);

/// Root of the mean squared distance of the group's atoms from their center, weighted by mass [nm].
double radius_of_gyration(AtomGroup const& group, std::span<Vec3<> const> positions);

}  // namespace trotter::app
