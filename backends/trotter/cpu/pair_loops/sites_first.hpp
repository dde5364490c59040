// The order in which pair loops take the particles of an i cluster.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// The particles of a cluster, those without a Lennard-Jones site last. `Arch` only keeps symbols of different
/// instruction sets apart.
template <class Arch> class SitesFirst {
public:
    struct Order {
        int number[cluster_size], sites;
    };
    /// `without_lj` is that of the cluster in a ClusterView.
    [[gnu::always_inline]] static Order const& order(unsigned without_lj) {
        return orders.of[(without_lj | without_lj >> 3 | without_lj >> 6 | without_lj >> 9) & 0xFu];
    }

private:
    /// For each combination of particles without a site.
    struct Orders {
        Order of[1 << cluster_size];

        constexpr Orders() : of{} {
            for (unsigned without_lj = 0; without_lj < 1u << cluster_size; ++without_lj) {
                int next = 0;
                for (unsigned const is_without_lj : {0u, 1u}) {
                    for (int n = 0; n < cluster_size; ++n)
                        if ((without_lj >> n & 1u) == is_without_lj) of[without_lj].number[next++] = n;
                    if (is_without_lj == 0) of[without_lj].sites = next;
                }
            }
        }
    };
    static constexpr Orders orders{};
};

}  // namespace trotter::cpu
