// Steps of the iteration for induced dipoles.
// SPDX-License-Identifier: MIT
#include "induction.hpp"

#include <algorithm>
#include <sstream>

#include <trotter/error.hpp>

namespace trotter::amoeba {
namespace {


double product_of(Vectors const& a, Vectors const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

void add_product(Vectors const& a, Vectors const& b, std::vector<DipoleSquare>& squares) {
    for (double const sign : {1.0, -1.0}) {
        DipoleSquare square{sign, Vectors(a.size())};
        for (std::size_t i = 0; i < a.size(); ++i) square.dipoles[i] = (a[i] + b[i] * sign) * 0.5;
        squares.push_back(std::move(square));
    }
}

}  // namespace

TwoSets ConjugateGradients::times_polarizability(TwoSets sets) const {
    for (std::size_t i = 0; i < polarizability_.size(); ++i) {
        sets.d[i] *= polarizability_[i];
        sets.p[i] *= polarizability_[i];
    }
    return sets;
}

// Subtracts μ/α from a field; sites without polarizability are left out.
void ConjugateGradients::subtract_own(TwoSets const& dipoles, TwoSets& field) const {
    for (std::size_t i = 0; i < polarizability_.size(); ++i)
        if (double const alpha = polarizability_[i]; alpha != 0) {
            field.d[i] -= dipoles.d[i] * (1 / alpha);
            field.p[i] -= dipoles.p[i] * (1 / alpha);
        } else
            field.d[i] = field.p[i] = {};
}

// The next direction, conjugate to the ones before.
void ConjugateGradients::turn(double& square, Vectors const& change, Vectors const& residual, Vectors& direction) {
    double const before = square;
    square = product_of(residual, change);
    double const share = before == 0 ? 0 : square / before;
    for (std::size_t i = 0; i < change.size(); ++i) direction[i] = change[i] + direction[i] * share;
}

// One step; `image` is T p - p/α of the direction p. A set that is exactly converged stays as it is.
void ConjugateGradients::advance(double square, Vectors const& direction, Vectors const& image, Vectors& dipoles,
                                 Vectors& residual) {
    double const curvature = -product_of(direction, image);
    if (square == 0 || curvature == 0) return;
    double const length = square / curvature;
    for (std::size_t i = 0; i < dipoles.size(); ++i) {
        dipoles[i] += direction[i] * length;
        residual[i] += image[i] * length;
    }
}

double ConjugateGradients::rms(TwoSets const& change) {
    double const worse = std::max(product_of(change.d, change.d), product_of(change.p, change.p));
    return debye * std::sqrt(worse / static_cast<double>(std::max<std::size_t>(1, change.d.size())));
}

double ConjugateGradients::energy_correction(TwoSets const& dipoles) const {
    return -(product_of(dipoles.p, residual_.d) + product_of(dipoles.d, residual_.p)) / 4;
}

void refuse_induction(int iterations, double error, double target) {
    std::ostringstream text;
    text << "the induced dipoles of an AmoebaMultipoleForce did not converge: after " << iterations
         << " iterations their rms error is " << error << " D, expected less than " << target << " D";
    throw SimulationError(text.str());
}

std::vector<double> extrapolation_weights(std::vector<double> const& coefficients) {
    std::vector<double> result = coefficients;
    for (std::size_t n = result.size(); n-- > 1;) result[n - 1] += result[n];
    return result;
}

// The gradient of Σ_n w_n E_p (α T)^n α E_d by T is Σ_{l+m<n} w_n μ_p^(l) ∂T μ_d^(n-1-l).
std::vector<DipoleSquare> dipole_squares(AmoebaMultipoleForce::Polarization polarization, Induction const& induction,
                                         std::vector<double> const& weights) {
    std::vector<DipoleSquare> result;
    if (polarization == AmoebaMultipoleForce::Polarization::mutual)
        add_product(induction.dipoles.p, induction.dipoles.d, result);
    if (polarization != AmoebaMultipoleForce::Polarization::extrapolated) return result;
    auto const& orders = induction.orders;
    for (std::size_t m = 0; m + 1 < orders.size(); ++m) {
        Vectors sum(orders[m].d.size());
        for (std::size_t l = 0; l + m + 1 < orders.size(); ++l)
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += orders[l].p[i] * weights[l + m + 1];
        add_product(sum, orders[m].d, result);
    }
    return result;
}

}  // namespace trotter::amoeba
