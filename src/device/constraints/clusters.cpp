// Finds the clusters and networks of constraints.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include <trotter/device/constraints/clusters.hpp>

namespace trotter::device {

Clusters::Clusters(Particles const& particles) {
    for (std::size_t n = 0; n < lists.size(); ++n) lists[n].kind = static_cast<ClusterKind>(n);
    std::vector<bool> is_taken(particles.masses.size());
    for (auto const& cluster : constraint_clusters(particles)) {
        if (auto const triangle = as_triangle(cluster, particles.masses)) {
            auto const& t = triangle->shape;
            add(ClusterKind::triangle, {triangle->particles.begin(), triangle->particles.end()},
                {t.mass_b, t.mass_c, t.length, t.along, t.across, t.inverse_length, t.inverse_across}, is_taken);
        } else if (auto const star = as_star(cluster); star && star->ends.size() <= 3) {
            std::vector<int> members{star->centre};
            members.insert(members.end(), star->ends.begin(), star->ends.end());
            add(static_cast<ClusterKind>(star->ends.size()), members, star->distances, is_taken);
        } else {
            networks.push_back(cluster);
            for (auto const& pair : cluster)
                for (int const particle : {pair.particle1, pair.particle2})
                    is_taken[static_cast<std::size_t>(particle)] = true;
        }
    }
    for (std::size_t i = 0; i < is_taken.size(); ++i)
        if (!is_taken[i])
            add(particles.masses[i] == 0 ? ClusterKind::massless : ClusterKind::free, {static_cast<int>(i)}, {},
                is_taken);
}
void Clusters::add(ClusterKind kind, std::vector<int> const& members, std::vector<double> const& shape,
                   std::vector<bool>& is_taken) {
    auto const k = static_cast<std::size_t>(kind);
    auto const [place, is_new] =
        shape_numbers_[k].try_emplace(shape, static_cast<std::int32_t>(shape_numbers_[k].size()));
    if (is_new) lists[k].shapes.insert(lists[k].shapes.end(), shape.begin(), shape.end());
    for (int const member : members) {
        lists[k].members.push_back(member);
        is_taken[static_cast<std::size_t>(member)] = true;
    }
    lists[k].members.push_back(place->second);
}

}  // namespace trotter::device
