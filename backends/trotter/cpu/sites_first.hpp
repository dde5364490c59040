// The order in which pair loops take the particles of an i cluster.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// The particles of a cluster, those without a Lennard-Jones site behind the others. `Arch` only keeps symbols of
/// different instruction sets apart.
template <class Arch> class SitesFirst {
public:
    struct Order {
        int number[cluster_size], sites;
    };
    /// `bare` is that of the cluster in a ClusterView.
    [[gnu::always_inline]] static Order const& order(unsigned bare) {
        return orders.of[(bare | bare >> 3 | bare >> 6 | bare >> 9) & 0xFu];
    }

private:
    /// For each combination of those that are bare.
    struct Orders {
        Order of[1 << cluster_size];

        constexpr Orders() : of{} {
            for (unsigned bare = 0; bare < 1u << cluster_size; ++bare) {
                int next = 0;
                for (unsigned const is_bare : {0u, 1u}) {
                    for (int n = 0; n < cluster_size; ++n)
                        if ((bare >> n & 1u) == is_bare) of[bare].number[next++] = n;
                    if (is_bare == 0) of[bare].sites = next;
                }
            }
        }
    };
    static constexpr Orders orders{};
};

}  // namespace trotter::cpu
