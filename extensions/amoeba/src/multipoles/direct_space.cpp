// Sums over pairs of multipole sites.
// SPDX-License-Identifier: MIT
#include "direct_space.hpp"

#include <cmath>

#include <trotter/amoeba/multipoles/potential.hpp>

namespace trotter::amoeba {
namespace {

// The radial functions of a pair with and without the part in reciprocal space, up to the derivatives that are needed.
template <std::size_t count> struct PairPowers {
    InversePowers<double, count> bare, full;
    TholeFactors<double> lambda;

    PairPowers(Vec3<> const& d, TholeSite const& one, TholeSite const& other, double alpha) {
        double const r = std::sqrt(dot(d, d)), inverse = 1 / r;
        bare = bare_powers<count>(inverse);
        full = alpha == 0 ? bare : ewald_powers<count>(r, inverse, alpha);
        lambda = thole_factors(one, other, r);
    }
    template <std::size_t most> InversePowers<double, most> damped_by(double scale) const {
        return damped<most>(full, bare, lambda, scale);
    }
};

}  // namespace

DirectSpace::Radial DirectSpace::thole_of(std::size_t i, SeenPair const& pair) const {
    auto const j = static_cast<std::size_t>(pair.other);
    auto const b = PairPowers<3>(pair.r, sites_.thole[i], sites_.thole[j], alpha_).template damped_by<3>(1).b;
    return {b[1], b[2]};
}

void DirectSpace::prepare(Threads& threads) {
    listed_.resize(pairs_.is_listed() || pairs_.numbers() <= most_pairs ? pairs_.numbers() : 0);
    if (listed_.empty()) return;
    for_each_site(threads, sites_.size(), [&](std::size_t i) {
        pairs_.for_each(i, [&](SeenPair const& pair, std::size_t n) { listed_[n] = thole_of(i, pair); });
    });
}

void DirectSpace::add_permanent_field(TwoSets& field, Threads& threads) const {
    for_each_site(threads, sites_.size(), [&](std::size_t i) {
        Vec3<> of_d{}, of_p{};
        pairs_.for_each(i, [&](SeenPair const& pair, std::size_t) {
            auto const j = static_cast<std::size_t>(pair.other);
            PairPowers<4> const powers(pair.r, sites_.thole[i], sites_.thole[j], alpha_);
            auto const scales = scales_.scales(i, pair.scales);
            auto const by_d = potential_gradient(sites_.moments[j], pair.r, powers.template damped_by<4>(scales.d));
            of_d -= by_d;
            of_p -= scales.p == scales.d
                        ? by_d
                        : potential_gradient(sites_.moments[j], pair.r, powers.template damped_by<4>(scales.p));
        });
        field.d[i] += of_d;
        field.p[i] += of_p;
    });
}

void DirectSpace::add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads) const {
    for_each_site(threads, sites_.size(), [&](std::size_t i) {
        Vec3<> of_d{}, of_p{};
        pairs_.for_each(i, [&](SeenPair const& pair, std::size_t n) {
            auto const j = static_cast<std::size_t>(pair.other);
            auto const [b1, b2] = listed_.empty() ? thole_of(i, pair) : listed_[n];
            Vec3<> const &r = pair.r, &d = dipoles.d[j], &p = dipoles.p[j];
            of_d += r * (dot(d, r) * b2) - d * b1;
            of_p += r * (dot(p, r) * b2) - p * b1;
        });
        field.d[i] += of_d;
        field.p[i] += of_p;
    });
}

// The energy with fixed induced dipoles, of which the gradient is that of the energy, as the dipoles minimize it:
//
//     ½ Σ_ij M_i φ_j(M) + Σ_ij ½ (μ_d,i p_ij + μ_p,i d_ij)·∇φ_j(M) + squares.
double DirectSpace::add_gradient_of(std::size_t i, TwoSets const& induced, std::vector<DipoleSquare> const& squares,
                                    MultipoleGradient& gradient) const {
    auto const& own = sites_.moments[i];
    Potential<> permanent, of_induced;
    Vec3<> by_position{};
    pairs_.for_each(i, [&](SeenPair const& pair, std::size_t) {
        auto const j = static_cast<std::size_t>(pair.other);
        PairPowers<6> const powers(pair.r, sites_.thole[i], sites_.thole[j], alpha_);
        auto const scales = scales_.scales(i, pair.scales);
        auto const& other = sites_.moments[j];
        permanent += potential_of<3>(other, pair.r, scaled<6>(powers.full, powers.bare, scales.permanent));
        auto add_polarization = [&](Vec3<> const& of_i, Vec3<> const& of_j, double scale) {
            auto const table = powers.template damped_by<5>(scale);
            by_position += second_potential_derivative(other, pair.r, table) * of_i;
            of_induced += potential_of<3>(Dipole<>{of_j}, pair.r, table);
        };
        if (scales.p == scales.d)
            add_polarization((induced.d[i] + induced.p[i]) * 0.5, (induced.d[j] + induced.p[j]) * 0.5, scales.p);
        else {
            add_polarization(induced.d[i] * 0.5, induced.d[j] * 0.5, scales.p);
            add_polarization(induced.p[i] * 0.5, induced.p[j] * 0.5, scales.d);
        }
        auto const table = powers.template damped_by<5>(1);
        for (auto const& [sign, dipoles] : squares)
            by_position += second_potential_derivative(Dipole<>{dipoles[j]}, pair.r, table) * (dipoles[i] * sign);
    });
    double const energy = energy_of(own, permanent) / 2;
    permanent += of_induced;
    gradient.by_positions[i] += by_position + gradient_of(own, permanent);
    gradient.by_moments[i] += permanent;
    return energy;
}

double DirectSpace::add_gradient(TwoSets const& induced, std::vector<DipoleSquare> const& squares,
                                 MultipoleGradient& gradient, Threads& threads) const {
    std::vector<double> energies(sites_.size());
    for_each_site(threads, sites_.size(),
                  [&](std::size_t i) { energies[i] = add_gradient_of(i, induced, squares, gradient); });
    double sum = 0;
    for (double const energy : energies) sum += energy;
    return sum;
}

}  // namespace trotter::amoeba
