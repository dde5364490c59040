// Virtual sites of a System: their positions from those of other particles, and their forces handed on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/core/particles.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

/// Sites in the order of their dependency, in groups that share no particle: groups are independent of each other, and
/// within one the order is fixed, so the bits do not depend on the number of threads. Differences between particles are
/// taken as they are, without minimum images: the particles that a site depends on must be whole.
class VirtualSites {
public:
    /// Throws InputError for weights that do not add up, a rotation that is none, or sites that depend on each other in
    /// a circle.
    explicit VirtualSites(Particles const& particles);
    VirtualSites(VirtualSites&&) noexcept;
    ~VirtualSites();

    bool empty() const { return order_.empty(); }

    /// Puts every site where it belongs.
    void place(std::vector<Vec3<>>& positions, Box const& box, Threads& threads) const;
    void place(std::vector<Vec3<>>& positions, Box const& box) const;

    /// Adds the force on each site to the particles that it depends on, so that their forces are the gradient of the
    /// energy as a function of their positions alone. The sites' own forces stay as they were; nothing should use them.
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box,
                           Threads& threads) const;
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box) const;

    /// What sites whose places depend on the box hand to the virial by their forces, which have been distributed: see
    /// box_virial.hpp.
    Tensor box_virial(std::vector<Vec3<>> const& positions, std::vector<Vec3<>> const& forces, Box const& box) const;

private:
    struct PlacedSite {
        int particle;
        VirtualSite site;
    };

    std::size_t groups() const { return group_begin_.size() - 1; }
    void place_group(std::size_t group, std::vector<Vec3<>>& positions, Box const& box) const;
    void distribute_group(std::size_t group, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces,
                          Box const& box) const;

    std::vector<PlacedSite> order_;  // group by group
    std::vector<std::size_t> group_begin_{0};
};

}  // namespace trotter
