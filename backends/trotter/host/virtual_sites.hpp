// Virtual sites of a System: their positions from those of other particles, and their forces handed on.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/molecules.hpp>
#include <trotter/particles.hpp>

#include <trotter/host/threads.hpp>
#include <trotter/host/virtual_sites/check.hpp>
#include <trotter/host/virtual_sites/placement.hpp>

namespace trotter {

/// Sites in the order of their dependency, in groups that share no particle: groups are independent of each other, and
/// within one the order is fixed, so the bits do not depend on the number of threads. Differences between particles are
/// taken as they are, without minimum images: the particles that a site depends on must be whole.
class VirtualSites {
public:
    /// Throws InputError for weights that do not add up, a rotation that is none, or sites that depend on each other in
    /// a circle.
    explicit VirtualSites(Particles const& particles) {
        for (auto const& [particle, site] : particles.virtual_sites) {
            std::string const where = "the virtual site of particle " + std::to_string(particle);
            std::visit([&where](auto const& s) { check_site_numbers(s, where); }, site);
        }
        auto const group = groups_of_sites(particles);
        auto const order = dependency_order(particles.virtual_sites);
        for (int particle : order) {
            std::size_t const after = group[static_cast<std::size_t>(particle)] + 1;
            if (group_begin_.size() <= after) group_begin_.resize(after + 1);
            ++group_begin_[after];
        }
        std::partial_sum(group_begin_.begin(), group_begin_.end(), group_begin_.begin());
        sites_.resize(order.size());
        for (auto next = group_begin_; int particle : order)
            sites_[next[group[static_cast<std::size_t>(particle)]]++] = {particle,
                                                                         particles.virtual_sites.at(particle)};
    }

    bool empty() const { return sites_.empty(); }

    /// Puts every site where it belongs.
    void place(std::vector<Vec3<>>& positions, Box const& box, Threads& threads) const {
        threads.for_each(groups(), [&](std::size_t group) { place_group(group, positions, box); });
    }
    void place(std::vector<Vec3<>>& positions, Box const& box) const {
        for (std::size_t group = 0; group < groups(); ++group) place_group(group, positions, box);
    }

    /// Adds the force on each site to the particles that it depends on, so that their forces are the gradient of the
    /// energy as a function of their positions alone. The sites' own forces stay as they were; nothing should use them.
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box,
                           Threads& threads) const {
        threads.for_each(groups(), [&](std::size_t group) { distribute_group(group, positions, forces, box); });
    }
    void distribute_forces(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces, Box const& box) const {
        for (std::size_t group = 0; group < groups(); ++group) distribute_group(group, positions, forces, box);
    }

private:
    struct PlacedSite {
        int particle = 0;
        VirtualSite site;
    };

    std::size_t groups() const { return group_begin_.size() - 1; }

    void place_group(std::size_t group, std::vector<Vec3<>>& positions, Box const& box) const {
        for (std::size_t n = group_begin_[group]; n < group_begin_[group + 1]; ++n)
            positions[static_cast<std::size_t>(sites_[n].particle)] = std::visit(
                [&](auto const& site) { return site_position(site, SitePositions{positions}, box); }, sites_[n].site);
    }

    void distribute_group(std::size_t group, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces,
                          Box const& box) const {
        for (std::size_t n = group_begin_[group + 1]; n-- > group_begin_[group];) {
            Vec3<> const force = forces[static_cast<std::size_t>(sites_[n].particle)];
            std::visit(
                [&](auto const& site) { spread_force(site, force, SitePositions{positions}, SiteForces{forces}, box); },
                sites_[n].site);
        }
    }

    /// For each particle that is a site: the number of its group.
    static std::vector<std::size_t> groups_of_sites(Particles const& particles) {
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

    /// Every site after the sites that it depends on.
    static std::vector<int> dependency_order(std::map<int, VirtualSite> const& sites) {
        std::map<int, int> missing;  // sites that must be placed before
        std::map<int, std::vector<int>> dependents;
        std::vector<int> order;
        for (auto const& [particle, site] : sites) {
            int& count = missing[particle];
            for (int parent : parents(site))
                if (sites.contains(parent)) {
                    ++count;
                    dependents[parent].push_back(particle);
                }
            if (count == 0) order.push_back(particle);
        }
        for (std::size_t n = 0; n < order.size(); ++n)
            if (auto const found = dependents.find(order[n]); found != dependents.end())
                for (int dependent : found->second)
                    if (--missing[dependent] == 0) order.push_back(dependent);
        if (order.size() != sites.size()) refuse_circle(sites, missing);
        return order;
    }

    /// Walks from an unplaced site to an unplaced parent until one comes again: that one lies on the circle.
    [[noreturn]] static void refuse_circle(std::map<int, VirtualSite> const& sites, std::map<int, int> const& missing) {
        auto const unplaced = [&](int particle) {
            auto const found = missing.find(particle);
            return found != missing.end() && found->second > 0;
        };
        int particle = std::ranges::find_if(missing, [](auto const& m) { return m.second > 0; })->first;
        for (std::set<int> seen; seen.insert(particle).second;) {
            auto const before = parents(sites.at(particle));
            particle = *std::ranges::find_if(before, unplaced);
        }
        throw InputError("the virtual site of particle " + std::to_string(particle)
                         + " depends on itself through other virtual sites, expected no circle");
    }

    std::vector<PlacedSite> sites_;
    std::vector<std::size_t> group_begin_{0};
};

}  // namespace trotter
