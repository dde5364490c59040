// Sums over pairs of multipole sites: fields, energies and their gradient.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/multipoles/radial.hpp>
#include <trotter/common/threads/threads.hpp>

#include "pair_list.hpp"
#include "scales.hpp"
#include "sites.hpp"

namespace trotter::amoeba {

/// Limit of tables of radial functions of all pairs: functions of more are computed in each iteration.
inline constexpr std::size_t most_pairs = std::size_t{1} << 23;

/// Vectors of all sites: dipoles [e nm], or fields [e/nm²], without 1/(4 pi eps0).
using Vectors = std::vector<Vec3<>>;

/// The vectors of both sets of induced dipoles, and the fields that belong to them.
struct TwoSets {
    Vectors d, p;
};

/// Dipoles μ of all sites that add ± their interaction energy with each other, ± ½ Σ_ij μ_i·∇φ_j, to an energy.
struct DipoleSquare {
    double sign;
    Vectors dipoles;
};

/// The gradient of an energy: derivatives by positions with fixed moments, and by moments.
struct MultipoleGradient {
    Vectors by_positions;
    std::vector<Potential<>> by_moments;

    explicit MultipoleGradient(std::size_t sites) : by_positions(sites), by_moments(sites) {}
};

/// Pair interactions in direct space: Coulomb's law, or the direct part of an Ewald sum, with scale factors and Thole's
/// damping.
class DirectSpace {
public:
    DirectSpace(Sites const& sites, ScaleTable const& scales, PairList const& pairs, double alpha)
        : sites_(sites), scales_(scales), pairs_(pairs), alpha_(alpha) {}

    /// Prepares `add_induced_field` for the pairs.
    void prepare(Threads& threads);
    /// Adds the fields of permanent multipoles that induce dipoles.
    void add_permanent_field(TwoSets& field, Threads& threads) const;
    /// Adds the fields of two sets of induced dipoles.
    void add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads) const;
    /// Adds the gradient of the energy of permanent multipoles, of these in the fields of the induced dipoles, and of
    /// the squares. Returns the energy of permanent multipoles.
    double add_gradient(TwoSets const& induced, std::vector<DipoleSquare> const& squares, MultipoleGradient& gradient,
                        Threads& threads) const;

private:
    struct Radial {
        double b1, b2;  // Thole's functions of a pair
    };
    Radial thole_of(std::size_t i, SeenPair const& pair) const;
    double add_gradient_of(std::size_t i, TwoSets const& induced, std::vector<DipoleSquare> const& squares,
                           MultipoleGradient& gradient) const;

    Sites const& sites_;
    ScaleTable const& scales_;
    PairList const& pairs_;
    double alpha_;  // 0: no Ewald sum
    std::vector<Radial> listed_;
};

}  // namespace trotter::amoeba
