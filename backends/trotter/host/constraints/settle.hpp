// Rigid triangles, above all water molecules, in closed form.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trotter/host/constraints/cluster.hpp>
#include <trotter/host/constraints/lanes.hpp>

namespace trotter {

/// What a triangle abc of three constrained distances is: fractions of its mass in b and c, and the edges from a in a
/// frame of its own, ab = (length, 0) and ac = (along, across). [nm]
template <class T> struct Triangle {
    T mass_b{}, mass_c{}, length{}, along{}, across{}, inverse_length{}, inverse_across{};
};

/// Two edges from a. The centre of mass lies at mass_b ab + mass_c ac from a.
template <class T> struct TriangleEdges {
    Vec3<T> ab, ac;

    Vec3<T> centre(Triangle<T> const& t) const { return t.mass_b * ab + t.mass_c * ac; }
};

/// The rigid triangle that forces along the edges of `start` make of `moved`: in the spirit of SETTLE (Miyamoto &
/// Kollman, J. Comput. Chem. 13, 952 (1992)), for any triangle and with neither angles nor a special frame. Such forces
/// lie in the plane of `start`, with normal n, and their torque about `start` vanishes. Hence
/// (1) heights along n stay: they fix the components s1, s2 along n of the triangle's own axes e1, e2;
/// (2) the axes' other parts are those of the smallest rotation that tilts n so far, turned about n by an angle ψ with
///     A sin ψ + B cos ψ = C from the torque.
/// NaN where no triangle does this. Every length follows from the axes, so it is right to rounding.
template <class T>
TriangleEdges<T> settled(Triangle<T> const& t, TriangleEdges<T> const& start, TriangleEdges<T> const& moved) {
    Vec3<T> normal = cross(start.ab, start.ac);
    T const area = sqrt(dot(normal, normal));
    normal *= 1.0 / area;
    // In-plane components are taken along start.ab and across = normal × start.ab, both of length |start.ab|.
    Vec3<T> const across = cross(normal, start.ab);
    T const square = dot(start.ab, start.ab), inverse_square = 1.0 / square, start_along = dot(start.ac, start.ab);

    T const height_b = dot(normal, moved.ab), height_c = dot(normal, moved.ac);
    T const s1 = height_b * t.inverse_length, s2 = (height_c - t.along * s1) * t.inverse_across;
    T const cosine = sqrt(1.0 - (s1 * s1 + s2 * s2)), scale = 1.0 / (1.0 + cosine);
    T const e1_along = 1.0 - s1 * s1 * scale, mixed = -s1 * s2 * scale, e2_across = 1.0 - s2 * s2 * scale;
    T const b_along = t.length * e1_along, b_across = t.length * mixed;
    T const c_along = t.along * e1_along + t.across * mixed, c_across = t.along * mixed + t.across * e2_across;

    // Arms of b and c about the centre of mass at the start, times their masses.
    T const centre_along = t.mass_b * square + t.mass_c * start_along, centre_across = t.mass_c * area;
    T const arm_b_along = t.mass_b * (square - centre_along), arm_b_across = -t.mass_b * centre_across;
    T const arm_c_along = t.mass_c * (start_along - centre_along), arm_c_across = t.mass_c * (area - centre_across);
    T const a = arm_b_along * b_along + arm_b_across * b_across + arm_c_along * c_along + arm_c_across * c_across;
    T const b = arm_b_along * b_across - arm_b_across * b_along + arm_c_along * c_across - arm_c_across * c_along;
    T const c = (arm_b_along * dot(moved.ab, across) - arm_b_across * dot(moved.ab, start.ab)
                 + arm_c_along * dot(moved.ac, across) - arm_c_across * dot(moved.ac, start.ab))
                * inverse_square;
    // sin and cos of ψ, divided by |start.ab|, the unit of the in-plane components.
    T const norm_square = a * a + b * b, root = sqrt(norm_square * inverse_square - c * c), inverse = 1.0 / norm_square;
    T const sine = (c * a - b * root) * inverse, turn = (c * b + a * root) * inverse;
    auto const point = [&](T const& x, T const& y, T const& height) {
        return (turn * x - sine * y) * start.ab + (sine * x + turn * y) * across + height * normal;
    };
    return {point(b_along, b_across, height_b), point(c_along, c_across, height_c)};
}

/// The relative velocities of the rigid motion that has the momentum and angular momentum of `velocities`: what forces
/// along the edges make of them. From I ω = Σ m r × v about the centre of mass.
template <class T>
TriangleEdges<T> rigid_motion(Triangle<T> const& t, TriangleEdges<T> const& edges, TriangleEdges<T> const& velocities) {
    Vec3<T> const centre = edges.centre(t);
    Vec3<T> const arm_b = t.mass_b * (edges.ab - centre), arm_c = t.mass_c * (edges.ac - centre);
    Vec3<T> const angular_momentum = cross(arm_b, velocities.ab) + cross(arm_c, velocities.ac);
    auto const second_moment = [&](std::size_t i, std::size_t j) {
        return arm_b[i] * edges.ab[j] + arm_c[i] * edges.ac[j];
    };
    T const xx = second_moment(0, 0), yy = second_moment(1, 1), zz = second_moment(2, 2);
    T const ixx = yy + zz, iyy = xx + zz, izz = xx + yy;
    T const ixy = -second_moment(0, 1), ixz = -second_moment(0, 2), iyz = -second_moment(1, 2);
    Vec3<T> const row1{iyy * izz - iyz * iyz, ixz * iyz - ixy * izz, ixy * iyz - ixz * iyy};  // adjugate
    Vec3<T> const row2{row1.y, ixx * izz - ixz * ixz, ixy * ixz - ixx * iyz};
    Vec3<T> const row3{row1.z, row2.z, ixx * iyy - ixy * ixy};
    T const inverse_determinant = 1.0 / (ixx * row1.x + ixy * row1.y + ixz * row1.z);
    Vec3<T> const rotation =
        inverse_determinant
        * Vec3<T>{dot(row1, angular_momentum), dot(row2, angular_momentum), dot(row3, angular_momentum)};
    return {cross(rotation, edges.ab), cross(rotation, edges.ac)};
}

/// All triangles of a System, in lanes. The last group is filled up by repeating a triangle, which then gets the same
/// result twice.
class RigidTriangles {
public:
    static constexpr std::size_t groups_in_task = 64;

    /// Takes the cluster if it is a triangle with some height, and says whether it did.
    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
        std::set<int> members;
        for (auto const& pair : cluster) members.insert({pair.particle1, pair.particle2});
        if (cluster.size() != 3 || members.size() != 3) return false;
        std::size_t longest = 0;
        for (std::size_t n : {1u, 2u})
            if (cluster[n].distance > cluster[longest].distance) longest = n;
        int const b = cluster[longest].particle1, c = cluster[longest].particle2;
        for (int member : {b, c}) members.erase(member);
        int const a = *members.begin();
        auto const distance = [&](int i, int j) {
            for (auto const& pair : cluster)
                if (std::minmax(pair.particle1, pair.particle2) == std::minmax(i, j)) return pair.distance;
            return 0.0;
        };
        double const ab = distance(a, b), ac = distance(a, c), bc = distance(b, c);
        double const along = (ab * ab + ac * ac - bc * bc) / (2 * ab), across_square = (ac - along) * (ac + along);
        if (!(across_square > 1e-4 * ac * ac)) return false;
        auto const mass = [&](int i) { return masses[static_cast<std::size_t>(i)]; };
        double const total = mass(a) + mass(b) + mass(c);
        double const across = std::sqrt(across_square);
        add({mass(b) / total, mass(c) / total, ab, along, across, 1 / ab, 1 / across}, {a, b, c});
        return true;
    }

    int tasks() const { return static_cast<int>((groups_.size() + groups_in_task - 1) / groups_in_task); }

    void apply_to_positions(int task, std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double) const {
        for_groups(task, [&](Group const& group) {
            auto const [a, moved] = gather_edges(group, positions);
            auto const edges = settled(group.shape, gather_edges(group, start).second, moved);
            check(group, moved, edges);
            scatter_edges(group, a + (moved.centre(group.shape) - edges.centre(group.shape)), edges, positions);
        });
    }

    void apply_to_velocities(int task, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities) const {
        for_groups(task, [&](Group const& group) {
            auto const [a, relative] = gather_edges(group, velocities);
            auto const rigid = rigid_motion(group.shape, gather_edges(group, positions).second, relative);
            scatter_edges(group, a + (relative.centre(group.shape) - rigid.centre(group.shape)), rigid, velocities);
        });
    }

private:
    struct Group {
        std::array<LaneParticles, 3> particles;
        Triangle<Lanes> shape;
    };

    void add(Triangle<double> const& triangle, std::array<int, 3> const& particles) {
        std::size_t const lane = size_++ % Lanes::count;
        if (lane == 0) groups_.emplace_back();
        Group& group = groups_.back();
        for (std::size_t rest = lane; rest < Lanes::count; ++rest) {
            for (std::size_t vertex = 0; vertex < 3; ++vertex)
                group.particles[vertex][rest] = static_cast<std::size_t>(particles[vertex]);
            group.shape.mass_b.set(rest, triangle.mass_b);
            group.shape.mass_c.set(rest, triangle.mass_c);
            group.shape.length.set(rest, triangle.length);
            group.shape.along.set(rest, triangle.along);
            group.shape.across.set(rest, triangle.across);
            group.shape.inverse_length.set(rest, triangle.inverse_length);
            group.shape.inverse_across.set(rest, triangle.inverse_across);
        }
    }

    template <class Body> void for_groups(int task, Body const& body) const {
        std::size_t const begin = static_cast<std::size_t>(task) * groups_in_task;
        for (std::size_t n = begin; n < std::min(begin + groups_in_task, groups_.size()); ++n) body(groups_[n]);
    }

    static std::pair<Vec3<Lanes>, TriangleEdges<Lanes>> gather_edges(Group const& group,
                                                                     std::vector<Vec3<>> const& from) {
        Vec3<Lanes> const a = gather(from, group.particles[0]);
        return {a, {gather(from, group.particles[1]) - a, gather(from, group.particles[2]) - a}};
    }

    static void scatter_edges(Group const& group, Vec3<Lanes> const& a, TriangleEdges<Lanes> const& edges,
                              std::vector<Vec3<>>& to) {
        scatter(a, to, group.particles[0]);
        scatter(a + edges.ab, to, group.particles[1]);
        scatter(a + edges.ac, to, group.particles[2]);
    }

    [[gnu::noinline]] static void check(Group const& group, TriangleEdges<Lanes> const& moved, TriangleEdges<Lanes> const& edges) {
        for (std::size_t lane = 0; lane < Lanes::count; ++lane) {
            if (!std::isnan(edges.ab.x[lane])) continue;
            auto const length = [lane](Vec3<Lanes> const& v) { return norm(Vec3<>{v.x[lane], v.y[lane], v.z[lane]}); };
            std::array<char, 160> distances;
            std::snprintf(distances.data(), distances.size(),
                          "; their distances, %.9g, %.9g and %.9g nm, are too far from the"
                          " constrained ones",
                          length(moved.ab), length(moved.ac), length(moved.ac - moved.ab));
            throw SimulationError("the constraints that make particles " + std::to_string(group.particles[0][lane])
                                  + ", " + std::to_string(group.particles[1][lane]) + " and "
                                  + std::to_string(group.particles[2][lane]) + " a rigid triangle cannot be satisfied"
                                  + distances.data());
        }
    }

    std::size_t size_ = 0;
    std::vector<Group> groups_;
};

}  // namespace trotter
