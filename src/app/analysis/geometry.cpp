// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/geometry.hpp>

#include <cmath>
#include <trotter/app/analysis/superposition.hpp>
#include <trotter/error.hpp>

namespace trotter::app {
namespace {

Vec3<> between(Vec3<> const& from, Vec3<> const& to, std::optional<Box> const& box) {
    return box ? nearest_image(to - from, *box) : to - from;
}

}  // namespace

AtomGroup AtomGroup::of(std::vector<int> atoms, std::span<double const> masses) {
    AtomGroup group;
    double total = 0;
    for (int const atom : atoms) {
        group.masses.push_back(masses[static_cast<std::size_t>(atom)]);
        total += group.masses.back();
    }
    group.atoms = std::move(atoms);
    if (!(total > 0)) throw InputError("a group of atoms has no mass, expected one atom with mass or more");
    return group;
}

Vec3<> AtomGroup::center(std::span<Vec3<> const> positions) const {
    return app::center(selected_points(positions, atoms), masses);
}

Vec3<> nearest_image(Vec3<> const& difference, Box const& box) {
    Vec3<> const first = box.minimum_image(difference);
    if (box.is_rectangular() || 2 * norm(first) <= box.shortest_width()) return first;
    Vec3<> nearest = first;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z)
                if (Vec3<> const image = first + box.a * x + box.b * y + box.c * z; dot(image, image) < dot(nearest, nearest))
                    nearest = image;
    return nearest;
}

double distance(Vec3<> const& p1, Vec3<> const& p2, std::optional<Box> const& box) {
    return norm(between(p1, p2, box));
}

double angle(Vec3<> const& p1, Vec3<> const& p2, Vec3<> const& p3, std::optional<Box> const& box) {
    auto const v1 = between(p2, p1, box), v3 = between(p2, p3, box);
    return std::atan2(norm(cross(v1, v3)), dot(v1, v3));
}

double dihedral(Vec3<> const& p1, Vec3<> const& p2, Vec3<> const& p3, Vec3<> const& p4, std::optional<Box> const& box) {
    auto const v1 = between(p1, p2, box), v2 = between(p2, p3, box), v3 = between(p3, p4, box);
    auto const normal1 = cross(v1, v2), normal2 = cross(v2, v3);
    return std::atan2(dot(v1, normal2) * norm(v2), dot(normal1, normal2));
}

double radius_of_gyration(AtomGroup const& group, std::span<Vec3<> const> positions) {
    auto const points = selected_points(positions, group.atoms);
    std::vector<Vec3<>> const centers(points.size(), center(points, group.masses));
    return root_mean_square_distance(points, centers, group.masses);
}

}  // namespace trotter::app
