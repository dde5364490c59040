// Virtual sites: order of placement in independent groups, forces, and virial.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <trotter/core/molecules.hpp>
#include <trotter/error.hpp>

#include <trotter/common/virtual_sites.hpp>
#include <trotter/common/virtual_sites/check.hpp>
#include <trotter/common/virtual_sites/placement.hpp>

namespace trotter {
namespace {

/// Index of the group of each virtual site, by particle.
std::vector<std::size_t> groups_of_sites(Particles const& particles) {
    Connections connections(particles.count());
    for (auto const& [particle, site] : particles.virtual_sites)
        for (int parent : parents(site)) connections.connect(particle, parent);
    std::vector<std::size_t> group(particles.masses.size());
    std::size_t count = 0;
    for (auto const& members : connections.groups()) {
        if (members.size() == 1) continue;  // a site has at least one parent
        for (int member : members) group[static_cast<std::size_t>(member)] = count;
        ++count;
    }
    return group;
}

/// Follows unplaced parents from an unplaced site until one repeats: this one is in the cycle. Negates `missing` for
/// visited sites.
[[noreturn]] void refuse_circle(std::map<int, VirtualSite> const& sites, std::vector<int>& missing) {
    int particle = 0;
    while (missing[static_cast<std::size_t>(particle)] == 0) ++particle;
    for (int* count; *(count = &missing[static_cast<std::size_t>(particle)]) > 0;) {
        *count = -*count;
        for (int parent : parents(sites.at(particle)))
            if (missing[static_cast<std::size_t>(parent)] != 0) {
                particle = parent;
                break;
            }
    }
    throw InputError("the virtual site of particle " + std::to_string(particle)
                     + " depends on itself through other virtual sites, expected no circle");
}

/// Topological order of the sites.
std::vector<int> dependency_order(Particles const& particles) {
    auto const& sites = particles.virtual_sites;
    std::vector<int> missing(particles.masses.size());  // per site: parents not placed yet
    std::vector<std::vector<int>> dependents(particles.masses.size());
    std::vector<int> order;
    for (auto const& [particle, site] : sites) {
        int& count = missing[static_cast<std::size_t>(particle)];
        for (int parent : parents(site))
            if (particles.is_virtual(parent)) {
                ++count;
                dependents[static_cast<std::size_t>(parent)].push_back(particle);
            }
        if (count == 0) order.push_back(particle);
    }
    for (std::size_t n = 0; n < order.size(); ++n)
        for (int dependent : dependents[static_cast<std::size_t>(order[n])])
            if (--missing[static_cast<std::size_t>(dependent)] == 0) order.push_back(dependent);
    if (order.size() != sites.size()) refuse_circle(sites, missing);
    return order;
}

}  // namespace

VirtualSites::VirtualSites(Particles const& particles) {
    auto const& sites = particles.virtual_sites;
    if (sites.empty()) return;
    for (auto const& [particle, site] : sites) {
        std::string const where = "the virtual site of particle " + std::to_string(particle);
        std::visit([&where](auto const& s) { check_site_numbers(s, where); }, site);
    }
    auto const group = groups_of_sites(particles);
    auto const order = dependency_order(particles);
    for (int particle : order) {
        std::size_t const after = group[static_cast<std::size_t>(particle)] + 1;
        if (group_begin_.size() <= after) group_begin_.resize(after + 1);
        ++group_begin_[after];
    }
    for (std::size_t n = 1; n < group_begin_.size(); ++n) group_begin_[n] += group_begin_[n - 1];
    order_.resize(order.size());
    for (auto next = group_begin_; int particle : order)
        order_[next[group[static_cast<std::size_t>(particle)]]++] = {particle, sites.find(particle)->second};
}
VirtualSites::VirtualSites(VirtualSites&&) noexcept = default;
VirtualSites::~VirtualSites() = default;

void VirtualSites::place(std::vector<Vec3<>>& positions, Box const& box, Threads& threads) const {
    threads.for_each(groups(), [&](std::size_t group) { place_group(group, positions, box); });
}
void VirtualSites::place(std::vector<Vec3<>>& positions, Box const& box) const {
    for (std::size_t group = 0; group < groups(); ++group) place_group(group, positions, box);
}

void VirtualSites::distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box,
                                     Threads& threads) const {
    threads.for_each(groups(), [&](std::size_t group) { distribute_group(group, positions, forces, box); });
}
void VirtualSites::distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces,
                                     Box const& box) const {
    for (std::size_t group = 0; group < groups(); ++group) distribute_group(group, positions, forces, box);
}

// Under a strain a site with box vectors moves with the box like any point, if its parent does: its virial is f⊗x, of
// which g⊗y, for the parent's share g of the force, is counted with the parent.
Tensor VirtualSites::box_virial(std::vector<Vec3<>> const& positions, std::vector<Vec3<>> const& forces,
                                Box const& box) const {
    Tensor result;
    for (auto const& [particle, site] : order_) {
        auto const* const symmetry = std::get_if<SymmetrySite>(&site);
        if (!symmetry || !symmetry->use_box_vectors) continue;
        auto const n = static_cast<std::size_t>(particle);
        auto const parent_position = [&](std::size_t) {
            return positions[static_cast<std::size_t>(symmetry->particle)];
        };
        result += outer(forces[n], positions[n]);
        spread_force(
            *symmetry, forces[n], parent_position,
            [&](std::size_t k, Vec3<> const& share) { result += outer(-share, parent_position(k)); }, box);
    }
    return result;
}

void VirtualSites::place_group(std::size_t group, std::vector<Vec3<>>& positions, Box const& box) const {
    for (std::size_t n = group_begin_[group]; n < group_begin_[group + 1]; ++n)
        positions[static_cast<std::size_t>(order_[n].particle)] = std::visit(
            [&](auto const& site) {
                auto const x = [&](std::size_t k) { return positions[static_cast<std::size_t>(parent(site, k))]; };
                return site_position(site, x, box);
            },
            order_[n].site);
}

void VirtualSites::distribute_group(std::size_t group, std::vector<Vec3<>> const& positions,
                                    std::vector<Vec3<>>& forces, Box const& box) const {
    for (std::size_t n = group_begin_[group + 1]; n-- > group_begin_[group];) {
        Vec3<> const force = forces[static_cast<std::size_t>(order_[n].particle)];
        std::visit(
            [&](auto const& site) {
                auto const place = [&](std::size_t k) { return static_cast<std::size_t>(parent(site, k)); };
                spread_force(
                    site, force, [&](std::size_t k) { return positions[place(k)]; },
                    [&](std::size_t k, Vec3<> const& f) { forces[place(k)] += f; }, box);
            },
            order_[n].site);
    }
}

}  // namespace trotter
