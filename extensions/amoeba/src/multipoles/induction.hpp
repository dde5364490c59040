// Finds induced dipoles: direct, mutual or extrapolated.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/amoeba/multipoles/convergence.hpp>

#include "direct_space.hpp"

namespace trotter::amoeba {

/// Induced dipoles, and what the gradient of their energy needs.
struct Induction {
    TwoSets dipoles;
    std::vector<TwoSets> orders{};  ///< of the extrapolation
    int iterations = 0;
    /// Change of -½ Σ μ_d·E_p in first order of the residuals R = E + T μ - μ/α, -½ Σ μ_p·R_d, averaged over both sets:
    /// the energy then has an error of second order.
    double correction = 0;
};

/// Solves μ/α - T μ = E for both sets of dipoles by preconditioned conjugate gradients, where T gives the field of
/// dipoles and α, the polarizability, is the preconditioner (F. Lipparini et al., J. Chem. Theory Comput. 10, 1638
/// (2014)). The dipoles are converged when the rms of the change α(E + T μ) - μ over all sites, of the worse set, is
/// below the target.
class ConjugateGradients {
public:
    ConjugateGradients(std::vector<double> const& polarizability, TwoSets const& field)
        : polarizability_(polarizability), field_(field) {}

    /// `add_field(dipoles, field)` adds T μ. Throws SimulationError if `most` iterations do not suffice.
    template <class AddField> Induction solve(AddField const& add_field, double target, int most) {
        Induction result{times_polarizability(field_)};
        residual_ = field_;
        add_field(result.dipoles, residual_);
        subtract_own(result.dipoles, residual_);
        direction_ = zero();
        for (;; ++result.iterations) {
            TwoSets change = times_polarizability(residual_);
            double const error = rms(change);
            if (!(error >= target)) break;  // or the positions are not finite
            if (result.iterations == most) refuse_induction(most, error, target);
            turn(square_d_, change.d, residual_.d, direction_.d);
            turn(square_p_, change.p, residual_.p, direction_.p);
            TwoSets image = zero();
            add_field(direction_, image);
            subtract_own(direction_, image);
            advance(square_d_, direction_.d, image.d, result.dipoles.d, residual_.d);
            advance(square_p_, direction_.p, image.p, result.dipoles.p, residual_.p);
        }
        result.correction = energy_correction(result.dipoles);
        return result;
    }

private:
    TwoSets zero() const { return {Vectors(field_.d.size()), Vectors(field_.p.size())}; }
    TwoSets times_polarizability(TwoSets sets) const;
    void subtract_own(TwoSets const& dipoles, TwoSets& field) const;
    static void turn(double& square, Vectors const& change, Vectors const& residual, Vectors& direction);
    static void advance(double square, Vectors const& direction, Vectors const& image, Vectors& dipoles,
                        Vectors& residual);
    double energy_correction(TwoSets const& dipoles) const;
    static double rms(TwoSets const& change);

    std::vector<double> const& polarizability_;
    TwoSets const& field_;
    TwoSets residual_, direction_;        // residual: E + T μ - μ/α, or 0 where α is 0
    double square_d_ = 0, square_p_ = 0;  // residual·α·residual
};

/// Dipoles of order n+1 are induced by the field of those of order n; the sum of all with the weights c_n + c_{n+1} + …
/// extrapolates to infinite order.
template <class AddField> Induction extrapolated(std::vector<double> const& polarizability, TwoSets const& field,
                                                 std::vector<double> const& weights, AddField const& add_field) {
    std::size_t const count = polarizability.size();
    Induction result{{Vectors(count), Vectors(count)}};
    for (std::size_t order = 0; order < weights.size(); ++order) {
        TwoSets next = order == 0 ? field : TwoSets{Vectors(count), Vectors(count)};
        if (order > 0) add_field(result.orders.back(), next);
        for (std::size_t i = 0; i < count; ++i) {
            next.d[i] *= polarizability[i];
            next.p[i] *= polarizability[i];
            result.dipoles.d[i] += next.d[i] * weights[order];
            result.dipoles.p[i] += next.p[i] * weights[order];
        }
        result.orders.push_back(std::move(next));
    }
    return result;
}

/// Sums of the coefficients from each order on.
std::vector<double> extrapolation_weights(std::vector<double> const& coefficients);

/// Dipoles with which the interaction of induced dipoles with each other adds to the gradient: squares (a + b)/2 minus
/// (a - b)/2 for products of dipoles a of one set with b of the other.
std::vector<DipoleSquare> dipole_squares(AmoebaMultipoleForce::Polarization polarization, Induction const& induction,
                                         std::vector<double> const& weights);

}  // namespace trotter::amoeba
