// The reaction field of the generalized Kirkwood model.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/amoeba/multipoles/kirkwood_function.hpp>

#include "born_radii.hpp"
#include "direct_space.hpp"

namespace trotter::amoeba {

/// The potential of each site's moments by the polarized solvent, at all sites including itself: φ_ij, which depends on
/// Born radii. The energy is ½ Σ_ij M_i φ_ij(M_j), so that potentials act by the mean of φ_ij and its adjoint.
class Kirkwood {
public:
    Kirkwood(AmoebaGeneralizedKirkwoodForce const& force, Sites const& sites)
        : force_(force), sites_(sites), function_(force.solvent_dielectric), born_(force) {}

    /// Computes the Born radii, and radial functions for `add_induced_field`.
    void place(std::vector<Vec3<>> const& positions, Threads& threads);
    /// Adds the reaction field of permanent multipoles; returns their energy.
    double add_permanent_field(TwoSets& field, Threads& threads) const;
    /// Adds the reaction field of two sets of induced dipoles.
    void add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads) const;
    /// Adds the gradient of the energy of `moments`, of the squares and of the cavity term.
    void add_gradient(std::vector<Moments<>> const& moments, std::vector<DipoleSquare> const& squares,
                      MultipoleGradient& gradient, Threads& threads) const;
    /// Energy of the cavity term, in the unit of the others.
    double cavity_energy() const;

private:
    /// Returns the derivative by the site's Born radius.
    double add_gradient_of(std::size_t i, std::vector<Moments<>> const& moments,
                           std::vector<DipoleSquare> const& squares, MultipoleGradient& gradient) const;
    double cavity_energy_of(std::size_t i) const;
    KirkwoodPair functions_of(std::size_t i, std::size_t j) const;
    std::array<double, 2> dipole_functions_of(std::size_t i, std::size_t j) const;

    AmoebaGeneralizedKirkwoodForce force_;
    Sites const& sites_;
    KirkwoodFunction function_;
    BornRadii born_;
    std::vector<Vec3<>> const* positions_ = nullptr;
    std::vector<std::array<double, 2>> of_dipoles_;  // of all pairs, unless these are many
};

}  // namespace trotter::amoeba
