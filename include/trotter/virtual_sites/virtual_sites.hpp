// Particles whose positions follow from those of others.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <variant>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

/// x = weight1 x1 + weight2 x2; weights that do not add up to 1 make the site depend on where the origin is.
struct TwoParticleAverageSite {
    int particle1 = 0, particle2 = 0;
    double weight1 = 0, weight2 = 0;
};

/// x = weight1 x1 + weight2 x2 + weight3 x3.
struct ThreeParticleAverageSite {
    int particle1 = 0, particle2 = 0, particle3 = 0;
    double weight1 = 0, weight2 = 0, weight3 = 0;
};

/// x = x1 + weight12 (x2-x1) + weight13 (x3-x1) + weight_cross (x2-x1)×(x3-x1), weight_cross in 1/nm.
struct OutOfPlaneSite {
    int particle1 = 0, particle2 = 0, particle3 = 0;
    double weight12 = 0, weight13 = 0, weight_cross = 0;
};

/// A point fixed in a frame that weighted sums of two or more particles span: an origin (weights add up to 1), and two
/// directions (weights add up to 0), x kept, z = x × y, y = z × x.
struct LocalCoordinatesSite {
    std::vector<int> particles;
    std::vector<double> origin_weights, x_weights, y_weights;
    Vec3<> local_position;  ///< [nm]
};

/// x = rotation·x1 + offset, in Cartesian coordinates [nm] or, for crystals, in fractions of the box vectors.
struct SymmetrySite {
    int particle = 0;
    std::array<Vec3<>, 3> rotation{Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}, Vec3<>{0, 0, 1}};  ///< rows
    Vec3<> offset;
    bool use_box_vectors = true;
};

using VirtualSite =
    std::variant<TwoParticleAverageSite, ThreeParticleAverageSite, OutOfPlaneSite, LocalCoordinatesSite, SymmetrySite>;

/// The particles that a site depends on.
inline std::vector<int> parents(VirtualSite const& site) {
    return std::visit(
        [](auto const& s) -> std::vector<int> {
            if constexpr (requires { s.particles; }) return s.particles;
            else if constexpr (requires { s.particle3; }) return {s.particle1, s.particle2, s.particle3};
            else if constexpr (requires { s.particle2; }) return {s.particle1, s.particle2};
            else return {s.particle};
        },
        site);
}

}  // namespace trotter
