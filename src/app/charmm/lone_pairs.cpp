// Virtual sites of a PSF.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "parts.hpp"

namespace trotter::app::charmm {
namespace {

// An atom bonded to the second host, which with the line of both hosts spans a plane; any will do.
int third_atom(Job const& job, int host1, int host2) {
    std::optional<int> found;
    for (auto const& bond : job.psf.topology.bonds) {
        if (bond.atom1 == host2 && bond.atom2 != host1) found = bond.atom2;
        if (bond.atom2 == host2 && bond.atom1 != host1) found = bond.atom1;
    }
    if (!found)
        refuse({job.psf.path},
               fmt::format("the lone pair on the line of atoms {} and {} needs a third atom, bonded to the second",
                           host1 + 1, host2 + 1));
    return *found;
}

LocalCoordinatesSite site_of(Job const& job, PsfLonePair const& pair) {
    auto const& hosts = pair.hosts;
    if (hosts.size() == 2)
        return {{hosts[0], hosts[1], third_atom(job, hosts[0], hosts[1])},
                {1, 0, 0},
                {1, -1, 0},
                {0, -1, 1},
                {pair.distance, 0, 0}};
    constexpr double degree = std::numbers::pi / 180;
    double const r = std::abs(pair.distance), theta = pair.angle * degree, phi = (180 - pair.dihedral) * degree;
    auto const cleaned = [](double v) { return std::abs(v) > 1e-10 ? v : 0; };
    Vec3<> const local{cleaned(r * std::cos(theta)), cleaned(r * std::sin(theta) * std::cos(phi)),
                       cleaned(r * std::sin(theta) * std::sin(phi))};
    bool const is_bisector = pair.distance < 0;
    return {{hosts[0], hosts[2], hosts[1]},
            {1, 0, 0},
            {-1, is_bisector ? 0.5 : 0.0, is_bisector ? 0.5 : 1.0},
            {0, -1, 1},
            local};
}

}  // namespace

void add_lone_pairs(Job const& job, StandardSystem& system) {
    for (auto const& pair : job.psf.lone_pairs) system.set_virtual_site(pair.site, site_of(job, pair));
}

}  // namespace trotter::app::charmm
