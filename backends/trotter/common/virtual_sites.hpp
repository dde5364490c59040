// Places virtual sites and distributes their forces to their parents.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/core/particles.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter {

/// Sites in order of dependency, in groups that share no particle: groups are independent, and the order within one is
/// fixed, so results do not depend on the number of threads. Differences between particles are taken without minimum
/// image: the parents of a site must be whole.
class VirtualSites {
public:
    /// Throws InputError for weights with a wrong sum, a matrix that is no rotation, or cyclic dependencies.
    explicit VirtualSites(Particles const& particles);
    VirtualSites(VirtualSites&&) noexcept;
    ~VirtualSites();

    bool empty() const { return order_.empty(); }

    /// Computes the positions of all sites.
    void place(std::vector<Vec3<>>& positions, Box const& box, Threads& threads) const;
    void place(std::vector<Vec3<>>& positions, Box const& box) const;

    /// Adds the force on each site to its parents, so that their forces are the gradient of the energy as a function of
    /// their positions alone. The sites' own forces remain, but must not be used.
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box,
                           Threads& threads) const;
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box) const;

    /// Virial contribution of sites that depend on the box, from their distributed forces: see box_virial.hpp.
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
