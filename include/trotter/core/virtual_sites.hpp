// Virtual sites: particles whose positions follow from those of others.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

// `T` is double in a System; formulas also take the parameters of a site in other types.

/// x = weight1 x1 + weight2 x2; unless the weights add up to 1, the site depends on the origin.
template <class T> struct TwoParticleAverage {
    int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
    T weight1 = 0, weight2 = 0;  ///< dimensionless
};

/// x = weight1 x1 + weight2 x2 + weight3 x3.
template <class T> struct ThreeParticleAverage {
    int particle1 = 0, particle2 = 0, particle3 = 0;  ///< particle indices, from 0; the second is the vertex
    T weight1 = 0, weight2 = 0, weight3 = 0;  ///< dimensionless
};

/// x = x1 + weight12 (x2-x1) + weight13 (x3-x1) + weight_cross (x2-x1)×(x3-x1), weight_cross in 1/nm.
template <class T> struct OutOfPlane {
    int particle1 = 0, particle2 = 0, particle3 = 0;  ///< particle indices, from 0; the second is the vertex
    T weight12 = 0, weight13 = 0, weight_cross = 0;  ///< [1], [1], [1/nm]
};

/// A point fixed in a local frame of two or more particles: weighted sums give an origin (weights add up to 1) and two
/// directions (weights add up to 0), x kept, z = x × y, y = z × x.
template <class T> struct LocalCoordinates {
    std::vector<int> particles{};  ///< particle indices, 2 or more
    std::vector<T> origin_weights{}, x_weights{}, y_weights{};  ///< one for each particle
    Vec3<T> local_position{};  ///< [nm]
};

/// x = rotation·x1 + offset, in Cartesian coordinates [nm] or, for crystals, in fractions of the box vectors.
template <class T> struct Symmetry {
    int particle = 0;  ///< particle index, from 0
    std::array<Vec3<T>, 3> rotation{Vec3<T>{1, 0, 0}, Vec3<T>{0, 1, 0}, Vec3<T>{0, 0, 1}};  ///< rows
    Vec3<T> offset{};  ///< [nm], or fractions of the box vectors
    bool use_box_vectors = true;  ///< fractions of the box vectors instead of nm
};

using TwoParticleAverageSite = TwoParticleAverage<double>;  ///< as OpenMM's TwoParticleAverageSite
using ThreeParticleAverageSite = ThreeParticleAverage<double>;  ///< as OpenMM's ThreeParticleAverageSite
using OutOfPlaneSite = OutOfPlane<double>;  ///< as OpenMM's OutOfPlaneSite
using LocalCoordinatesSite = LocalCoordinates<double>;  ///< as OpenMM's LocalCoordinatesSite
using SymmetrySite = Symmetry<double>;  ///< as OpenMM's SymmetrySite

/// A virtual site of any kind.
using VirtualSite =
    std::variant<TwoParticleAverageSite, ThreeParticleAverageSite, OutOfPlaneSite, LocalCoordinatesSite, SymmetrySite>;

/// Number of particles that a site depends on.
template <class Site> std::size_t parent_count(Site const& s) {
    if constexpr (requires { s.particles; }) return s.particles.size();
    else if constexpr (requires { s.particle3; }) return 3;
    else if constexpr (requires { s.particle2; }) return 2;
    else return 1;
}
/// Index of the k-th particle that the site depends on.
template <class Site> int parent(Site const& s, std::size_t k) {
    if constexpr (requires { s.particles; }) return s.particles[k];
    else if constexpr (requires { s.particle3; }) return k == 0 ? s.particle1 : k == 1 ? s.particle2 : s.particle3;
    else if constexpr (requires { s.particle2; }) return k == 0 ? s.particle1 : s.particle2;
    else return s.particle;
}

/// The particles that a site depends on.
std::vector<int> parents(VirtualSite const& site);

/// Calls `visit` with each parameter of a site, in an order that depends only on its kind and number of parents.
template <class Site, class Visit> void for_each_number(Site& s, Visit const& visit) {
    auto const visit_vector = [&](auto& v) { visit(v.x), visit(v.y), visit(v.z); };
    if constexpr (requires { s.origin_weights; }) {
        for (auto* weights : {&s.origin_weights, &s.x_weights, &s.y_weights})
            for (auto& weight : *weights) visit(weight);
        visit_vector(s.local_position);
    } else if constexpr (requires { s.rotation; }) {
        for (auto& row : s.rotation) visit_vector(row);
        visit_vector(s.offset);
    } else if constexpr (requires { s.weight_cross; }) {
        visit(s.weight12), visit(s.weight13), visit(s.weight_cross);
    } else {
        visit(s.weight1), visit(s.weight2);
        if constexpr (requires { s.weight3; }) visit(s.weight3);
    }
}

}  // namespace trotter
