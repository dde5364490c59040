// Where each kind of virtual site lies, and how a force on it acts on the particles it depends on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/virtual_sites/virtual_sites.hpp>

namespace trotter {

// For each kind: `site_position`, and `spread_force`, which adds (∂position/∂parent)ᵀ·force to each parent's force.
// That makes the parents' forces the gradient of the energy as a function of their positions alone.

/// Positions or forces of all particles, by the int indices that sites hold.
template <class V> struct ByParticle {
    V& values;
    auto& operator[](int particle) const { return values[static_cast<std::size_t>(particle)]; }
};
using SitePositions = ByParticle<std::vector<Vec3<>> const>;
using SiteForces = ByParticle<std::vector<Vec3<>>>;

inline Vec3<> site_position(TwoParticleAverageSite const& s, SitePositions x, Box const&) {
    return s.weight1 * x[s.particle1] + s.weight2 * x[s.particle2];
}
inline void spread_force(TwoParticleAverageSite const& s, Vec3<> const& f, SitePositions, SiteForces forces,
                         Box const&) {
    forces[s.particle1] += s.weight1 * f;
    forces[s.particle2] += s.weight2 * f;
}

inline Vec3<> site_position(ThreeParticleAverageSite const& s, SitePositions x, Box const&) {
    return s.weight1 * x[s.particle1] + s.weight2 * x[s.particle2] + s.weight3 * x[s.particle3];
}
inline void spread_force(ThreeParticleAverageSite const& s, Vec3<> const& f, SitePositions, SiteForces forces,
                         Box const&) {
    forces[s.particle1] += s.weight1 * f;
    forces[s.particle2] += s.weight2 * f;
    forces[s.particle3] += s.weight3 * f;
}

inline Vec3<> site_position(OutOfPlaneSite const& s, SitePositions x, Box const&) {
    Vec3<> const a = x[s.particle2] - x[s.particle1], b = x[s.particle3] - x[s.particle1];
    return x[s.particle1] + s.weight12 * a + s.weight13 * b + s.weight_cross * cross(a, b);
}
// From f·(da×b) = da·(b×f) and f·(a×db) = db·(f×a).
inline void spread_force(OutOfPlaneSite const& s, Vec3<> const& f, SitePositions x, SiteForces forces, Box const&) {
    Vec3<> const a = x[s.particle2] - x[s.particle1], b = x[s.particle3] - x[s.particle1];
    Vec3<> const on_a = s.weight12 * f + s.weight_cross * cross(b, f);
    Vec3<> const on_b = s.weight13 * f + s.weight_cross * cross(f, a);
    forces[s.particle1] += f - on_a - on_b;
    forces[s.particle2] += on_a;
    forces[s.particle3] += on_b;
}

/// The frame of a LocalCoordinatesSite: unit vectors and what they were made from. A direction without length gives a
/// zero vector.
struct LocalFrame {
    LocalFrame(LocalCoordinatesSite const& s, SitePositions positions) {
        for (std::size_t i = 0; i < s.particles.size(); ++i) {
            Vec3<> const& x = positions[s.particles[i]];
            origin += s.origin_weights[i] * x;
            x_sum += s.x_weights[i] * x;
            y_sum += s.y_weights[i] * x;
        }
        Vec3<> const z_sum = cross(x_sum, y_sum);
        x_scale = inverse_length(x_sum);
        z_scale = inverse_length(z_sum);
        x_axis = x_scale * x_sum;
        z_axis = z_scale * z_sum;
        y_axis = cross(z_axis, x_axis);
    }

    Vec3<> origin, x_sum, y_sum, x_axis, y_axis, z_axis;
    double x_scale = 0, z_scale = 0;

private:
    static double inverse_length(Vec3<> const& v) {
        double const length = norm(v);
        return length > 0 ? 1 / length : 0;
    }
};

inline Vec3<> site_position(LocalCoordinatesSite const& s, SitePositions x, Box const&) {
    LocalFrame const frame(s, x);
    auto const& at = s.local_position;
    return frame.origin + at.x * frame.x_axis + at.y * frame.y_axis + at.z * frame.z_axis;
}
// The chain rule backwards: through y = z × x, z = Z/|Z|, Z = X × Y and x = X/|X|, to the weighted sums X and Y.
inline void spread_force(LocalCoordinatesSite const& s, Vec3<> const& f, SitePositions x, SiteForces forces,
                         Box const&) {
    LocalFrame const frame(s, x);
    auto const through_unit = [](Vec3<> const& on_unit, Vec3<> const& unit, double scale) {
        return scale * (on_unit - dot(on_unit, unit) * unit);
    };
    Vec3<> const on_y_axis = s.local_position.y * f;
    Vec3<> const on_z_axis = s.local_position.z * f + cross(frame.x_axis, on_y_axis);
    Vec3<> const on_x_axis = s.local_position.x * f + cross(on_y_axis, frame.z_axis);
    Vec3<> const on_z_sum = through_unit(on_z_axis, frame.z_axis, frame.z_scale);
    Vec3<> const on_x_sum = through_unit(on_x_axis, frame.x_axis, frame.x_scale) + cross(frame.y_sum, on_z_sum);
    Vec3<> const on_y_sum = cross(on_z_sum, frame.x_sum);
    for (std::size_t i = 0; i < s.particles.size(); ++i)
        forces[s.particles[i]] += s.origin_weights[i] * f + s.x_weights[i] * on_x_sum + s.y_weights[i] * on_y_sum;
}

inline Vec3<> from_fractions(Box const& box, Vec3<> const& s) { return s.x * box.a + s.y * box.b + s.z * box.c; }
inline Vec3<> to_fractions(Box const& box, Vec3<> const& r) {
    double const z = r.z / box.c.z;
    double const y = (r.y - z * box.c.y) / box.b.y;
    return {(r.x - y * box.b.x - z * box.c.x) / box.a.x, y, z};
}

inline Vec3<> site_position(SymmetrySite const& s, SitePositions x, Box const& box) {
    auto const moved = [&s](Vec3<> const& r) {
        return Vec3<>{dot(s.rotation[0], r), dot(s.rotation[1], r), dot(s.rotation[2], r)} + s.offset;
    };
    Vec3<> const& parent = x[s.particle];
    return s.use_box_vectors ? from_fractions(box, moved(to_fractions(box, parent))) : moved(parent);
}
// In fractions the map is H R H⁻¹ with the box vectors as columns of H; its transpose is H⁻ᵀ Rᵀ Hᵀ.
inline void spread_force(SymmetrySite const& s, Vec3<> const& f, SitePositions, SiteForces forces, Box const& box) {
    auto const turned_back = [&s](Vec3<> const& g) {
        return g.x * s.rotation[0] + g.y * s.rotation[1] + g.z * s.rotation[2];
    };
    if (!s.use_box_vectors) {
        forces[s.particle] += turned_back(f);
        return;
    }
    Vec3<> const g = turned_back({dot(box.a, f), dot(box.b, f), dot(box.c, f)});
    double const x = g.x / box.a.x;
    double const y = (g.y - box.b.x * x) / box.b.y;
    forces[s.particle] += {x, y, (g.z - box.c.x * x - box.c.y * y) / box.c.z};
}

}  // namespace trotter
