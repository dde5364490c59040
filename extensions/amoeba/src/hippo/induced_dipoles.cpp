// Sums over the orders of induced dipoles.
// SPDX-License-Identifier: MIT
#include "induced_dipoles.hpp"

namespace trotter::amoeba::hippo {

InducedDipoles::InducedDipoles(std::vector<double> const& coefficients) : sums_(coefficients) {
    for (std::size_t n = sums_.size(); n-- > 1;) sums_[n - 1] += sums_[n];
    dipoles_.resize(sums_.size());
    if (!sums_.empty()) partners_.resize(sums_.size() - 1);
}

void InducedDipoles::finish(std::size_t particles) {
    total_.assign(particles, {});
    for (std::size_t n = 0; n < orders(); ++n)
        for (std::size_t i = 0; i < particles; ++i) total_[i] += dipoles_[n][i] * sums_[n];
    for (std::size_t n = 0; n < partners_.size(); ++n) {
        partners_[n].assign(particles, {});
        for (std::size_t m = 0; n + m + 1 < orders(); ++m)
            for (std::size_t i = 0; i < particles; ++i) partners_[n][i] += dipoles_[m][i] * sums_[n + m + 1];
    }
}

}  // namespace trotter::amoeba::hippo
