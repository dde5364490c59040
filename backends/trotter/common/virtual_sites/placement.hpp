// Position of each kind of virtual site, and distribution of its force to the parents.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/core/virtual_sites.hpp>
#include <trotter/expression/evaluate.hpp>

namespace trotter {

// For each kind: `site_position`, and `spread_force`, which adds (∂position/∂parent)ᵀ·force to each parent's force. So
// the parents' forces are the gradient of the energy as a function of their positions alone.
// `x(k)` is the position of the k-th parent, `add(k, force)` adds to its force; `box` has the vectors a, b and c.

template <class T, class X, class B> Vec3<T> site_position(TwoParticleAverage<T> const& s, X const& x, B const&) {
    return s.weight1 * x(0) + s.weight2 * x(1);
}
template <class T, class X, class Add, class B>
void spread_force(TwoParticleAverage<T> const& s, Vec3<T> const& f, X const&, Add const& add, B const&) {
    add(0, s.weight1 * f);
    add(1, s.weight2 * f);
}

template <class T, class X, class B> Vec3<T> site_position(ThreeParticleAverage<T> const& s, X const& x, B const&) {
    return s.weight1 * x(0) + s.weight2 * x(1) + s.weight3 * x(2);
}
template <class T, class X, class Add, class B>
void spread_force(ThreeParticleAverage<T> const& s, Vec3<T> const& f, X const&, Add const& add, B const&) {
    add(0, s.weight1 * f);
    add(1, s.weight2 * f);
    add(2, s.weight3 * f);
}

template <class T, class X, class B> Vec3<T> site_position(OutOfPlane<T> const& s, X const& x, B const&) {
    Vec3<T> const a = x(1) - x(0), b = x(2) - x(0);
    return x(0) + s.weight12 * a + s.weight13 * b + s.weight_cross * cross(a, b);
}
// From f·(da×b) = da·(b×f) and f·(a×db) = db·(f×a).
template <class T, class X, class Add, class B>
void spread_force(OutOfPlane<T> const& s, Vec3<T> const& f, X const& x, Add const& add, B const&) {
    Vec3<T> const a = x(1) - x(0), b = x(2) - x(0);
    Vec3<T> const on_a = s.weight12 * f + s.weight_cross * cross(b, f);
    Vec3<T> const on_b = s.weight13 * f + s.weight_cross * cross(f, a);
    add(0, f - on_a - on_b);
    add(1, on_a);
    add(2, on_b);
}

/// Frame of LocalCoordinates: unit vectors and intermediate values. A direction of zero length gives a zero vector.
template <class T> struct LocalFrame {
    template <class X> LocalFrame(LocalCoordinates<T> const& s, X const& positions) {
        for (std::size_t k = 0; k < s.origin_weights.size(); ++k) {
            Vec3<T> const x = positions(k);
            origin += s.origin_weights[k] * x;
            x_sum += s.x_weights[k] * x;
            y_sum += s.y_weights[k] * x;
        }
        Vec3<T> const z_sum = cross(x_sum, y_sum);
        x_scale = inverse_length(x_sum);
        z_scale = inverse_length(z_sum);
        x_axis = x_scale * x_sum;
        z_axis = z_scale * z_sum;
        y_axis = cross(z_axis, x_axis);
    }

    Vec3<T> origin, x_sum, y_sum, x_axis, y_axis, z_axis;
    T x_scale = 0, z_scale = 0;

private:
    static T inverse_length(Vec3<T> const& v) {
        T const length = norm(v);
        return expression::choose(T(0) < length, T(1) / length, T(0));
    }
};

template <class T, class X, class B> Vec3<T> site_position(LocalCoordinates<T> const& s, X const& x, B const&) {
    LocalFrame<T> const frame(s, x);
    auto const& at = s.local_position;
    return frame.origin + at.x * frame.x_axis + at.y * frame.y_axis + at.z * frame.z_axis;
}
// Chain rule in reverse: through y = z × x, z = Z/|Z|, Z = X × Y and x = X/|X|, to the weighted sums X and Y.
template <class T, class X, class Add, class B>
void spread_force(LocalCoordinates<T> const& s, Vec3<T> const& f, X const& x, Add const& add, B const&) {
    LocalFrame<T> const frame(s, x);
    auto const through_unit = [](Vec3<T> const& on_unit, Vec3<T> const& unit, T const& scale) {
        return scale * (on_unit - dot(on_unit, unit) * unit);
    };
    Vec3<T> const on_y_axis = s.local_position.y * f;
    Vec3<T> const on_z_axis = s.local_position.z * f + cross(frame.x_axis, on_y_axis);
    Vec3<T> const on_x_axis = s.local_position.x * f + cross(on_y_axis, frame.z_axis);
    Vec3<T> const on_z_sum = through_unit(on_z_axis, frame.z_axis, frame.z_scale);
    Vec3<T> const on_x_sum = through_unit(on_x_axis, frame.x_axis, frame.x_scale) + cross(frame.y_sum, on_z_sum);
    Vec3<T> const on_y_sum = cross(on_z_sum, frame.x_sum);
    for (std::size_t k = 0; k < s.origin_weights.size(); ++k)
        add(k, s.origin_weights[k] * f + s.x_weights[k] * on_x_sum + s.y_weights[k] * on_y_sum);
}

template <class B, class T> Vec3<T> from_fractions(B const& box, Vec3<T> const& s) {
    return s.x * box.a + s.y * box.b + s.z * box.c;
}
template <class B, class T> Vec3<T> to_fractions(B const& box, Vec3<T> const& r) {
    T const z = r.z / box.c.z;
    T const y = (r.y - z * box.c.y) / box.b.y;
    return {(r.x - y * box.b.x - z * box.c.x) / box.a.x, y, z};
}

template <class T, class X, class B> Vec3<T> site_position(Symmetry<T> const& s, X const& x, B const& box) {
    auto const moved = [&s](Vec3<T> const& r) {
        return Vec3<T>{dot(s.rotation[0], r), dot(s.rotation[1], r), dot(s.rotation[2], r)} + s.offset;
    };
    return s.use_box_vectors ? from_fractions(box, moved(to_fractions(box, x(0)))) : moved(x(0));
}
// In fractional coordinates the map is H R H⁻¹ with the box vectors as columns of H; its transpose is H⁻ᵀ Rᵀ Hᵀ.
template <class T, class X, class Add, class B>
void spread_force(Symmetry<T> const& s, Vec3<T> const& f, X const&, Add const& add, B const& box) {
    auto const turned_back = [&s](Vec3<T> const& g) {
        return g.x * s.rotation[0] + g.y * s.rotation[1] + g.z * s.rotation[2];
    };
    if (!s.use_box_vectors) return add(0, turned_back(f));
    Vec3<T> const g = turned_back({dot(box.a, f), dot(box.b, f), dot(box.c, f)});
    T const x = g.x / box.a.x;
    T const y = (g.y - box.b.x * x) / box.b.y;
    add(0, Vec3<T>{x, y, (g.z - box.c.x * x - box.c.y * y) / box.c.z});
}

}  // namespace trotter
