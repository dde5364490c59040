// Scale factors of the interactions of near neighbours.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/amoeba/multipole.hpp>

namespace trotter::amoeba {

/// Factors of a pair: of permanent multipoles with each other, and of the fields that induce the dipoles μ_p and μ_d.
struct Scales {
    double permanent = 1, p = 1, d = 1;
};

/// The pairs with factors other than 1, by particle.
class ScaleTable {
public:
    /// A pair of the particle in whose list this is.
    struct Entry {
        int particle;
        Scales scales;
    };
    explicit ScaleTable(std::vector<AmoebaMultipoleForce::Multipole> const& multipoles);

    /// The entries of a particle by ascending index of the other one.
    std::vector<Entry> const& of(std::size_t i) const { return entries_[i]; }
    /// Index of the pair's entry in `of(i)`, or -1.
    int find(std::size_t i, std::size_t j) const;
    /// The factors for an index of `find`.
    Scales scales(std::size_t i, int index) const {
        return index < 0 ? Scales{} : entries_[i][static_cast<std::size_t>(index)].scales;
    }

private:
    std::vector<std::vector<Entry>> entries_;
};

}  // namespace trotter::amoeba
